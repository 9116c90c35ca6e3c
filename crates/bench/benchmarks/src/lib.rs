//! Benchmarks: what to ask, and what the answers mean. One file or folder each.
//!
//! A benchmark knows its data format, its questions, its judge and its measures; it knows no model, no server
//! and no run directory. To add one, write it and name it in [`ALL`].

pub mod bbq;
pub mod chat;
pub mod custom;
pub mod eurogest;
pub mod gate;
pub mod gest;
mod gest_chat;
mod gest_into_english;
mod into_english;
mod kept;
mod masked_pairs;
pub mod mbe;
mod mittens;
pub mod mtgeneval;
mod occupations_chat;
mod own_baselines;
pub mod published_tables;
pub mod sentence_pairs;
pub mod unambiguous;
pub mod wibemt;
pub mod winobias;
pub mod winogender;
mod winograd;
pub mod winomt;
mod wording;

pub use epicene_core::Ask;
pub use epicene_framework::*;
pub use mbe::meta_evaluation::MetaTable;
pub use published_tables::published_tables;

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
    &custom::Custom,
];

pub fn find(name: &str) -> Option<&'static dyn Benchmark> {
    let mut all = ALL.iter().copied();
    all.find(|benchmark| benchmark.card().name == name)
}

/// The cards of all benchmarks.
pub fn cards() -> impl Iterator<Item = &'static Card> {
    ALL.iter().map(|benchmark| benchmark.card())
}
