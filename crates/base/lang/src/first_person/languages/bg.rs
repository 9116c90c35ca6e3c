//! Bulgarian: `съм` and `бих` with the l-participle or an adjective.
//!
//! The published list exists but no table uses it. Past tenses without an auxiliary show no
//! gender; the past copula `бях` does through its adjective.

use super::Grammar;
use crate::first_person::rules::{Rule, RuleEntry};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "bg",
    Folding::Plain,
    RULES,
    STRICT,
    (packed!("bg/words.txt"), &[packed!("bg/strict.txt")]),
);

const RULES: &[RuleEntry] = &[
    RuleEntry::published("head(съм)", Rule::auxiliary("съм")),
    RuleEntry::published("head(бих)", Rule::auxiliary("бих")),
    RuleEntry::extended(
        "sibling(съм, бил, била)",
        Rule::sibling("съм", "бил", "била"),
    ),
    RuleEntry::extended(
        "sibling(бих, бил, била)",
        Rule::sibling("бих", "бил", "била"),
    ),
    RuleEntry::extended("head(бях)", Rule::auxiliary("бях")),
    RuleEntry::extended("head(бъда)", Rule::auxiliary("бъда")),
    RuleEntry::extended("pair(сам, сама)", Rule::own_pair("сам", "сама")),
    RuleEntry::extended("feeling", Rule::feeling(false)),
];

const STRICT: &[RuleEntry] = &[
    RuleEntry::strict("head(съм)", Rule::auxiliary("съм")),
    RuleEntry::strict("head(бих)", Rule::auxiliary("бих")),
    RuleEntry::strict("head(бях)", Rule::auxiliary("бях")),
    RuleEntry::strict("head(бъда)", Rule::auxiliary("бъда")),
    RuleEntry::strict("pair(сам, сама)", Rule::own_pair("сам", "сама")),
    RuleEntry::strict(
        "pair(последен, последна)",
        Rule::own_pair("последен", "последна"),
    ),
    RuleEntry::strict("feeling", Rule::feeling(false)),
    RuleEntry::strict("adjunct", Rule::Adjunct),
    RuleEntry::strict("adjunct", Rule::Object),
];
