//! Galician: the verb tells the person, the predicate of "ser", "estar", "quedar" and their like the gender.
//!
//! Clitics are written with the verb ("síntome", "deixoume"). "Son" is also "they are", but what they are stands in
//! the plural; imperfect and conditional fit "I" and "he, she" alike, as in Spanish.

use super::Grammar;
use crate::first_person::romance::Romance;
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("gl", "Galician"),
    Folding::Elided,
    RULES,
    include_str!("../../../data/gl/words.txt"),
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
