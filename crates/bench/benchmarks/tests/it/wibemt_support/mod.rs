//! Reference data of WiBeMT and WinoMT.

use std::io::Read;
use std::path::Path;

use epicene_core::TextFile;

pub use crate::shared_data::shared;

/// The text of a file, gzip or not.
pub fn unpacked(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        flate2::read::MultiGzDecoder::new(bytes.as_slice())
            .read_to_string(&mut text)
            .unwrap()
    } else {
        bytes.as_slice().read_to_string(&mut text).unwrap()
    };
    text
}

pub fn text_file(path: &Path) -> TextFile {
    TextFile {
        path: path.display().to_string(),
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        sha256: String::new(),
        text: unpacked(path),
    }
}
