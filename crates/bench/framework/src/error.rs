//! Why a log could not be measured: one type, so that all benchmarks refuse in the same words.

use epicene_core::{InputError, Unit};
use epicene_stats::StatsError;

#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error(transparent)]
    Input(#[from] InputError),

    #[error("cannot measure: {0}")]
    Stats(#[from] StatsError),

    #[error("item {item} cannot be measured: {message}")]
    BadItem { item: String, message: String },

    #[error("the benchmark has no use for the answer to {unit}")]
    WrongAnswer { unit: Unit },

    #[error("cannot measure: {0}")]
    NotMeasurable(String),

    #[error("there is nothing to measure: the log holds no answer")]
    NothingToMeasure,

    #[error("{first} and {second} cannot be compared: {message}")]
    Incomparable {
        first: String,
        second: String,
        message: String,
    },
}

impl BenchError {
    /// Whether two systems have nothing to be compared by; other pairs of them may.
    pub fn is_about_a_pair(&self) -> bool {
        matches!(self, BenchError::Incomparable { .. })
    }
}
