//! Macedonian: `сум`, `бев`, `бидам` with an adjective or the л-form, `би` with the л-form after `јас`.
//!
//! The everyday past (aorist, imperfect, `имам` with a neuter participle) shows no gender. Nouns for
//! trades are used of women in the masculine, so only nouns that always show a gender count.

use super::Grammar;
use crate::first_person::agreement::{Agreement, Counted};
use crate::first_person::rules::{Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar =
    Grammar::strict("mk", Folding::Plain, STRICT, packed!("mk/words.txt"));

const STRICT: &[Line] = &[
    Line::agreement("complement", Agreement::Complement(Counted::Forms)),
    Line::agreement("alone", Agreement::Alone),
    Line::agreement("noun", Agreement::Complement(Counted::Persons)),
    Line::strict("adjunct", Rule::Adjunct),
];
