//! Greek: every finite verb tells its person, the predicate of "είμαι" and its like the gender.
//!
//! There is no infinitive, and no tense is made with a participle that agrees; a predicate of "με", in the
//! accusative, has -ο for a man and -η for a woman.

use super::Grammar;
use crate::first_person::romance::Romance;
use crate::first_person::rules::{Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("el", "Greek"),
    Folding::Elided,
    RULES,
    include_str!("../../../data/el/words.txt"),
);

const RULES: &[Line] = &[
    Line::strict("predicate", Rule::Romance(Romance::Predicate)),
    Line::strict("open", Rule::Romance(Romance::Open)),
    Line::strict("article", Rule::Romance(Romance::Article)),
    Line::strict("noun", Rule::Romance(Romance::Noun)),
    Line::strict("myself", Rule::Romance(Romance::Myself)),
    Line::strict("alone", Rule::Romance(Romance::Alone)),
    Line::strict("aside", Rule::Romance(Romance::Aside)),
];
