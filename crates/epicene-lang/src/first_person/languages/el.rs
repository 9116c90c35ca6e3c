//! Greek: every finite verb tells its person, the predicate of "είμαι" and its like the gender.
//!
//! There is no infinitive, and no tense is made with a participle that agrees; a predicate of "με", in the
//! accusative, has -ο for a man and -η for a woman.

use super::Grammar;
use crate::first_person::romance::Romance;
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("el", "Greek"),
    Folding::Elided,
    RULES,
    include_str!("../../../data/el/words.txt"),
);

const RULES: &[Line] = &[
    Line::romance("predicate", Romance::Predicate),
    Line::romance("article", Romance::Article),
    Line::romance("noun", Romance::Noun),
    Line::romance("myself", Romance::Myself),
    Line::romance("alone", Romance::Alone),
    Line::romance("aside", Romance::Aside),
];
