//! Reference data of WiBeMT and WinoMT.
#![allow(dead_code, clippy::print_stdout)]

use std::io::Read;
use std::path::{Path, PathBuf};

use epicene_core::TextFile;

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
