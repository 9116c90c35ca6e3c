//! What a run says of itself without its items and answers: the manifest, the stored measures, the times. An archive may hold
//! nothing else.

use std::path::Path;

use epicene_io::limits::LARGEST_TEXT;
use epicene_io::regular;

use crate::directory::{MEASURES, log_files, read_manifest};
use crate::{Manifest, RunError, Times};

/// The summary of a run.
#[derive(Debug)]
pub struct RunSummary {
    pub manifest: Manifest,
    /// The text of `measures.json`; absent where a run was never measured.
    pub measures: Option<String>,
    /// Absent in runs of versions that did not record them.
    pub times: Option<Times>,
    /// Whether the answers are there as well.
    pub has_answers: bool,
}

impl RunSummary {
    pub fn read(path: &Path) -> Result<RunSummary, RunError> {
        let manifest = read_manifest(path)?.ok_or_else(|| RunError::NotARun {
            path: path.to_owned(),
        })?;
        let stored = path.join(MEASURES);
        let measures = match regular::read_to_string(&stored, LARGEST_TEXT) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(RunError::io(stored)(error)),
        };
        Ok(RunSummary {
            manifest,
            measures,
            times: Times::read(path)?,
            has_answers: !log_files(path)?.is_empty(),
        })
    }
}
