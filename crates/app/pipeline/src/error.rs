//! What can go wrong between a run directory and its results.

use epicene_bench::{BenchError, OptionError};
use epicene_run::RunError;

#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    #[error(transparent)]
    Run(#[from] RunError),

    #[error(transparent)]
    Bench(#[from] BenchError),

    #[error(transparent)]
    Option(#[from] OptionError),

    #[error("{run}: the run has no human labels to correct its numbers with")]
    NoLabels { run: String },

    #[error("--corrected: {labels} human labels correct no number of this run")]
    TooFewLabels { labels: usize },

    #[error("{run}: its links are to be made by {aligner}, and are not there yet")]
    NoLinks { run: String, aligner: String },

    #[error(
        "{file}: the run asked no question number {probe} about translations that could be linked"
    )]
    LinksOfNothing { file: String, probe: usize },

    #[error("unknown benchmark `{0}`")]
    UnknownBenchmark(String),

    #[error("{run}: the manifest has an option `{name}`, which {benchmark} does not know")]
    UnknownRecord {
        run: String,
        name: String,
        benchmark: &'static str,
    },

    #[error("{first} and {second} were not asked the same items: {difference}")]
    NotTheSame {
        first: String,
        second: String,
        difference: String,
        hint: String,
    },

    #[error("{system} was asked {asked} questions and gave {answered} answers")]
    WrongNumber {
        system: String,
        asked: usize,
        answered: usize,
    },
}

impl PipelineError {
    /// What to do next, in one line.
    pub fn hint(&self) -> Option<String> {
        match self {
            PipelineError::Run(error) => error.hint().map(str::to_owned),
            PipelineError::Bench(BenchError::Input(error)) => error.hint.clone(),
            PipelineError::Option(error) => error.hint.clone(),
            PipelineError::UnknownBenchmark(_) => {
                let known = epicene_bench::ALL.iter().map(|b| b.card().name);
                Some(format!(
                    "benchmarks: {}",
                    known.collect::<Vec<_>>().join(", ")
                ))
            }
            PipelineError::NoLabels { .. } => Some(
                "epicene audit sample RUN -o labels.csv draws a sample, epicene audit read RUN labels.csv reads it back"
                    .to_owned(),
            ),
            PipelineError::TooFewLabels { .. } => Some(format!(
                "a number needs at least {} labels of its system and unit; epicene audit plan says how many are worth giving",
                epicene_audit::LEAST_LABELS
            )),
            PipelineError::NoLinks { run, .. } => {
                Some(format!("epicene align --run {run} --encoder SPEC"))
            }
            PipelineError::LinksOfNothing { .. } => Some(
                "the manifest was changed; link the run again with `epicene align --run`".to_owned(),
            ),
            PipelineError::UnknownRecord { .. } => Some(
                "measure it with the version that made it: epicene report RUN --format json"
                    .to_owned(),
            ),
            PipelineError::NotTheSame { hint, .. } => Some(hint.clone()),
            _ => None,
        }
    }
}
