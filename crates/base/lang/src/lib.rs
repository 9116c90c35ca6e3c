//! Human languages: tokens, CoNLL-U, and which grammatical gender a text gives to a person.
//!
//! Knows nothing of models or benchmarks: text (or a parse) goes in, a [`Verdict`] with its
//! evidence comes out, so that every number can be traced to the words that decided it.

#[macro_use]
mod packed;

pub mod accuracy;
pub mod align;
pub mod conllu;
pub mod english;
pub mod first_person;
mod house;
pub mod identify;
pub mod inclusive;
mod inclusive_english;
pub mod letters;
pub mod occupation;
pub mod pairing;
pub mod person;
mod word_hash;
pub mod words;

pub use epicene_core::{Gender, Verdict};
pub use inclusive_english::english_pairs;
