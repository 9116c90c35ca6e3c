//! Romanian: the verb tells the person, the predicate of "a fi" and its like the gender.
//!
//! "Sunt" is also "they are", "eram" and "am fost" also "we were", but what they were stands in the plural. No tense
//! agrees with its subject ("am plecat"); names of professions are used in the masculine of women and say nothing.

use super::Grammar;
use crate::first_person::romance::Romance;
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("ro", "Romanian"),
    Folding::Elided,
    RULES,
    include_str!("../../../data/ro/words.txt"),
);

const RULES: &[Line] = &[
    Line::romance("predicate", Romance::Predicate),
    Line::romance("article", Romance::Article),
    Line::romance("noun", Romance::Noun),
    Line::romance("myself", Romance::Myself),
    Line::romance("alone", Romance::Alone),
    Line::romance("aside", Romance::Aside),
];
