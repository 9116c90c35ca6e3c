//! Spanish: the verb tells the person, the predicate of "ser", "estar" and their like the gender.
//!
//! Imperfect, conditional and subjunctive fit "I" and "he, she" alike ("estaba cansada"); they count only
//! where the sentence says "I" elsewhere and nobody else is its subject.

use super::Grammar;
use crate::first_person::romance::Romance;
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("es", "Spanish"),
    Folding::Elided,
    RULES,
    include_str!("../../../data/es/words.txt"),
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
