//! Ukrainian: `я` with a past tense in -в, -ла, or with an adjective.
//!
//! As Russian, but feminine adjectives in -а look like nouns, hence longer lists.

use std::sync::OnceLock;

use super::Grammar;
use crate::first_person::rules::{Copula, Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar {
    code: "uk",
    name: "Ukrainian",
    folding: Folding::Plain,
    rules: RULES,
    data: include_str!("../../../data/uk/words.txt"),
    read: OnceLock::new(),
};

const RULES: &[Line] = &[
    Line::published("head(я)", Rule::Subject("я")),
    Line::published(
        "sibling(я, був, була)",
        Rule::Sibling {
            word: "я",
            masculine: "був",
            feminine: "була",
            masculine_first: true,
        },
    ),
    Line::published("pair(один, одна)", Rule::pair("один", "одна")),
    Line::extended("pair(сам, сама)", Rule::own_pair("сам", "сама")),
    Line::extended(
        "head(бути)",
        Rule::Copula(Copula {
            word: "бути",
            instrumental: true,
            first_person: true,
        }),
    ),
    Line::extended(
        "head(буду)",
        Rule::Copula(Copula {
            word: "буду",
            instrumental: true,
            first_person: false,
        }),
    ),
    Line::extended("feeling", Rule::feeling(true)),
    Line::extended("dropped", Rule::Dropped),
];
