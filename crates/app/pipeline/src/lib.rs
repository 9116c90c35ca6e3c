//! What runs between the rooms: questions go to systems, answers to a log, the log becomes a table, the table verdicts,
//! the verdicts numbers with a signature. Callable without the command line: it knows no arguments, no progress bar, no
//! model and no network.

mod asking;
mod audit;
mod comparable;
mod comparing;
mod corrected;
mod error;
pub mod exchange;
mod family;
mod labelled;
mod loading;
mod measuring;
mod places;
pub mod power;
mod score_warnings;
mod signing;
mod telling;
mod unread;
mod words;

pub use asking::{Event, answer_all, ask};
pub use audit::{AnswerIndex, DEFAULT_STRATA, Wanted};
pub use comparing::{Compared, Pairs, compare, compare_pairs};
pub use corrected::{AuditedColumn, CORRECTED, JUDGED, others};
pub use error::PipelineError;
pub use family::correct as correct_family;
pub use loading::{load, options};
pub use measuring::{JudgedRun, Undecided};
pub use signing::is_of_all_items;
pub use telling::{Telling, Told};

use epicene_bench::Benchmark;

/// A benchmark by its name, or which there are.
pub fn benchmark(name: &str) -> Result<&'static dyn Benchmark, PipelineError> {
    epicene_bench::find(name).ok_or_else(|| PipelineError::UnknownBenchmark(name.to_owned()))
}
