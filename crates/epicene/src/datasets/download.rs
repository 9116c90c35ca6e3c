//! Downloads a file over HTTPS: into a `.part` that a later call continues, checked by its SHA-256
//! before it gets its name.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::catalogue::Edition;
use crate::console;
use crate::failure::Failure;

/// Replaces the address of every file by `$EPICENE_DATA_URL/FILE`.
const MIRROR: &str = "EPICENE_DATA_URL";

pub fn fetch(edition: &Edition, directory: &Path) -> Result<PathBuf, Failure> {
    let path = directory.join(edition.file);
    if path.exists() && super::hash(&path)? == edition.sha256 {
        return Ok(path);
    }
    fs::create_dir_all(directory).map_err(|error| about(directory, &error))?;
    let part = directory.join(format!("{}.part", edition.file));
    let url = address(edition)?;
    let mut resumed = length(&part) > 0;
    if let Err(failure) = append(&url, &part, edition) {
        // A part that cannot be continued (it is longer than the file, or the server will not) is
        // dropped, once.
        if !failure.restart || !resumed {
            return Err(failure.failure);
        }
        resumed = false;
        remove(&part)?;
        append(&url, &part, edition).map_err(|again| again.failure)?;
    }
    let mut found = super::hash(&part)?;
    if found != edition.sha256 && resumed {
        // The beginning may have been of something else: start over before giving up.
        remove(&part)?;
        append(&url, &part, edition).map_err(|again| again.failure)?;
        found = super::hash(&part)?;
    }
    if found != edition.sha256 {
        remove(&part)?;
        return Err(Failure::usage(format!(
            "{url}: SHA-256 is {found}, expected {}; the download was thrown away",
            edition.sha256
        ))
        .with_hint(format!(
            "the server does not have this edition; check {MIRROR}, or fetch the file elsewhere"
        )));
    }
    fs::rename(&part, &path).map_err(|error| about(&path, &error))?;
    Ok(path)
}

fn address(edition: &Edition) -> Result<String, Failure> {
    let Some(mirror) = std::env::var(MIRROR).ok().filter(|url| !url.is_empty()) else {
        return Ok(edition.url.to_owned());
    };
    match mirror.starts_with("https://") || mirror.starts_with("http://") {
        true => Ok(format!("{}/{}", mirror.trim_end_matches('/'), edition.file)),
        false => Err(Failure::usage(format!(
            "{MIRROR}: `{mirror}` is no http(s) address"
        ))),
    }
}

struct Interrupted {
    failure: Failure,
    /// Whether starting from nothing may help.
    restart: bool,
}

/// Appends what is missing of the file to `part`.
fn append(url: &str, part: &Path, edition: &Edition) -> Result<(), Interrupted> {
    let stop = |failure: Failure| Interrupted {
        failure,
        restart: false,
    };
    let have = length(part);
    if have == edition.bytes {
        return Ok(());
    }
    let restart = |message: &str| Interrupted {
        failure: Failure::usage(format!("{url}: {message}")),
        restart: true,
    };
    if have > edition.bytes {
        return Err(restart("the partial download is longer than the file"));
    }
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_connect(Some(Duration::from_secs(20)))
        .timeout_recv_response(Some(Duration::from_secs(60)))
        .timeout_recv_body(Some(Duration::from_secs(600)))
        .http_status_as_error(false)
        .build()
        .into();
    let mut request = agent.get(url);
    if have > 0 {
        request = request.header("Range", format!("bytes={have}-"));
    }
    let response = request
        .call()
        .map_err(|error| stop(unreachable(url, edition, &error.to_string())))?;
    let status = response.status().as_u16();
    // A server that does not know ranges sends the whole file: then nothing is kept of the part.
    let keep = match status {
        200 => false,
        206 if have > 0 => true,
        416 => return Err(restart("the server refuses to continue the download")),
        _ => {
            return Err(stop(unreachable(
                url,
                edition,
                &format!("the server answered {status}"),
            )));
        }
    };
    let mut file = OpenOptions::new()
        .create(true)
        .write(true)
        .append(keep)
        .truncate(!keep)
        .open(part)
        .map_err(|error| stop(about(part, &error)))?;
    let done = if keep { have } else { 0 };
    copy(response.into_body().into_reader(), &mut file, edition, done)
        .map_err(|message| stop(unreachable(url, edition, &message)))
}

/// Copies at most as much as the file has; more is a server that lies.
fn copy(
    mut body: impl Read,
    file: &mut File,
    edition: &Edition,
    mut done: u64,
) -> Result<(), String> {
    let progress = console::progress(edition.bytes, edition.file);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = body.read(&mut buffer).map_err(|error| error.to_string())?;
        if count == 0 {
            break;
        }
        done += count as u64;
        if done > edition.bytes {
            return Err(format!(
                "the server sends more than the {} bytes of the file",
                edition.bytes
            ));
        }
        file.write_all(&buffer[..count])
            .map_err(|error| error.to_string())?;
        progress.set_position(done);
    }
    progress.finish_and_clear();
    match done == edition.bytes {
        true => Ok(()),
        false => Err(format!(
            "the connection ended after {done} of {} bytes",
            edition.bytes
        )),
    }
}

fn unreachable(url: &str, edition: &Edition, message: &str) -> Failure {
    Failure::usage(format!("{url}: {message}")).with_hint(format!(
        "the same command continues the download; offline, fetch {} elsewhere and give --data PATH, or set {MIRROR} to a mirror",
        edition.file
    ))
}

fn about(path: &Path, error: &std::io::Error) -> Failure {
    Failure::usage(format!("{}: {error}", path.display()))
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

fn remove(path: &Path) -> Result<(), Failure> {
    fs::remove_file(path).map_err(|error| about(path, &error))
}
