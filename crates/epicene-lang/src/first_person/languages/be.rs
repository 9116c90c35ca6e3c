//! Belarusian: `я` with a past tense in -ў, -ла, or with an adjective.
//!
//! The published list has one more rule for `я` glued to the next word by the tokenizer; there is
//! no such fault here. The published counts contain parser errors and are no target.

use super::Grammar;
use crate::first_person::rules::{Copula, Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    ("be", "Belarusian"),
    Folding::Belarusian,
    RULES,
    STRICT,
    (
        include_str!("../../../data/be/words.txt"),
        include_str!("../../../data/be/strict.txt"),
    ),
);

const RULES: &[Line] = &[
    Line::published(
        "sibling(я, быў, была)",
        Rule::Sibling {
            word: "я",
            masculine: "быў",
            feminine: "была",
            masculine_first: true,
        },
    ),
    Line::published("head(я)", Rule::Subject("я")),
    Line::published("pair(сам, сама)", Rule::pair("сам", "сама")),
    Line::extended("pair(адзін, адна)", Rule::own_pair("адзін", "адна")),
    Line::extended(
        "head(быць)",
        Rule::Copula(Copula {
            word: "быць",
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
    Line::strict("sibling(я, быў, была)", Rule::sibling("я", "быў", "была")),
    Line::strict("pair(сам, сама)", Rule::own_pair("сам", "сама")),
    Line::strict("pair(адзін, адна)", Rule::own_pair("адзін", "адна")),
    Line::strict(
        "head(быць)",
        Rule::Copula(Copula {
            word: "быць",
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
