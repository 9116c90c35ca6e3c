//! Reference data beside the project, plain or packed.
#![allow(dead_code)]

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use epicene_core::TextFile;
use epicene_io::input;
use serde_json::Value;

/// A folder of the shared data; without it tests are skipped with a line, in CI they fail.
pub fn shared(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("EPICENE_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let folder = root.join("data").join(name);
    if folder.exists() {
        return Some(folder);
    }
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "{} is missing",
        folder.display()
    );
    println!("skipped: {} is not here", folder.display());
    None
}

/// A text file, unpacked as the program does.
pub fn read_text(path: &Path) -> TextFile {
    input::read_text(path).unwrap()
}

pub fn json(path: &Path) -> Value {
    serde_json::from_reader(BufReader::new(File::open(path).unwrap())).unwrap()
}
