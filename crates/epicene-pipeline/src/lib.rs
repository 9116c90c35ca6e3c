//! What runs between the rooms: questions go to systems, answers to a log, the log becomes a table, the table verdicts,
//! the verdicts numbers with a signature. Callable without the command line: it knows no arguments, no progress bar, no
//! model and no network.

#![deny(clippy::match_bool)]

mod asking;
mod audit;
mod corrected;
mod error;
mod loading;
mod measuring;
mod signing;
mod words;

pub use asking::{Event, ask};
pub use audit::{DEFAULT_STRATA, Place, Wanted};
pub use corrected::{AuditedColumn, CORRECTED, JUDGED, others};
pub use error::PipelineError;
pub use loading::{load, options};
pub use measuring::{Compared, JudgedRun, Undecided, compare};

use epicene_bench::Benchmark;

/// A benchmark by its name, or which there are.
pub fn benchmark(name: &str) -> Result<&'static dyn Benchmark, PipelineError> {
    epicene_bench::find(name).ok_or_else(|| PipelineError::UnknownBenchmark(name.to_owned()))
}
