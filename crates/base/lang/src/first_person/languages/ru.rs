//! Russian: `я` with a past tense (`я сделала`), a short or long adjective, a passive participle.
//!
//! There is no present copula, so the pronoun is the anchor. `быть` is not tied to the first
//! person in the published list, `один` and `одна` need no syntax at all.

use super::{Grammar, east_slavic};
use crate::first_person::rules::{Rule, RuleEntry};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "ru",
    Folding::Russian,
    RULES,
    STRICT,
    (packed!("ru/words.txt"), &[packed!("ru/strict.txt")]),
);

const RULES: &[RuleEntry] = &[
    RuleEntry::published("head(я)", Rule::Subject("я")),
    RuleEntry::published("sibling(я, был, была)", Rule::sibling("я", "был", "была")),
    RuleEntry::published("head(быть)", Rule::will_be("быть", true)),
    RuleEntry::published("pair(один, одна)", Rule::pair("один", "одна")),
    RuleEntry::extended("pair(сам, сама)", Rule::own_pair("сам", "сама")),
    RuleEntry::extended("feeling", Rule::feeling(true)),
    RuleEntry::extended("head(буду)", Rule::will_be("буду", true)),
    RuleEntry::extended("dropped", Rule::Dropped),
];

const STRICT: &[RuleEntry] = &east_slavic::strict(
    ("sibling(я, был, была)", "был", "была"),
    ("pair(один, одна)", "один", "одна"),
    ("head(быть)", "быть"),
);
