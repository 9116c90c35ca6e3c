//! Catalan: the verb tells the person, the predicate of "ser", "estar" and their like the gender.
//!
//! The past is "vaig" with an infinitive ("vaig estar malalta"); imperfect and conditional fit "I" and "he,
//! she" alike and count only where the sentence says "I" elsewhere, or names nobody.

use super::Grammar;
use crate::first_person::romance::Romance;
use crate::first_person::rules::{Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("ca", "Catalan"),
    Folding::Elided,
    RULES,
    include_str!("../../../data/ca/words.txt"),
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
