//! MBE: the gender bias of masked language models in any language with a parallel corpus (Kaneko,
//! Imankulova, Bollegala & Okazaki, NAACL 2022).

pub mod extraction;
pub mod meta_evaluation;
pub mod score;
pub mod shuffled;
pub mod significance;
pub mod walk;
