//! MBE: the gender bias of masked language models in any language with a parallel corpus (Kaneko,
//! Imankulova, Bollegala & Okazaki, "Gender Bias in Masked Language Models for Multiple Languages",
//! NAACL 2022).
//!
//! An English word list splits a parallel corpus into sentences about women and about men
//! ([`extraction`]); a model gives their translations a likelihood and an embedding; the score says how
//! often a male sentence is likelier than a female one ([`score`], [`walk`]).

mod benchmark;
mod clustered;
mod compare;
pub mod extraction;
mod measures;
pub mod meta_evaluation;
pub mod name_replacement;
mod options;
mod parallel;
mod phrases;
pub mod preservation;
pub mod published;
pub mod score;
mod sets;
pub mod shuffled;
pub mod significance;
pub mod templates;
pub mod walk;

pub use benchmark::Mbe;
pub use sets::HEADER;
