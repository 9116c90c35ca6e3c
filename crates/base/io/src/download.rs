//! Fetches a file: into a part that a later call continues, under a lock so that processes on one cache
//! wait for each other, and checked by length and hash before it gets its name. A server that stalls,
//! sends without end, or sends something else costs a message, never a bad file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};

use ureq::http::Response;
use ureq::{Agent, Body};

use crate::address::{is_relative, origin, resolved};
use crate::digest::Checksum;
use crate::http::{
    HttpError, RetryPolicy, Secret, header, public_address, retry_after, waiting_for,
};
use crate::input::size;
use crate::limits::MOST_REDIRECTS;
use crate::quote::shown;
use crate::secret::{scrubbed, secrets_of};
use crate::{guard, stop, waiting};

/// What is fetched.
#[derive(Debug, Clone)]
pub struct Wanted<'a> {
    pub url: &'a str,
    /// Its length, where the server or a list says so.
    pub length: Option<u64>,
    /// More than this is not taken, whatever the server says.
    pub largest: u64,
    pub checksum: Option<Checksum>,
}

/// Asks servers of files. A token goes to the server it is for and to no other.
#[derive(Debug)]
pub struct Downloader {
    policy: RetryPolicy,
    agent: Agent,
    token: Option<Secret>,
}

/// What a server says about a file, by its headers.
#[derive(Debug)]
pub struct Head {
    pub status: u16,
    response: Response<Body>,
}

impl Head {
    pub fn header(&self, name: &str) -> Option<String> {
        header(&self.response, name)
    }
}

/// Waits until no other process holds this lock; it is held as long as the file lives.
pub fn lock(path: &Path) -> io::Result<File> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let file = open_own(
        OpenOptions::new().create(true).truncate(false).write(true),
        path,
    )?;
    let _shown =
        waiting::begin(|| format!("waiting for another process that holds {}", path.display()));
    match file.lock() {
        // A file system without locks: parts may be fetched twice, and are checked all the same.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        other => other.map(|()| file),
    }
}

enum Step {
    /// The part is whole.
    Done,
    /// Try again, from where it ended.
    Again(HttpError, Option<std::time::Duration>),
    /// No answer at all: a second try is enough.
    Unreachable(HttpError),
    /// Nothing of the part can be used.
    Restart(HttpError),
    Refused(HttpError),
}

impl Downloader {
    pub fn new(policy: RetryPolicy, token: Option<Secret>) -> Downloader {
        Downloader {
            agent: policy.agent(None),
            policy,
            token,
        }
    }

    /// The headers of an address. A redirect to another name on the same server (a model that was renamed)
    /// is followed; one to where the bytes lie is the answer.
    pub fn head(&self, url: &str, attempts: u32) -> Result<Head, HttpError> {
        let mut attempt = 0;
        loop {
            let (error, asked, attempts) = match self.follow(url, None, Follow::Renames) {
                Ok(response) => {
                    let status = response.status().as_u16();
                    if !is_stumble(status) {
                        return Ok(Head { status, response });
                    }
                    let asked = asked(&response);
                    let error = self.failed(url, Some(status), &answered(status));
                    (error, asked, attempts)
                }
                Err(error) => (error, None, attempts.min(2)),
            };
            attempt += 1;
            self.wait(attempt, attempts, error, asked)?;
        }
    }

    /// Gives up after the last attempt, else waits for the next.
    fn wait(
        &self,
        attempt: u32,
        attempts: u32,
        error: HttpError,
        asked: Option<std::time::Duration>,
    ) -> Result<(), HttpError> {
        let pause = self.policy.pause_after(attempt - 1, asked);
        if attempt >= attempts
            || waiting::pause(pause, || waiting_for(&error, pause, asked)).is_err()
        {
            return Err(error);
        }
        Ok(())
    }

    /// Fetches into `part`, checks, and moves it to `place`. Whoever calls holds the lock of `part`.
    pub fn fetch(
        &self,
        wanted: &Wanted<'_>,
        part: &Path,
        place: &Path,
        progress: &dyn Fn(u64),
    ) -> Result<(), HttpError> {
        let io = |error: io::Error| {
            self.failed(wanted.url, None, &format!("{}: {error}", part.display()))
        };
        if let Some(length) = wanted.length
            && length > wanted.largest
        {
            let message = format!(
                "{} are announced, more than the {} such a file may have",
                size(length),
                size(wanted.largest)
            );
            return Err(self.failed(wanted.url, None, &message));
        }
        // What cannot be checked is not continued: it may be the beginning of something else.
        if wanted.checksum.is_none() {
            remove(part).map_err(io)?;
        }
        let mut attempt = 0;
        let mut begun_before = length_of(part) > 0;
        loop {
            attempt += 1;
            match self.append(wanted, part, progress) {
                Step::Done => {}
                Step::Refused(error) => return Err(error),
                Step::Again(error, asked) => {
                    if wanted.checksum.is_none() {
                        remove(part).map_err(io)?;
                    }
                    self.wait(attempt, self.policy.attempts, error, asked)?;
                    continue;
                }
                Step::Unreachable(error) => {
                    self.wait(attempt, self.policy.attempts.min(2), error, None)?;
                    continue;
                }
                Step::Restart(error) => {
                    remove(part).map_err(io)?;
                    begun_before = false;
                    self.wait(attempt, self.policy.attempts, error, None)?;
                    continue;
                }
            }
            let Some(checksum) = &wanted.checksum else {
                break;
            };
            let found = open_own(OpenOptions::new().read(true), part)
                .and_then(|file| checksum.of(file, length_of(part)))
                .map_err(io)?;
            if found == checksum.expected() {
                break;
            }
            remove(part).map_err(io)?;
            // The beginning may have been of something else: start over before giving up.
            if begun_before {
                begun_before = false;
                continue;
            }
            let message = format!(
                "the {} is {found}, expected {}; the download was thrown away",
                checksum.name(),
                checksum.expected()
            );
            return Err(self.failed(wanted.url, None, &message));
        }
        open_own(OpenOptions::new().read(true), part)
            .and_then(|file| file.sync_data())
            .and_then(|()| fs::rename(part, place))
            .map_err(io)
    }

    /// Appends what is missing.
    fn append(&self, wanted: &Wanted<'_>, part: &Path, progress: &dyn Fn(u64)) -> Step {
        let refused =
            |status, message: &str| Step::Refused(self.failed(wanted.url, status, message));
        let have = length_of(part);
        match wanted.length {
            Some(length) if have == length => return Step::Done,
            Some(length) if have > length => {
                let message = "the partial download is longer than the file";
                return Step::Restart(self.failed(wanted.url, None, message));
            }
            _ => {}
        }
        let response = match self.follow(wanted.url, Some(have), Follow::Anywhere) {
            Ok(response) => response,
            Err(error) => return Step::Unreachable(error),
        };
        let status = response.status().as_u16();
        let kept = match status {
            // A server that does not know ranges sends the whole file.
            200 => 0,
            206 if have > 0 && continues(&response, have) => have,
            206 | 416 => {
                let message = "the server cannot continue the download";
                return Step::Restart(self.failed(wanted.url, Some(status), message));
            }
            status if is_stumble(status) => {
                let asked = asked(&response);
                return Step::Again(
                    self.failed(wanted.url, Some(status), &answered(status)),
                    asked,
                );
            }
            status => return refused(Some(status), &answered(status)),
        };
        let opened = match kept {
            // A file that is ours from its first byte: nothing that was planted under the name is written through.
            0 => remove(part)
                .and_then(|()| open_own(OpenOptions::new().create_new(true).write(true), part)),
            _ => open_own(OpenOptions::new().append(true), part),
        };
        let file = match opened {
            Ok(file) => file,
            Err(error) => return refused(None, &format!("{}: {error}", part.display())),
        };
        self.copy(wanted, response, file, kept, progress)
    }

    /// Copies a body, block by block, as long as blocks keep coming and are not too many.
    fn copy(
        &self,
        wanted: &Wanted<'_>,
        response: Response<Body>,
        mut file: File,
        mut done: u64,
        progress: &dyn Fn(u64),
    ) -> Step {
        let most = wanted.length.unwrap_or(wanted.largest);
        let blocks = match blocks(response) {
            Ok(blocks) => blocks,
            Err(error) => {
                let message = format!("cannot start a thread: {error}");
                return Step::Refused(self.failed(wanted.url, None, &message));
            }
        };
        progress(done);
        loop {
            let again = |message: &str| Step::Again(self.failed(wanted.url, None, message), None);
            let block = match blocks.recv_timeout(self.policy.timeout) {
                Ok(Ok(block)) => block,
                Ok(Err(error)) => return again(&error.to_string()),
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = self.policy.timeout.as_secs_f64();
                    return again(&format!("nothing came for {seconds} s"));
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            done += block.len() as u64;
            if done > most {
                let message = format!("the server sends more than the {} of the file", size(most));
                return Step::Refused(self.failed(wanted.url, None, &message));
            }
            if let Err(error) = file.write_all(&block) {
                return Step::Refused(self.failed(wanted.url, None, &error.to_string()));
            }
            progress(done);
            if let Err(interrupted) = stop::check() {
                return Step::Refused(self.failed(wanted.url, None, &interrupted.to_string()));
            }
        }
        match wanted.length {
            Some(length) if length != done => {
                let message = format!("the connection ended after {done} of {length} bytes");
                Step::Again(self.failed(wanted.url, None, &message), None)
            }
            _ => Step::Done,
        }
    }

    /// Asks an address and those it points to. `from` asks for the bytes from there on.
    fn follow(
        &self,
        url: &str,
        from: Option<u64>,
        follow: Follow,
    ) -> Result<Response<Body>, HttpError> {
        let mut place = url.to_owned();
        for _ in 0..=MOST_REDIRECTS {
            let mut request = match from {
                None => self.agent.head(&place),
                Some(_) => self.agent.get(&place),
            };
            if let Some(token) = self
                .token
                .as_ref()
                .filter(|_| origin(&place) == origin(url))
            {
                request = request.header("Authorization", format!("Bearer {}", token.expose()));
            }
            if let Some(from) = from.filter(|from| *from > 0) {
                request = request.header("Range", format!("bytes={from}-"));
            }
            let _shown =
                waiting::begin(|| format!("waiting for an answer of {}", self.place(&place)));
            // The library panics where the system starts no thread to look a name up.
            let response = guard::catch(|| request.call())
                .map_err(|words| self.failed(url, None, &words))?
                .map_err(|error| self.failed(url, None, &error.to_string()))?;
            let status = response.status().as_u16();
            let next = match status {
                301 | 302 | 303 | 307 | 308 => header(&response, "Location"),
                _ => None,
            };
            let next = next.filter(|next| follow == Follow::Anywhere || is_relative(next));
            let Some(next) = next.and_then(|next| resolved(&place, &next)) else {
                return Ok(response);
            };
            if place.starts_with("https:") && !next.starts_with("https:") {
                let message = "the server points to an address without encryption";
                return Err(self.failed(url, Some(status), message));
            }
            place = next;
        }
        Err(self.failed(url, None, "too many redirects"))
    }

    fn failed(&self, url: &str, status: Option<u16>, message: &str) -> HttpError {
        let secrets = secrets_of(url);
        let clean = |text: &str| scrubbed(text, self.token.iter().chain(&secrets));
        HttpError {
            url: clean(&public_address(url)),
            status,
            message: shown(&clean(message)),
        }
    }

    /// The server of an address, for messages.
    fn place(&self, url: &str) -> String {
        let url = public_address(url);
        shown(&scrubbed(origin(&url).unwrap_or(&url), &self.token))
    }
}

/// Opens a file of a cache that others may write to: a link in its place is refused, and so is what is no regular file.
fn open_own(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        use rustix::fs::OFlags;
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    }
    let file = options.open(path).map_err(|error| {
        let is_link = fs::symlink_metadata(path).is_ok_and(|facts| facts.is_symlink());
        if is_link {
            return io::Error::other("this is a symbolic link, which is not followed; delete it");
        }
        error
    })?;
    let kind = file.metadata()?.file_type();
    if kind.is_file() {
        return Ok(file);
    }
    Err(io::Error::other(crate::regular::kind_name(&kind)))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Follow {
    Renames,
    Anywhere,
}

fn answered(status: u16) -> String {
    format!("the server answered {status}")
}

fn asked(response: &Response<Body>) -> Option<std::time::Duration> {
    retry_after(
        &header(response, "Retry-After")?,
        std::time::SystemTime::now(),
    )
}

fn is_stumble(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500..=599)
}

/// Whether a 206 begins where it was asked to.
fn continues(response: &Response<Body>, have: u64) -> bool {
    let range = header(response, "Content-Range").unwrap_or_default();
    let Some(range) = range.trim().strip_prefix("bytes ") else {
        // Not said: the hash will tell.
        return true;
    };
    let first = range.split('-').next().and_then(|first| first.parse().ok());
    first == Some(have)
}

/// The blocks of a body as they come. Read in a thread of its own, which a server that stalls keeps for
/// itself: whoever waits for the blocks can stop waiting.
fn blocks(response: Response<Body>) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (sender, receiver) = sync_channel(4);
    std::thread::Builder::new().spawn(move || {
        let mut body = response
            .into_body()
            .into_with_config()
            .limit(u64::MAX)
            .reader();
        loop {
            let mut block = vec![0; 1 << 16];
            let sent = match body.read(&mut block) {
                Ok(0) => return,
                Ok(count) => {
                    block.truncate(count);
                    sender.send(Ok(block))
                }
                Err(error) => {
                    let _ = sender.send(Err(error));
                    return;
                }
            };
            if sent.is_err() {
                return;
            }
        }
    })?;
    Ok(receiver)
}

fn length_of(path: &Path) -> u64 {
    fs::symlink_metadata(path).map_or(0, |facts| if facts.is_file() { facts.len() } else { 0 })
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
