//! Russian: `я` with a past tense (`я сделала`), a short or long adjective, a passive participle.
//!
//! There is no present copula, so the pronoun is the anchor. `быть` is not tied to the first
//! person in the published list, `один` and `одна` need no syntax at all.

use std::sync::OnceLock;

use super::Grammar;
use crate::first_person::rules::{Copula, Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar {
    code: "ru",
    name: "Russian",
    folding: Folding::Russian,
    rules: RULES,
    data: include_str!("../../../data/ru/words.txt"),
    read: OnceLock::new(),
};

const RULES: &[Line] = &[
    Line::published("head(я)", Rule::Subject("я")),
    Line::published("sibling(я, был, была)", Rule::sibling("я", "был", "была")),
    Line::published(
        "head(быть)",
        Rule::Copula(Copula {
            word: "быть",
            instrumental: true,
            first_person: false,
        }),
    ),
    Line::published("pair(один, одна)", Rule::pair("один", "одна")),
    Line::extended("pair(сам, сама)", Rule::own_pair("сам", "сама")),
    Line::extended("feeling", Rule::feeling(true)),
    Line::extended(
        "head(буду)",
        Rule::Copula(Copula {
            word: "буду",
            instrumental: true,
            first_person: false,
        }),
    ),
    Line::extended("dropped", Rule::Dropped),
];
