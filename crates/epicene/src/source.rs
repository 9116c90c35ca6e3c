//! Reads a file from outside: plain, gzip or zstd, told by its first bytes and not by its name.

use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;

use epicene_bench::mbe::extraction::{Input, Packing};
use epicene_core::{InputError, TextFile};
use epicene_run::sha256_hex;

pub fn read(path: &Path) -> Result<TextFile, InputError> {
    let shown = path.display().to_string();
    let packed = fs::read(path).map_err(|error| InputError::new(&shown, error.to_string()))?;
    let name = path
        .file_name()
        .map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
    from_bytes(&shown, &name, packed)
}

/// What was read already, unpacked and checked.
pub fn from_bytes(shown: &str, name: &str, packed: Vec<u8>) -> Result<TextFile, InputError> {
    let sha256 = sha256_hex(&packed);
    let mut input = Input::new(shown.to_owned(), Cursor::new(packed))?;
    let mut bytes = Vec::new();
    input.reader.read_to_end(&mut bytes).map_err(|error| {
        let what = match input.packing {
            Packing::Plain => error.to_string(),
            packing => format!("broken {} file: {error}", packing.name()),
        };
        InputError::new(shown, what).with_hint("the file may be truncated; fetch it again")
    })?;
    let text = InputError::utf8(shown, &bytes)?;
    // Spreadsheets like to put a byte order mark in front.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).to_owned();
    if text.trim().is_empty() {
        return Err(InputError::new(shown, "the file is empty"));
    }
    Ok(TextFile {
        path: shown.to_owned(),
        name: name.to_owned(),
        sha256,
        text,
    })
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
