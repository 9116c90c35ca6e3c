//! Reads a file from outside: plain or gzip, told by its first bytes and not by its name.

use std::fs;
use std::io::Read;
use std::path::Path;

use epicene_core::{InputError, TextFile};
use epicene_run::sha256_hex;
use flate2::read::MultiGzDecoder;

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
    let bytes = if packed.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        MultiGzDecoder::new(packed.as_slice())
            .read_to_end(&mut unpacked)
            .map_err(|error| {
                InputError::new(shown, format!("broken gzip file: {error}"))
                    .with_hint("the file may be truncated; fetch it again")
            })?;
        unpacked
    } else {
        packed
    };
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
