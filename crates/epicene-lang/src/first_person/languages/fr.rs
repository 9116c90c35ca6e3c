//! French: the subject pronoun tells the person; predicates of "être" and its like, participles of tenses
//! made with "être", and participles behind a direct "me" ("ils m'ont choisie") tell the gender.
//!
//! "Je me suis dit", "on m'a demandé": where "me" is a dative the participle agrees with nothing, so such verbs are
//! listed and say nothing in either form. Many adjectives are written alike (timide, calme, capable).

use super::Grammar;
use crate::first_person::romance::Romance;
use crate::first_person::rules::{Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("fr", "French"),
    Folding::Elided,
    RULES,
    include_str!("../../../data/fr/words.txt"),
);

const RULES: &[Line] = &[
    Line::strict("predicate", Rule::Romance(Romance::Predicate)),
    Line::strict("article", Rule::Romance(Romance::Article)),
    Line::strict("noun", Rule::Romance(Romance::Noun)),
    Line::strict("alone", Rule::Romance(Romance::Alone)),
    Line::strict("aside", Rule::Romance(Romance::Aside)),
];
