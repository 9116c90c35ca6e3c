//! Ukrainian: `я` with a past tense in -в, -ла, or with an adjective.
//!
//! As Russian, but feminine adjectives in -а look like nouns, hence longer lists.

use super::Grammar;
use crate::first_person::rules::{Copula, Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    ("uk", "Ukrainian"),
    Folding::Plain,
    RULES,
    STRICT,
    (
        include_str!("../../../data/uk/words.txt"),
        include_str!("../../../data/uk/strict.txt"),
    ),
);

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

const STRICT: &[Line] = &[
    Line::strict("head(я)", Rule::Subject("я")),
    Line::strict("sibling(я, був, була)", Rule::sibling("я", "був", "була")),
    Line::strict("pair(сам, сама)", Rule::own_pair("сам", "сама")),
    Line::strict("pair(один, одна)", Rule::own_pair("один", "одна")),
    Line::strict(
        "head(бути)",
        Rule::Copula(Copula {
            word: "бути",
            instrumental: true,
            first_person: true,
        }),
    ),
    Line::strict(
        "head(буду)",
        Rule::Copula(Copula {
            word: "буду",
            instrumental: true,
            first_person: false,
        }),
    ),
    Line::strict("feeling", Rule::feeling(true)),
    Line::strict("dropped", Rule::Dropped),
];
