//! WinoMT: does a translator give an occupation the gender its pronoun says?
//!
//! Stanovsky, Smith, Zettlemoyer: "Evaluating Gender Bias in Machine Translation" (ACL 2019). English sentences of WinoBias
//! and Winogender are translated, the translations word-aligned, and the gender of the word that stands for the
//! occupation is read off: by the authors' rules ([`published`]) or by the occupation judge of `epicene-lang`.

mod benchmark;
pub mod challenge;
mod clustered;
mod data;
mod formulas;
mod human;
mod judging;
mod measures;
mod metric_table;
pub mod metrics;
mod places;
mod prediction;
mod published;
mod rows;
mod views;

pub use benchmark::Winomt;
pub(crate) use data::is_female_stereotype;
pub use human::HumanLabels;
pub use prediction::{Gold, Prediction};
