//! WiBeMT: what verbs and adjectives do to the gender a translator gives an occupation.
//!
//! Troles & Schmid: "Extending Challenge Sets to Uncover Gender Bias in Machine Translation: Impact of Stereotypical
//! Verbs and Adjectives" (WMT 2021). 4,158 verb sentences and WinoBias extended with adjectives to 66,528, translated
//! into German.

pub mod base;
mod benchmark;
pub mod challenge;
mod clustered;
mod compare;
mod counts;
mod data;
mod formulas;
pub mod german;
pub mod label;
pub mod measures;
mod metrics;
pub mod occupations;
mod other_languages;
pub mod published;
mod sentences;
mod views;

pub use benchmark::Wibemt;
pub use counts::Counts;
