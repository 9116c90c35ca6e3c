//! Arabic: adjectives, participles and nouns agree with أنا; verbs of the first person show no gender.
//!
//! "كنت" is "I was" and "you were", "أصبحت" also "she became": the first counts unless a question or
//! another subject stands there, the second only behind a pronoun of the first person.

use super::Grammar;
use crate::first_person::agreement::{Agreement, Counted};
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("ar", "Arabic"),
    Folding::Arabic,
    STRICT,
    include_str!("../../../data/ar/words.txt"),
);

const STRICT: &[Line] = &[
    Line::agreement("complement", Agreement::Complement(Counted::Forms)),
    Line::agreement("noun", Agreement::Complement(Counted::Persons)),
];
