//! Slovak: `som` with the l-participle (`robila som`) or with an adjective (`som smutná`).
//!
//! The conditional is `by som`, `keby som`, `aby som`, so one auxiliary covers nearly everything.
//! `byť` is not tied to the first person in the published list.

use super::Grammar;
use crate::first_person::rules::{Rule, RuleEntry};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "sk",
    Folding::Plain,
    RULES,
    STRICT,
    (packed!("sk/words.txt"), &[packed!("sk/strict.txt")]),
);

const RULES: &[RuleEntry] = &[
    RuleEntry::published("head(som)", Rule::auxiliary("som")),
    RuleEntry::published("head(byť)", Rule::will_be("byť", false)),
    RuleEntry::published("head(budem)", Rule::will_be("budem", false)),
    RuleEntry::published("pair(rád, rada)", Rule::pair("rád", "rada")),
    RuleEntry::published("pair(nerád, nerada)", Rule::pair("nerád", "nerada")),
    RuleEntry::published("pair(sám, sama)", Rule::pair("sám", "sama")),
    RuleEntry::published(
        "sibling(som, bol, bola)",
        Rule::sibling("som", "bol", "bola"),
    ),
    RuleEntry::extended(
        "sibling(som, nebol, nebola)",
        Rule::sibling("som", "nebol", "nebola"),
    ),
    RuleEntry::extended("feeling", Rule::feeling(false)),
];

const STRICT: &[RuleEntry] = &[
    RuleEntry::strict("head(som)", Rule::auxiliary("som")),
    RuleEntry::strict("head(byť)", Rule::to_be("byť", false)),
    RuleEntry::strict("head(budem)", Rule::will_be("budem", false)),
    RuleEntry::strict("pair(rád, rada)", Rule::own_pair("rád", "rada")),
    RuleEntry::strict("pair(nerád, nerada)", Rule::own_pair("nerád", "nerada")),
    RuleEntry::strict("pair(sám, sama)", Rule::own_pair("sám", "sama")),
    RuleEntry::strict("head(nebudem)", Rule::will_be("nebudem", false)),
    RuleEntry::strict("feeling", Rule::feeling(false)),
    RuleEntry::strict("adjunct", Rule::Adjunct),
];
