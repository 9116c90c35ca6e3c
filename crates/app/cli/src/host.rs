//! Who holds this program: a terminal, or another program that wants what a command says handed over instead of printed.
//! The commands know nothing of it; `console`, `source`, `results` and `systems` look here.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use epicene_core::{ModelKind, System};
use epicene_io::stop::StopFlag;
use epicene_report::Results;
use indicatif::ProgressBar;

use crate::session::Session;

const SIGINT: i32 = 2;

/// A line for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    Note(String),
    /// Explains numbers or exit codes.
    Word(String),
    Warning(String),
}

/// What a command is given by a program that holds it, and what it leaves there.
#[derive(Default)]
pub struct Host {
    input: Mutex<Option<Vec<u8>>>,
    systems: Mutex<Vec<Box<dyn System>>>,
    output: Mutex<Vec<u8>>,
    pub(crate) results: Mutex<Vec<Results>>,
    pub(crate) run: Mutex<Option<PathBuf>>,
    said: Mutex<Vec<Said>>,
    bar: Mutex<Option<ProgressBar>>,
    pub(crate) stop: StopFlag,
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// The command line, for manifests: the program's name and its arguments, without what may be a key.
pub fn command() -> Vec<String> {
    let session = Session::current();
    let words = session.command.iter();
    words
        .map(|word| without_keys(&word.to_string_lossy()))
        .collect()
}

/// A word without the queries and passwords of the addresses in it.
fn without_keys(word: &str) -> String {
    let (mut kept, mut rest) = (String::new(), word);
    while let Some((before, address)) = rest.split_once("://") {
        kept += before;
        kept += "://";
        let end = address.find([',', ' ']).unwrap_or(address.len());
        let (mut address, after) = address.split_at(end);
        let host = address.find(['/', '?', '#']).unwrap_or(address.len());
        if let Some(password) = address[..host].rfind('@') {
            kept += "…";
            address = &address[password..];
        }
        match address.split_once('?') {
            Some((address, _)) => kept += &format!("{address}?…"),
            None => kept += address,
        }
        rest = after;
    }
    kept + rest
}

/// Who holds the command that this thread works for; `None` where it is the program itself.
pub fn current() -> Option<Arc<Host>> {
    Session::current().host.clone()
}

impl Host {
    pub fn new(input: Option<Vec<u8>>, systems: Vec<Box<dyn System>>) -> Host {
        Host {
            input: Mutex::new(input),
            systems: Mutex::new(systems),
            ..Host::default()
        }
    }

    /// What a command reads as standard input: nothing where nothing was given.
    pub fn take_input(&self) -> io::Cursor<Vec<u8>> {
        io::Cursor::new(locked(&self.input).take().unwrap_or_default())
    }

    /// Asks the command to stop; whether it will do so at its next step.
    pub fn stop(&self) -> bool {
        self.stop.request(SIGINT);
        self.stop.is_heard()
    }

    pub fn say(&self, said: Said) {
        locked(&self.said).push(said);
    }

    /// What was said since the last time.
    pub fn news(&self) -> Vec<Said> {
        std::mem::take(&mut locked(&self.said))
    }

    /// A bar that nobody draws here; its state is what the holder shows.
    pub fn watch(&self, bar: &ProgressBar) {
        *locked(&self.bar) = Some(bar.clone());
    }

    /// What is done, of how much, and what it is; `None` while nothing is counted.
    pub fn progress(&self) -> Option<(u64, u64, String)> {
        let bar = locked(&self.bar);
        let bar = bar.as_ref().filter(|bar| !bar.is_finished())?;
        Some((bar.position(), bar.length().unwrap_or(0), bar.message()))
    }

    pub fn keep(&self, results: &Results) {
        locked(&self.results).push(results.clone());
    }

    /// What a command printed.
    pub fn take_output(&self) -> Vec<u8> {
        std::mem::take(&mut locked(&self.output))
    }
}

/// Standard output of a command that is held.
pub struct Output(pub Arc<Host>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        locked(&self.0.output).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Gives the run that this command makes next a system that no argument can name.
pub fn lend(system: Box<dyn System>) {
    locked(&Session::current().lent).push(system);
}

/// Systems that no argument can name: translators, or all others.
pub fn take_systems(translators: bool) -> Vec<Box<dyn System>> {
    let lent = std::mem::take(&mut *locked(&Session::current().lent));
    let Some(host) = current().filter(|_| lent.is_empty()) else {
        return lent;
    };
    let mut systems = locked(&host.systems);
    let all = std::mem::take(&mut *systems);
    let (taken, left) = all
        .into_iter()
        .partition(|model| is_translator(model) == translators);
    *systems = left;
    taken
}

/// Whether whoever holds this program brings a translator.
pub fn has_translator() -> bool {
    current().is_some_and(|host| locked(&host.systems).iter().any(is_translator))
}

#[allow(clippy::borrowed_box)]
fn is_translator(model: &Box<dyn System>) -> bool {
    model.card().kind == ModelKind::Translator
}

/// Notes which run directory a command made.
pub fn made(run: &Path) {
    if let Some(host) = current() {
        *locked(&host.run) = Some(run.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::without_keys;

    #[test]
    fn addresses_are_kept_without_keys() {
        for (given, kept) in [
            ("openai:m@http://a:1/v1", "openai:m@http://a:1/v1"),
            ("openai:m@http://a/v1?key=abc", "openai:m@http://a/v1?…"),
            (
                "chat:m@http://a?k=1,http://b#2",
                "chat:m@http://a?…,http://b#2",
            ),
            ("chat:m@http://me:pw@a/x", "chat:m@http://…@a/x"),
            ("--fail-if", "--fail-if"),
            ("why?", "why?"),
        ] {
            assert_eq!(without_keys(given), kept);
        }
    }
}
