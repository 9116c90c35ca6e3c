//! Files from outside, as commands read them: plain, gzip or zstd, within limits, and known to
//! `outputs`, which never lets one be overwritten.

use std::io::{self, IsTerminal};
use std::path::Path;

use epicene_core::{InputError, TextFile};
use epicene_io::{Input, input, sha256_hex};

use crate::{activity, host, outputs};

const STANDARD_INPUT: &str = "(standard input)";

/// A whole file.
pub fn read(path: &Path) -> Result<TextFile, InputError> {
    outputs::note_input(path)?;
    input::read_text(path)
}

/// All of standard input.
pub fn read_standard_input() -> Result<TextFile, InputError> {
    if let Some(host) = host::current() {
        return input::read_text_from(STANDARD_INPUT, "stdin", host.take_input());
    }
    outputs::note_input(Path::new("/dev/stdin"))?;
    leave_terminal_to_typing();
    input::read_text_from(STANDARD_INPUT, "stdin", io::stdin().lock())
}

/// A file to be read piece by piece.
pub fn open(path: &Path) -> Result<Input, InputError> {
    outputs::note_input(path)?;
    Input::open(path)
}

/// A file, or standard input where none is named.
pub fn open_or_standard_input(path: Option<&Path>) -> Result<Input, InputError> {
    match path {
        Some(path) => open(path),
        None => {
            if let Some(host) = host::current() {
                return Input::new(STANDARD_INPUT.to_owned(), host.take_input());
            }
            outputs::note_input(Path::new("/dev/stdin"))?;
            leave_terminal_to_typing();
            Input::new(STANDARD_INPUT.to_owned(), io::stdin())
        }
    }
}

/// A person who types needs no line that says that the command waits for them.
fn leave_terminal_to_typing() {
    if io::stdin().is_terminal() {
        activity::stop();
    }
}

/// A file that is part of this program.
pub fn embedded(name: &str, text: &str) -> TextFile {
    TextFile {
        path: format!("(embedded) {name}"),
        name: name.to_owned(),
        sha256: sha256_hex(text.as_bytes()),
        text: text.to_owned(),
    }
}
