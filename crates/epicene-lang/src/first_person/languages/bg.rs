//! Bulgarian: `съм` and `бих` with the l-participle or an adjective.
//!
//! The published list exists but no table uses it. Past tenses without an auxiliary show no
//! gender; the past copula `бях` does through its adjective.

use std::sync::OnceLock;

use super::Grammar;
use crate::first_person::rules::{Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar {
    code: "bg",
    name: "Bulgarian",
    folding: Folding::Plain,
    rules: RULES,
    data: include_str!("../../../data/bg/words.txt"),
    read: OnceLock::new(),
};

const RULES: &[Line] = &[
    Line::published("head(съм)", Rule::auxiliary("съм")),
    Line::published("head(бих)", Rule::auxiliary("бих")),
    Line::extended(
        "sibling(съм, бил, била)",
        Rule::sibling("съм", "бил", "била"),
    ),
    Line::extended(
        "sibling(бих, бил, била)",
        Rule::sibling("бих", "бил", "била"),
    ),
    Line::extended("head(бях)", Rule::auxiliary("бях")),
    Line::extended("head(бъда)", Rule::auxiliary("бъда")),
    Line::extended("pair(сам, сама)", Rule::own_pair("сам", "сама")),
    Line::extended("feeling", Rule::feeling(false)),
];
