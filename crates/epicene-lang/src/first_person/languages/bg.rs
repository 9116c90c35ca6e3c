//! Bulgarian: `съм` and `бих` with the l-participle or an adjective.
//!
//! The published list exists but no table uses it. Past tenses without an auxiliary show no
//! gender; the past copula `бях` does through its adjective.

use super::Grammar;
use crate::first_person::rules::{Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "bg",
    Folding::Plain,
    RULES,
    STRICT,
    (packed!("bg/words.txt"), &[packed!("bg/strict.txt")]),
);

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

const STRICT: &[Line] = &[
    Line::strict("head(съм)", Rule::auxiliary("съм")),
    Line::strict("head(бих)", Rule::auxiliary("бих")),
    Line::strict("head(бях)", Rule::auxiliary("бях")),
    Line::strict("head(бъда)", Rule::auxiliary("бъда")),
    Line::strict("pair(сам, сама)", Rule::own_pair("сам", "сама")),
    Line::strict(
        "pair(последен, последна)",
        Rule::own_pair("последен", "последна"),
    ),
    Line::strict("feeling", Rule::feeling(false)),
    Line::strict("adjunct", Rule::Adjunct),
    Line::strict("adjunct", Rule::Object),
];
