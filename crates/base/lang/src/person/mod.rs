//! Which gender a translation gives to a person, whatever noun names them.
//!
//! `data/LANG/persons.txt` says which forms a noun has, of which gender and number, and which English
//! nouns it translates; `data/LANG/agreement.txt` which endings nouns for persons have and what the
//! words around them show (docs/adding-an-occupation-language.md). A language without these files
//! has fewer words, not other rules.

mod both_genders;
mod cells;
mod cognate;
mod context;
mod data_file;
mod endings;
pub(crate) mod english;
mod head;
mod judge;
mod lexicon;
mod links;
mod phrase;
mod rules_file;
mod sex;
mod view;

use crate::inclusive::Inclusive;
use crate::occupation::{Grammar, fold_into};
use crate::packed::Packed;

pub(crate) use cells::Cells;
pub use data_file::LexiconFault;
pub(crate) use english::English;
pub(crate) use judge::judge;
pub(crate) use lexicon::PersonLexicon;
pub use links::PersonPair;
pub(crate) use rules_file::Rules;
pub(crate) use view::View;

/// Language codes with `persons.txt` and `agreement.txt`, as found when the crate was built.
static PERSONS: &[(&str, Packed)] = include!(concat!(env!("OUT_DIR"), "/persons.rs"));
static AGREEMENT: &[(&str, Packed)] = include!(concat!(env!("OUT_DIR"), "/agreement.rs"));

/// Everything the judge knows of a language's persons.
#[derive(Debug, Default)]
pub(crate) struct PersonWords {
    pub(crate) rules: Rules,
    /// Those of a user before our own.
    pub(crate) lexicons: Vec<PersonLexicon>,
    pub(crate) inclusive: Option<Inclusive>,
}

/// The text of a language's file.
fn text(files: &[(&str, Packed)], code: &str) -> Option<String> {
    let found = files.iter().find(|(known, _)| *known == code);
    found.map(|(_, packed)| packed.text())
}

impl PersonWords {
    /// What the files of a language say; faults are left to the tests.
    pub(crate) fn embedded(grammar: &Grammar) -> PersonWords {
        let rules = text(AGREEMENT, grammar.code).map(|text| Rules::parse(&text, grammar).0);
        let lexicon =
            text(PERSONS, grammar.code).map(|text| PersonLexicon::parse(&text, grammar).0);
        let fold = |word: &str| {
            let mut folded = String::new();
            fold_into(word, grammar.fold, &mut folded);
            folded
        };
        PersonWords {
            inclusive: Inclusive::read(grammar.code, fold),
            rules: rules.unwrap_or_default(),
            lexicons: lexicon.into_iter().collect(),
        }
    }
}
