//! Reference data beside the project, plain or packed.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use epicene_core::TextFile;
use epicene_io::input;
use serde_json::Value;

pub use crate::shared_data::shared;

/// A text file, unpacked as the program does.
pub fn read_text(path: &Path) -> TextFile {
    input::read_text(path).unwrap()
}

pub fn json(path: &Path) -> Value {
    serde_json::from_reader(BufReader::new(File::open(path).unwrap())).unwrap()
}
