//! French: the subject pronoun tells the person; predicates of "être" and its like, participles of tenses
//! made with "être", and participles behind a direct "me" ("ils m'ont choisie") tell the gender.
//!
//! "Je me suis dit", "on m'a demandé": where "me" is a dative the participle agrees with nothing, so such verbs are
//! listed and say nothing in either form. Many adjectives are written alike (timide, calme, capable).

use super::Grammar;
use crate::first_person::romance::Romance;
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("fr", "French"),
    Folding::Elided,
    RULES,
    include_str!("../../../data/fr/words.txt"),
);

const RULES: &[Line] = &[
    Line::romance("predicate", Romance::Predicate),
    Line::romance("article", Romance::Article),
    Line::romance("noun", Romance::Noun),
    Line::romance("alone", Romance::Alone),
    Line::romance("aside", Romance::Aside),
];
