//! Slovak: `som` with the l-participle (`robila som`) or with an adjective (`som smutná`).
//!
//! The conditional is `by som`, `keby som`, `aby som`, so one auxiliary covers nearly everything.
//! `byť` is not tied to the first person in the published list.

use std::sync::OnceLock;

use super::Grammar;
use crate::first_person::rules::{Copula, Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar {
    code: "sk",
    name: "Slovak",
    folding: Folding::Plain,
    rules: RULES,
    data: include_str!("../../../data/sk/words.txt"),
    read: OnceLock::new(),
};

const RULES: &[Line] = &[
    Line::published("head(som)", Rule::auxiliary("som")),
    Line::published(
        "head(byť)",
        Rule::Copula(Copula {
            word: "byť",
            instrumental: false,
            first_person: false,
        }),
    ),
    Line::published(
        "head(budem)",
        Rule::Copula(Copula {
            word: "budem",
            instrumental: false,
            first_person: false,
        }),
    ),
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
