//! The reference data beside the project (or in `EPICENE_SHARED`), for the tests and examples of all crates.

use std::path::{Path, PathBuf};

/// The folder of the data, there or not.
pub fn data() -> PathBuf {
    let root = std::env::var_os("EPICENE_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared"),
        PathBuf::from,
    );
    root.join("data")
}

/// A part of the data. Without it a test skips, except in CI, where its absence is a failure.
#[allow(clippy::print_stdout)]
pub fn shared(part: &str) -> Option<PathBuf> {
    let path = data().join(part);
    if path.exists() {
        return Some(path);
    }
    let missing = format!("{} is not there", path.display());
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{missing}");
    println!("skipped: {missing}; set EPICENE_SHARED to run this test");
    None
}
