//! Spanish: the verb tells the person, the predicate of "ser", "estar" and their like the gender.
//!
//! Imperfect, conditional and subjunctive fit "I" and "he, she" alike ("estaba cansada"); they count only
//! where the sentence says "I" elsewhere and nobody else is its subject.

use super::Grammar;
use crate::first_person::romance::Romance;
use crate::first_person::rules::{Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("es", "Spanish"),
    Folding::Elided,
    RULES,
    include_str!("../../../data/es/words.txt"),
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
