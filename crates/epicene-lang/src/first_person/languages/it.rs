//! Italian: the verb tells the person; the predicate of "essere" and every participle of a tense made
//! with it ("sono andata", "mi sono alzato") tell the gender.
//!
//! "Sono" is also "they are", but what they are stands in the plural.

use super::Grammar;
use crate::first_person::romance::Romance;
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("it", "Italian"),
    Folding::Elided,
    RULES,
    include_str!("../../../data/it/words.txt"),
);

const RULES: &[Line] = &[
    Line::romance("predicate", Romance::Predicate),
    Line::romance("article", Romance::Article),
    Line::romance("noun", Romance::Noun),
    Line::romance("myself", Romance::Myself),
    Line::romance("alone", Romance::Alone),
    Line::romance("aside", Romance::Aside),
];
