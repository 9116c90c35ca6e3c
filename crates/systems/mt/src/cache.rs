//! Translations on disk, each stored once by system, revision, options, languages and source
//! sentence.
//!
//! There is one file for each system and pair of languages. Lines are only ever added, whole
//! requests in one write under the file's lock, each with a checksum: a process that is killed
//! leaves at most one torn line, which is passed over. In memory is a hash and a place for each
//! line; texts stay on disk. Where the name of a system does not say which server answered, a line says so of those below it.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use epicene_core::{ServerCard, SystemCard};
use epicene_io::Moment;
use epicene_io::input::{append_until, size};
use epicene_io::limits::LONGEST_LINE;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::MtError;
use crate::claims::Claims;

/// What the first line of a file says of the others.
const FORMAT: u32 = 1;

/// A directory of translations.
#[derive(Debug, Clone)]
pub struct Cache {
    directory: PathBuf,
}

/// One line. `from` and `to` are named as in files of translations, so that a cache file is one.
#[derive(Serialize, Deserialize)]
struct CachedTranslation<'a> {
    from: std::borrow::Cow<'a, str>,
    to: std::borrow::Cow<'a, str>,
    /// The day it was asked for, since services change without saying so.
    day: String,
    sum: String,
}

#[derive(Serialize)]
struct Header<'a> {
    system: &'a str,
    revision: Option<&'a str>,
    source_language: &'a str,
    target_language: &'a str,
    format: u32,
}

/// The server that gave the answers below this line; none where they may be by two models.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnsweredBy {
    server: Option<ServerCard>,
}

/// The translations of one system between two languages.
#[derive(Debug)]
pub(crate) struct Store {
    path: PathBuf,
    state: Mutex<State>,
    /// Answers before this place are not used: those of another model, and all with `--fresh`.
    ignored: u64,
    /// Opened with the first sentence that costs money.
    claims: Mutex<Option<Claims>>,
}

#[derive(Debug)]
struct State {
    file: File,
    /// Everything before this byte is in the index.
    read: u64,
    places: HashMap<u128, u64>,
    /// The last line that says who answered, and where it ends.
    answered_by: Option<(AnsweredBy, u64)>,
}

impl Cache {
    pub fn new(directory: PathBuf) -> Cache {
        Cache { directory }
    }

    /// The store of a system; what it answered before now is left alone with `fresh`, and what another model at the same
    /// address answered, always.
    pub(crate) fn store(
        &self,
        card: &SystemCard,
        revision: Option<&str>,
        (from, to): (&str, &str),
        fresh: bool,
        server: Option<&ServerCard>,
    ) -> Result<Store, MtError> {
        let failed = |path: &Path, error: io::Error| MtError::Cache {
            path: path.to_owned(),
            message: error.to_string(),
        };
        fs::create_dir_all(&self.directory).map_err(|error| failed(&self.directory, error))?;
        let mut digest = Sha256::new();
        for field in [
            card.source.as_str(),
            revision.unwrap_or(""),
            card.dtype.as_deref().unwrap_or(""),
            card.tokenizer.as_deref().unwrap_or(""),
            from,
            to,
        ] {
            digest.update((field.len() as u64).to_le_bytes());
            digest.update(field);
        }
        let hash = number(&digest.finalize());
        let kind = card.source.split(':').next().unwrap_or("system");
        let name = format!(
            "{}-{}-{}-{hash:032x}.jsonl",
            plain(kind),
            plain(from),
            plain(to)
        );
        let path = self.directory.join(name);
        let file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(&path)
            .and_then(|file| {
                if !file.metadata()?.is_file() {
                    Err(io::Error::other("this is not a regular file"))
                } else {
                    Ok(file)
                }
            })
            .map_err(|error| failed(&path, error))?;
        let mut state = State {
            file,
            read: 0,
            places: HashMap::new(),
            answered_by: None,
        };
        let header = Header {
            system: &card.source,
            revision,
            source_language: from,
            target_language: to,
            format: FORMAT,
        };
        state.begin(&header).map_err(|error| failed(&path, error))?;
        state.refresh().map_err(|error| failed(&path, error))?;
        // A server that says nothing now, or may not be asked for nothing, keeps what it has.
        let start = match server.filter(|server| server.is_tested() || server.model.is_some()) {
            Some(server) => state.answers_of(server),
            None => Ok(0),
        };
        let start = start.map_err(|error| failed(&path, error))?;
        Ok(Store {
            ignored: if fresh { state.read } else { start },
            path,
            state: Mutex::new(state),
            claims: Mutex::new(None),
        })
    }
}

impl Store {
    fn failed(&self, error: io::Error) -> MtError {
        MtError::Cache {
            path: self.path.clone(),
            message: error.to_string(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }

    /// Takes in what other processes have added.
    pub fn refresh(&self) -> Result<(), MtError> {
        self.state().refresh().map_err(|error| self.failed(error))
    }

    /// From now on nobody takes the answers so far for those of one model.
    pub fn disown(&self) -> Result<(), MtError> {
        let disowned = self.state().say_who(None);
        disowned.map_err(|error| self.failed(error))
    }

    pub fn has(&self, source: &str) -> bool {
        let places = &self.state().places;
        let place = places.get(&key(source));
        place.is_some_and(|place| *place >= self.ignored)
    }

    pub fn get(&self, source: &str) -> Result<Option<String>, MtError> {
        let mut state = self.state();
        let place = state.places.get(&key(source)).copied();
        let Some(place) = place.filter(|place| *place >= self.ignored) else {
            return Ok(None);
        };
        let line = state.line(place).map_err(|error| self.failed(error))?;
        Ok(read(&line)
            .filter(|line| line.from == source)
            .map(|line| line.to.into_owned()))
    }

    /// Stores the answers of one request; they are on their way to the disk when this returns.
    pub fn add(&self, answers: &[(&str, &str)], durable: bool) -> Result<(), MtError> {
        if answers.is_empty() {
            return Ok(());
        }
        let day = Moment::now().day();
        let mut text = Vec::new();
        for (from, to) in answers {
            let line = CachedTranslation {
                from: (*from).into(),
                to: (*to).into(),
                day: day.clone(),
                sum: sum(from, to),
            };
            let start = text.len();
            let written = serde_json::to_writer(&mut text, &line);
            written.map_err(|error| self.failed(error.into()))?;
            text.push(b'\n');
            // A line that no reader takes would make the whole cache unreadable.
            if (text.len() - start) as u64 > LONGEST_LINE {
                let message = format!("an answer of more than {}", size(LONGEST_LINE));
                return Err(self.failed(io::Error::other(message)));
            }
        }
        let mut state = self.state();
        let added = state.append(&text).and_then(|()| {
            if durable {
                state.file.sync_data()
            } else {
                Ok(())
            }
        });
        added
            .and_then(|()| state.refresh())
            .map_err(|error| self.failed(error))
    }

    /// Claims sentences that are to be paid for; which of them nobody else is paying for.
    pub fn claim(&self, texts: &[&str]) -> Result<Vec<bool>, MtError> {
        self.claims(|claims| claims.claim(&names(texts)))
    }

    /// The sentences are answered and stored, or were not answered.
    pub fn release(&self, texts: &[&str]) -> Result<(), MtError> {
        self.claims(|claims| claims.release(&names(texts)))
    }

    fn claims<T>(&self, with: impl FnOnce(&Claims) -> io::Result<T>) -> Result<T, MtError> {
        let path = self.path.with_extension("claims");
        let failed = |error: io::Error| MtError::Cache {
            path: path.clone(),
            message: error.to_string(),
        };
        let mut claims = self
            .claims
            .lock()
            .unwrap_or_else(|broken| broken.into_inner());
        if claims.is_none() {
            *claims = Some(Claims::open(path.clone()).map_err(failed)?);
        }
        let claims = claims.as_ref().expect("it was just opened");
        with(claims).map_err(failed)
    }
}

/// Sentences as claims name them.
fn names(texts: &[&str]) -> Vec<String> {
    let name = |text: &&str| format!("{:032x}", key(text));
    texts.iter().map(name).collect()
}

impl State {
    /// Writes the first line of a new file.
    fn begin(&mut self, header: &Header<'_>) -> io::Result<()> {
        self.file.lock()?;
        let done = self.file.metadata().and_then(|facts| match facts.len() {
            0 => {
                let mut line = serde_json::to_vec(header)?;
                line.push(b'\n');
                self.file.write_all(&line)
            }
            _ => self.check_format(),
        });
        self.file.unlock()?;
        done
    }

    /// A later version may write lines that mean something else.
    fn check_format(&mut self) -> io::Result<()> {
        #[derive(Deserialize)]
        struct Found {
            format: u64,
        }
        let line = self.line(0)?;
        match serde_json::from_slice::<Found>(&line) {
            Ok(found) if found.format > u64::from(FORMAT) => Err(io::Error::other(format!(
                "the cache has format {}, this version reads format {FORMAT}; use the version that wrote it, or delete the file",
                found.format
            ))),
            // A torn or damaged first line: every other line has a checksum of its own.
            _ => Ok(()),
        }
    }

    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        self.file.lock()?;
        let done = self.ends_whole().and_then(|whole| {
            // A line that a killed process left open is closed first; its checksum does not hold.
            let mut text = Vec::with_capacity(lines.len() + 1);
            if !whole {
                text.push(b'\n');
            }
            text.extend_from_slice(lines);
            self.file.write_all(&text)
        });
        self.file.unlock()?;
        done
    }

    fn ends_whole(&mut self) -> io::Result<bool> {
        let length = self.file.metadata()?.len();
        if length == 0 {
            return Ok(true);
        }
        let mut last = [0];
        self.file.seek(SeekFrom::Start(length - 1))?;
        self.file.read_exact(&mut last)?;
        Ok(last == *b"\n")
    }

    /// Indexes whole lines behind what was read before. Later lines win.
    fn refresh(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.read))?;
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let count = append_until(&mut reader, b'\n', &mut line)?;
            if count == 0 || line.last() != Some(&b'\n') {
                return Ok(());
            }
            if let Some(found) = read(&line) {
                self.places.insert(key(&found.from), self.read);
            } else if let Ok(by) = serde_json::from_slice::<AnsweredBy>(&line) {
                self.answered_by = Some((by, self.read + count as u64));
            }
            self.read += count as u64;
        }
    }

    /// Where the answers of this server begin. Those of another, and those of which nobody knows, are left alone.
    fn answers_of(&mut self, server: &ServerCard) -> io::Result<u64> {
        let is_same = |by: &ServerCard| {
            by.is_tested() == server.is_tested() && by.difference(server).is_none()
        };
        match &self.answered_by {
            Some((AnsweredBy { server: Some(by) }, start)) if is_same(by) => return Ok(*start),
            // A server that repeats no answer cannot be told from others.
            None if !server.is_tested() => return Ok(0),
            _ => self.say_who(Some(server.clone()))?,
        }
        Ok(self.read)
    }

    fn say_who(&mut self, server: Option<ServerCard>) -> io::Result<()> {
        let mut line = serde_json::to_vec(&AnsweredBy { server })?;
        line.push(b'\n');
        self.append(&line)?;
        self.refresh()
    }

    fn line(&mut self, place: u64) -> io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(place))?;
        let mut line = Vec::new();
        let mut reader = BufReader::with_capacity(1 << 10, &self.file);
        append_until(&mut reader, b'\n', &mut line)?;
        Ok(line)
    }
}

/// A line whose checksum holds.
fn read(line: &[u8]) -> Option<CachedTranslation<'_>> {
    let line: CachedTranslation<'_> = serde_json::from_slice(line).ok()?;
    (line.sum == sum(&line.from, &line.to)).then_some(line)
}

fn key(source: &str) -> u128 {
    number(&Sha256::digest(source.as_bytes()))
}

fn sum(from: &str, to: &str) -> String {
    let mut digest = Sha256::new();
    digest.update((from.len() as u64).to_le_bytes());
    digest.update(from);
    digest.update(to);
    format!("{:08x}", number(&digest.finalize()) >> 96)
}

/// The first 128 bits of a digest.
fn number(digest: &[u8]) -> u128 {
    let start = digest.iter().take(16);
    start.fold(0, |number, byte| number << 8 | u128::from(*byte))
}

fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
        .collect()
}

#[cfg(test)]
mod tests {
    use epicene_core::ModelKind;

    use super::*;

    fn card() -> SystemCard {
        SystemCard {
            name: "x".to_owned(),
            source: "copy:".to_owned(),
            revision: None,
            dtype: None,
            tokenizer: None,
            kind: ModelKind::Translator,
        }
    }

    fn open(directory: &Path, fresh: bool) -> Store {
        Cache::new(directory.to_owned())
            .store(&card(), None, ("en", "sk"), fresh, None)
            .unwrap()
    }

    #[test]
    fn a_file_cut_anywhere_keeps_its_whole_lines_and_goes_on() {
        let directory = tempfile::tempdir().unwrap();
        let store = open(directory.path(), false);
        let pairs: Vec<(String, String)> = (0..4)
            .map(|i| {
                (
                    format!("I ran {i}.\n\"x\""),
                    format!("Bežal som {i}. \u{1f3c3}"),
                )
            })
            .collect();
        for (from, to) in &pairs {
            store.add(&[(from, to)], false).unwrap();
        }
        let path = store.path.clone();
        drop(store);
        let whole = fs::read(&path).unwrap();
        let header = whole.iter().position(|b| *b == b'\n').unwrap() + 1;
        for cut in header..=whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let lines = whole[header..cut].iter().filter(|b| **b == b'\n').count();
            let store = open(directory.path(), false);
            for (place, (from, to)) in pairs.iter().enumerate() {
                let expected = (place < lines).then(|| to.clone());
                assert_eq!(store.get(from).unwrap(), expected, "cut at {cut}");
            }
            store.add(&[("new", "nové")], false).unwrap();
            let again = open(directory.path(), false);
            assert_eq!(again.get("new").unwrap().as_deref(), Some("nové"));
        }
    }

    #[test]
    fn a_later_format_and_an_answer_that_no_reader_takes_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let store = open(directory.path(), false);
        store.add(&[("I ran.", "Bežal som.")], true).unwrap();
        for length in [17 << 20, 3 << 20] {
            // Three bytes a character, or six once they are escaped.
            let long = if length > LONGEST_LINE as usize {
                "x"
            } else {
                "\u{1}"
            }
            .repeat(length);
            let error = store.add(&[("I ran far.", &long)], true).unwrap_err();
            assert!(error.to_string().contains("more than 16 MiB"), "{error}");
        }
        let again = open(directory.path(), false);
        assert_eq!(again.get("I ran.").unwrap().as_deref(), Some("Bežal som."));
        let text = fs::read_to_string(&store.path).unwrap();
        fs::write(&store.path, text.replace("\"format\":1", "\"format\":2")).unwrap();
        let cache = Cache::new(directory.path().to_owned());
        let later = cache.store(&card(), None, ("en", "sk"), false, None);
        let error = later.unwrap_err().to_string();
        assert!(error.contains("format 2"), "{error}");
    }

    #[test]
    fn a_changed_line_is_not_believed() {
        let directory = tempfile::tempdir().unwrap();
        let store = open(directory.path(), false);
        store.add(&[("I ran.", "Bežal som.")], true).unwrap();
        let text = fs::read_to_string(&store.path).unwrap();
        fs::write(&store.path, text.replace("Bežal", "Bežala")).unwrap();
        assert!(!open(directory.path(), false).has("I ran."));
    }

    #[test]
    fn two_at_once_see_each_other() {
        let directory = tempfile::tempdir().unwrap();
        let (ours, theirs) = (open(directory.path(), false), open(directory.path(), false));
        theirs.add(&[("I ran.", "Bežal som.")], false).unwrap();
        assert!(!ours.has("I ran."));
        ours.refresh().unwrap();
        assert_eq!(ours.get("I ran.").unwrap().as_deref(), Some("Bežal som."));
        // Many writers: no line is lost or broken.
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let store = open(directory.path(), false);
                scope.spawn(move || {
                    for line in 0..50 {
                        let text = format!("{writer} {line} {}", "x".repeat(line * 40));
                        store.add(&[(&text, &text)], false).unwrap();
                    }
                });
            }
        });
        let all = open(directory.path(), false);
        assert_eq!(all.state().places.len(), 201);
    }

    #[test]
    fn answers_of_another_model_at_the_same_address_are_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path().to_owned());
        let open = |answers: &[&str]| {
            let server = ServerCard {
                addresses: vec!["http://a".to_owned()],
                answers: answers
                    .iter()
                    .map(|text| Some((*text).to_owned()))
                    .collect(),
                ..ServerCard::default()
            };
            let store = cache.store(&card(), None, ("en", "sk"), false, Some(&server));
            store.unwrap()
        };
        // Written by a version that did not say who answered.
        let old = cache.store(&card(), None, ("en", "sk"), false, None);
        old.unwrap().add(&[("I ran.", "old")], true).unwrap();
        let (one, other) = (["a", "b", "c"], ["x", "y", "z"]);
        let first = open(&one);
        assert_eq!(first.get("I ran.").unwrap(), None);
        first.add(&[("I ran.", "one")], true).unwrap();
        // A server that varies is the same server.
        let again = open(&["a", "b", "else"]);
        assert_eq!(again.get("I ran.").unwrap().as_deref(), Some("one"));
        let second = open(&other);
        assert_eq!(second.get("I ran.").unwrap(), None);
        second.add(&[("I ran.", "other")], true).unwrap();
        assert_eq!(
            open(&other).get("I ran.").unwrap().as_deref(),
            Some("other")
        );
        assert_eq!(open(&one).get("I ran.").unwrap(), None);
        open(&one).add(&[("I ran.", "one")], true).unwrap();
        open(&one).disown().unwrap();
        assert_eq!(open(&one).get("I ran.").unwrap(), None);
        // One that repeats nothing any more is another model; a damaged line says nothing of models.
        open(&one).add(&[("I ran.", "one")], true).unwrap();
        fs::write(
            &first.path,
            fs::read_to_string(&first.path).unwrap() + "{\"from\":\"x\"}\n",
        )
        .unwrap();
        assert_eq!(open(&one).get("I ran.").unwrap().as_deref(), Some("one"));
        let sampling = ServerCard {
            model: Some("m".to_owned()),
            ..ServerCard::default()
        };
        let store = cache.store(&card(), None, ("en", "sk"), false, Some(&sampling));
        assert!(!store.unwrap().has("I ran."));
        // A server that says nothing of itself keeps what it has: asking again may cost money.
        let untested = ServerCard::default();
        let kept = cache.store(&card(), None, ("en", "sk"), false, Some(&untested));
        assert!(kept.unwrap().has("I ran."));
    }

    #[test]
    fn fresh_asks_again_and_the_later_answer_wins() {
        let directory = tempfile::tempdir().unwrap();
        open(directory.path(), false)
            .add(&[("I ran.", "old")], false)
            .unwrap();
        let fresh = open(directory.path(), true);
        assert_eq!(fresh.get("I ran.").unwrap(), None);
        fresh.add(&[("I ran.", "new")], false).unwrap();
        assert_eq!(fresh.get("I ran.").unwrap().as_deref(), Some("new"));
        let later = open(directory.path(), false);
        assert_eq!(later.get("I ran.").unwrap().as_deref(), Some("new"));
    }
}
