//! Hebrew: the present tense and adjectives agree with אני; past and future verbs show no gender.
//!
//! Text without vowel points. Conjunctions are written with the next word (שאני, ואני), so the data
//! file lists the forms of "I" with them. A participle of a root in ה is spelt alike in both genders.

use super::Grammar;
use crate::first_person::agreement::{Agreement, Counted};
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("he", "Hebrew"),
    Folding::Hebrew,
    STRICT,
    include_str!("../../../data/he/words.txt"),
);

const STRICT: &[Line] = &[
    Line::agreement("complement", Agreement::Complement(Counted::Forms)),
    Line::agreement("noun", Agreement::Complement(Counted::Persons)),
];
