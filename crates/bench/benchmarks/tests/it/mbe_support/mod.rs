//! What the tests of MBE share.

use std::path::Path;

use epicene_core::TextFile;
use serde_json::Value;

pub use crate::shared_data::shared;

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
