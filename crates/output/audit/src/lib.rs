//! Human audit of an automatic judge: a stratified sample with known probabilities is drawn, people label it in a
//! spreadsheet or in an offline form, their labels are checked line by line, and every mean, rate, difference or ratio of
//! verdicts is estimated anew from verdicts and labels together (prediction-powered inference, docs/audit.md).
//!
//! It knows no benchmark and no run: a population is a list of cells, a number is a combination of ratios of sums.

mod agreement;
mod choice;
mod design;
mod estimate;
mod form;
mod json_lines;
mod plan;
mod record;
mod sheet;
mod sheet_reader;
mod summary;

pub use agreement::{Agreement, agreement};
pub use choice::{Choice, Choices};
pub use design::{Design, DesignError, DrawnStratum, Strata};
pub use estimate::{
    CERTAIN, Cell, Corrected, Counts, EstimateError, LEAST_LABELS, Ratio, estimate,
};
pub use form::form;
pub use json_lines::{VerdictLine, VerdictLines};
pub use plan::{Needed, from_error, from_pilot};
pub use record::{LabelledCell, Record};
pub use sheet::{Header, Sheet, SheetRow, plain};
pub use sheet_reader::{LabelFile, label_files, named_labels};
pub use summary::{Confusion, Judgement, Lean, Summary, summarise};

/// Confidence of the intervals.
pub const LEVEL: f64 = 0.95;

/// How numbers were corrected, as signatures say it.
pub const ESTIMATOR: &str = "ppi++-stratified-t";
