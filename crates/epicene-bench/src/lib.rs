//! Benchmarks: what to ask, and what the answers mean. One file or folder each.
//!
//! A benchmark knows its data format, its questions, its judge and its measures; it knows no model, no server
//! and no run directory. To add one, write it and name it in [`ALL`].

pub mod bbq;
mod benchmark;
mod card;
pub mod chat;
mod contrasts;
mod convention;
mod csv_input;
mod decisions;
mod error;
mod estimate;
pub mod eurogest;
mod fixed_gender;
pub mod formula;
pub mod gate;
pub mod gest;
mod gest_chat;
mod gest_into_english;
mod inputs;
mod into_english;
mod judging;
mod kept;
mod labelled;
mod masked_pairs;
pub mod mbe;
pub mod mcnemar;
mod mittens;
pub mod mtgeneval;
mod occupations_chat;
pub mod options;
mod person_lexicon;
mod places;
pub mod published_tables;
mod python;
pub mod quality;
mod rows;
mod sampling;
mod score_checks;
mod score_file;
pub mod sentence_pairs;
pub mod spoiled;
pub mod text_warnings;
pub mod translation_checks;
pub mod translation_columns;
pub mod translations;
pub mod unambiguous;
mod visible;
pub mod wibemt;
pub mod winobias;
pub mod winogender;
mod winograd;
pub mod winomt;

pub use benchmark::{AnswerFile, AnswerSheet, Benchmark, Compared, MadeData, Sheets};
pub use card::{Card, CheckInputs, ChooseFiles, Instead};
pub(crate) use contrasts::Contrasts;
pub use contrasts::Tested;
pub use epicene_core::Ask;
pub use error::BenchError;
pub use estimate::{Estimate, Scale};
pub use formula::{AuditLabel, Formula};
pub use inputs::{AskedColumn, Asking, By, CheckInput, InputSpec, OfRun};
pub use judging::{
    ColumnView, How, Judged, Measured, Verdicts, compare, join_hows, judge, unused_decisions,
};
pub use mbe::meta_evaluation::MetaTable;
pub use options::{
    Choice, Declared, EncoderLinks, Given, OptionError, Options, Spec, Stage, Values,
};
pub use published_tables::published_tables;
pub(crate) use rows::RowWriter;
pub use sampling::{Clusters, Drawn, Sampling};
pub use score_file::names_items;

/// Every benchmark this build knows.
pub static ALL: &[&dyn Benchmark] = &[
    &gest::Gest,
    &gest::pairs::GestPairs,
    &gest_chat::GestChat,
    &occupations_chat::OccupationsChat,
    &winobias::Winobias,
    &winobias::WinobiasMeans,
    &mbe::Mbe,
    &sentence_pairs::CrowsPairs,
    &sentence_pairs::StereoSet,
    &unambiguous::Unambiguous,
    &wibemt::Wibemt,
    &winomt::Winomt,
    &eurogest::Eurogest,
    &mtgeneval::MtGenEval,
    &gate::Gate,
    &mittens::Mittens,
    &into_english::IntoEnglish,
    &gest_into_english::GestIntoEnglish,
    &bbq::Bbq,
    &winogender::Winogender,
];

pub fn find(name: &str) -> Option<&'static dyn Benchmark> {
    let mut all = ALL.iter().copied();
    all.find(|benchmark| benchmark.card().name == name)
}
