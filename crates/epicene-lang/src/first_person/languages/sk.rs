//! Slovak: `som` with the l-participle (`robila som`) or with an adjective (`som smutná`).
//!
//! The conditional is `by som`, `keby som`, `aby som`, so one auxiliary covers nearly everything.
//! `byť` is not tied to the first person in the published list.

use super::Grammar;
use crate::first_person::rules::{Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "sk",
    Folding::Plain,
    RULES,
    STRICT,
    (packed!("sk/words.txt"), &[packed!("sk/strict.txt")]),
);

const RULES: &[Line] = &[
    Line::published("head(som)", Rule::auxiliary("som")),
    Line::published("head(byť)", Rule::will_be("byť", false)),
    Line::published("head(budem)", Rule::will_be("budem", false)),
    Line::published("pair(rád, rada)", Rule::pair("rád", "rada")),
    Line::published("pair(nerád, nerada)", Rule::pair("nerád", "nerada")),
    Line::published("pair(sám, sama)", Rule::pair("sám", "sama")),
    Line::published(
        "sibling(som, bol, bola)",
        Rule::sibling("som", "bol", "bola"),
    ),
    Line::extended(
        "sibling(som, nebol, nebola)",
        Rule::sibling("som", "nebol", "nebola"),
    ),
    Line::extended("feeling", Rule::feeling(false)),
];

const STRICT: &[Line] = &[
    Line::strict("head(som)", Rule::auxiliary("som")),
    Line::strict("head(byť)", Rule::to_be("byť", false)),
    Line::strict("head(budem)", Rule::will_be("budem", false)),
    Line::strict("pair(rád, rada)", Rule::own_pair("rád", "rada")),
    Line::strict("pair(nerád, nerada)", Rule::own_pair("nerád", "nerada")),
    Line::strict("pair(sám, sama)", Rule::own_pair("sám", "sama")),
    Line::strict("head(nebudem)", Rule::will_be("nebudem", false)),
    Line::strict("feeling", Rule::feeling(false)),
    Line::strict("adjunct", Rule::Adjunct),
];
