//! The reference data beside the project (or in `EPICENE_SHARED`).

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::MultiGzDecoder;

pub use crate::shared_data::shared;

/// The lines of a gzip file.
pub fn lines(path: &Path) -> Vec<String> {
    let file = MultiGzDecoder::new(File::open(path).unwrap());
    BufReader::new(file).lines().map(Result::unwrap).collect()
}
