//! Portuguese, European and Brazilian: the verb tells the person, the predicate of "ser", "estar", "ficar" and
//! their like the gender.
//!
//! Imperfect, conditional and subjunctive fit "I" and "he, she" alike, as in Spanish. "A" is article, pronoun and
//! preposition; it counts as an article only before what can stand alone behind one ("sou a mais nova").

use super::Grammar;
use crate::first_person::romance::Romance;
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("pt", "Portuguese"),
    Folding::Elided,
    RULES,
    include_str!("../../../data/pt/words.txt"),
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
