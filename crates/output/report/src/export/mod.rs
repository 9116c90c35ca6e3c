//! Results in the layouts of other tools: Every Eval Ever, Hugging Face, lm-evaluation-harness. Other tools know "higher is
//! better" and "lower is better" alone, so a metric whose ideal value lies between its bounds leaves as its distance from
//! that value. Exporters make texts; nothing is written or sent here.

mod eee;
mod hub;
mod json;
mod lm_eval;
mod model;
mod model_index;
mod stored;
mod yaml;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::str::FromStr;

use sha2::{Digest, Sha256};

pub use stored::{Sample, StoredRow, StoredRun, When};

/// A layout of another tool.
pub trait Interchange {
    /// The files of one run.
    fn files(&self, run: &StoredRun, settings: &Settings) -> Result<Exported, ExportError>;
}

/// The layouts by their command-line names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Eee,
    Hf,
    ModelIndex,
    LmEval,
}

impl Layout {
    pub const NAMES: [&'static str; 4] = ["eee", "hf", "model-index", "lm-eval"];

    pub fn exporter(self) -> &'static dyn Interchange {
        match self {
            Layout::Eee => &eee::EveryEvalEver,
            Layout::Hf => &hub::EvalResults,
            Layout::ModelIndex => &model_index::ModelIndex,
            Layout::LmEval => &lm_eval::Harness,
        }
    }
}

impl FromStr for Layout {
    type Err = String;

    fn from_str(given: &str) -> Result<Layout, String> {
        match given {
            "eee" => Ok(Layout::Eee),
            "hf" => Ok(Layout::Hf),
            "model-index" => Ok(Layout::ModelIndex),
            "lm-eval" => Ok(Layout::LmEval),
            _ => Err(format!("`{given}` is none of {}", Layout::NAMES.join(", "))),
        }
    }
}

/// What a run does not say of itself.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub organization: Option<String>,
    pub relationship: Option<String>,
    /// `ORG/NAME` by the name of the system.
    pub model_ids: BTreeMap<String, String>,
    /// Rows without an ideal value as well.
    pub all: bool,
    /// The values of target metrics beside their distances.
    pub raw: bool,
    /// This metric, this unit alone.
    pub metric: Option<String>,
    pub unit: Option<String>,
    /// The benchmark on Hugging Face and its task.
    pub dataset: Option<String>,
    pub task: Option<String>,
    /// Where the report is published.
    pub report_url: Option<String>,
    /// When the record is made.
    pub now: Option<When>,
    /// When the evaluation was made, if the command says so.
    pub date: Option<When>,
    /// Index of the run among those exported together, for names that are times.
    pub index: usize,
}

impl Settings {
    /// When the evaluation was made: as the command says, else as the run recorded.
    fn evaluated<'a>(&'a self, run: &'a StoredRun) -> Option<&'a When> {
        self.date.as_ref().or(run.finished.as_ref())
    }

    /// An option that this layout cannot do without.
    fn needed<'a>(
        &self,
        value: &'a Option<String>,
        what: &str,
        option: &str,
    ) -> Result<&'a str, ExportError> {
        match value.as_deref().map(str::trim) {
            Some(value) if !value.is_empty() => Ok(value),
            _ => Err(ExportError::new(
                format!("{what} is not known"),
                format!("pass {option}"),
            )),
        }
    }
}

/// The files of an export, and what they leave out.
#[derive(Debug, Clone, Default)]
pub struct Exported {
    pub files: Vec<ExportedFile>,
    pub left_out: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedFile {
    /// Below the directory of the export, with `/`.
    pub path: String,
    pub text: String,
}

/// Why a run cannot be exported, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExportError {
    pub message: String,
    pub hint: Option<String>,
}

impl ExportError {
    fn new(message: impl Into<String>, hint: impl Into<String>) -> ExportError {
        ExportError {
            message: message.into(),
            hint: Some(hint.into()),
        }
    }

    /// A run in which no system is a model.
    fn only_baselines(run: &StoredRun) -> ExportError {
        ExportError::new(
            format!(
                "nothing to export: {} measured baselines alone",
                run.benchmark
            ),
            "measure a model or a translator",
        )
    }
}

/// SHA-256 as hexadecimal digits.
fn sha256(text: &str) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// Letters and digits of ASCII, everything between them as one `-`.
fn slug(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-")
}

/// A value with its ideal in the form that Python's `%g` has.
fn short_number(value: f64) -> String {
    format!("{value}")
}
