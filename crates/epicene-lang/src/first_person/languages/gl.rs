//! Galician: the verb tells the person, the predicate of "ser", "estar", "quedar" and their like the gender.
//!
//! Clitics are written with the verb ("síntome", "deixoume"). "Son" is also "they are", but what they are stands in
//! the plural; imperfect and conditional fit "I" and "he, she" alike, as in Spanish.

use super::Grammar;
use crate::first_person::romance::Romance;
use crate::first_person::rules::{Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("gl", "Galician"),
    Folding::Elided,
    RULES,
    include_str!("../../../data/gl/words.txt"),
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
