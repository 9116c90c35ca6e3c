//! What the tests of MBE share.
#![allow(dead_code, clippy::print_stdout)]

use std::path::{Path, PathBuf};

use epicene_core::TextFile;
use serde_json::Value;

/// The reference data beside the project (or `EPICENE_SHARED`). Without it a test skips, except in
/// CI, where its absence is a failure.
pub fn shared(part: &str) -> Option<PathBuf> {
    let root = std::env::var_os("EPICENE_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join("data").join(part);
    if path.exists() {
        return Some(path);
    }
    let missing = format!("{} is not there", path.display());
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{missing}");
    println!("skipped: {missing}; set EPICENE_SHARED to run this test");
    None
}

pub fn json(part: &str) -> Option<Value> {
    let text = std::fs::read_to_string(shared(part)?).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}

pub fn text_file(path: &Path) -> TextFile {
    TextFile {
        path: path.display().to_string(),
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        sha256: String::new(),
        text: std::fs::read_to_string(path).unwrap(),
    }
}

pub fn file(name: &str, text: &str) -> TextFile {
    TextFile {
        path: name.to_owned(),
        name: name.to_owned(),
        sha256: String::new(),
        text: text.to_owned(),
    }
}

pub fn numbers(value: &Value) -> Vec<f64> {
    serde_json::from_value(value.clone()).unwrap()
}
