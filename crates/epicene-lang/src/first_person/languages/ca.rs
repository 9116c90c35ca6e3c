//! Catalan: the verb tells the person, the predicate of "ser", "estar" and their like the gender.
//!
//! The past is "vaig" with an infinitive ("vaig estar malalta"); imperfect and conditional fit "I" and "he,
//! she" alike and count only where the sentence says "I" elsewhere, or names nobody.

use super::Grammar;
use crate::first_person::romance::Romance;
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("ca", "Catalan"),
    Folding::Elided,
    RULES,
    include_str!("../../../data/ca/words.txt"),
);

const RULES: &[Line] = &[
    Line::romance("predicate", Romance::Predicate),
    Line::romance("open", Romance::Open),
    Line::romance("article", Romance::Article),
    Line::romance("noun", Romance::Noun),
    Line::romance("myself", Romance::Myself),
    Line::romance("alone", Romance::Alone),
    Line::romance("aside", Romance::Aside),
];
