//! Gender of the noun that translates an occupation.
//!
//! The judge of the Unambiguous benchmark (spec section 5: gender of the aligned noun) and of
//! WinoMT's default judge. It needs no tagger: an occupation lexicon, the genders of other nouns,
//! endings, and the determiners and adjectives that agree with the noun. Every verdict names the
//! words that decided. Languages are added by a data file and a few lines
//! (docs/adding-an-occupation-language.md).

pub(crate) mod both_forms;
mod data_file;
mod finding;
mod gender;
mod judge;
mod languages;
mod lexicon;
mod phrase;
mod predicate;
mod published;
mod sentence;
mod token;

pub use both_forms::is_written_on;
pub(crate) use data_file::alternatives;
pub(crate) use finding::{BOTH_FORMS, Finding, INCLUSIVE, NOT_ALIGNED};
pub(crate) use gender::{Genders, NounGender};
pub use judge::{JudgeMode, OccupationJudge};
#[cfg(test)]
pub(crate) use languages::ALL as LANGUAGES;
pub(crate) use languages::Grammar;
pub(crate) use lexicon::{Role, fold_into};
pub(crate) use sentence::Sentence;
pub use token::Token;
