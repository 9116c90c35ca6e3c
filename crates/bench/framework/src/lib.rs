//! What every benchmark is made of: its card and options, how it asks, how answers become verdicts and verdicts rows.
//!
//! A benchmark implements [`Benchmark`]; the crate above holds them all. Nothing here knows one of them.

pub mod benchmark;
pub mod card;
pub mod contrasts;
pub mod convention;
pub mod csv_input;
pub mod decisions;
pub mod dialogue;
pub mod error;
pub mod estimate;
pub mod fixed_gender;
pub mod formula;
pub mod given_verdicts;
pub mod inputs;
pub mod judging;
pub mod labelled;
pub mod mcnemar;
pub mod options;
pub mod person_lexicon;
pub mod places;
pub mod python;
pub mod quality;
pub mod rows;
pub mod sampling;
pub mod score_checks;
pub mod score_file;
pub mod shared_work;
pub mod spoiled;
pub mod text_warnings;
pub mod translation_checks;
pub mod translation_columns;
pub mod translations;
pub mod visible;

pub use benchmark::{AnswerFile, AnswerSheet, Benchmark, Compared, MadeData, Sheets};
pub use card::{Card, CheckInputs, ChooseFiles, Instead};
pub use contrasts::Contrasts;
pub use contrasts::Tested;
pub use dialogue::Dialogue;
pub use epicene_core::Ask;
pub use error::BenchError;
pub use estimate::{Estimate, Scale};
pub use formula::{AuditLabel, Formula};
pub use inputs::{AskedColumn, Asking, By, CheckInput, InputSpec, OfRun};
pub use judging::{
    ColumnView, How, Judged, Measured, Verdicts, compare, join_hows, judge, unused_decisions,
};
pub use options::{
    Choice, Declared, EncoderLinks, Given, OptionError, Options, Spec, Stage, Values,
};
pub use rows::RowWriter;
pub use sampling::{Clusters, Drawn, Sampling};
pub use score_file::names_items;
pub use shared_work::SharedWork;
