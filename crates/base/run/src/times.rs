//! When a run was started and finished: `times.json`, beside the manifest, which says nothing that differs between two runs
//! of one command.

use std::fs;
use std::path::Path;

use epicene_io::{Moment, write_file};
use serde::{Deserialize, Serialize};

use crate::{RunError, sums};

pub(crate) const TIMES: &str = "times.json";

/// Moments as `2026-11-17T20:14:05Z`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    pub started: String,
    /// When the last question was answered; absent until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished: Option<String>,
}

impl Times {
    pub(crate) fn starting_now() -> Times {
        Times {
            started: Moment::now().time(),
            finished: None,
        }
    }

    /// Absent in runs of versions that wrote none.
    pub fn read(run: &Path) -> Result<Option<Times>, RunError> {
        let path = run.join(TIMES);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(RunError::io(path)(error)),
        };
        let bad = |message: String| RunError::BadLine {
            path: path.clone(),
            line: 1,
            message,
        };
        sums::check(&bytes).map_err(bad)?;
        let times = serde_json::from_slice(&bytes);
        times.map(Some).map_err(|error| bad(error.to_string()))
    }

    pub(crate) fn write(&self, run: &Path) -> Result<(), RunError> {
        let path = run.join(TIMES);
        let mut line =
            serde_json::to_vec(self).map_err(|error| RunError::io(&path)(error.into()))?;
        sums::seal(&mut line, 0);
        line.push(b'\n');
        write_file(&path, &line).map_err(RunError::io(&path))
    }

    /// Notes that the last question was answered, unless that was noted before.
    pub(crate) fn finish(run: &Path) -> Result<(), RunError> {
        match Times::read(run)? {
            Some(mut times) if times.finished.is_none() => {
                times.finished = Some(Moment::now().time());
                times.write(run)
            }
            _ => Ok(()),
        }
    }
}
