//! Nouns for persons: occupations, kinship, nations, religions, roles.
//!
//! `data/LANG/persons.txt` says which forms a noun has, of which gender and number, and which English
//! nouns it translates (docs/adding-an-occupation-language.md). A language without the file has fewer
//! words, not fewer rules.

#![allow(dead_code, reason = "the judge that reads these nouns follows")]

mod data_file;
mod lexicon;

pub use data_file::LexiconFault;

/// Language codes with the text of their `persons.txt`, as found when the crate was built.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/persons.rs"));

/// The text of a language's `persons.txt`.
pub(crate) fn file(code: &str) -> Option<&'static str> {
    let found = FILES.iter().find(|(known, _)| *known == code);
    found.map(|(_, text)| *text)
}
