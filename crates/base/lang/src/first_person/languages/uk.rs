//! Ukrainian: `я` with a past tense in -в, -ла, or with an adjective.
//!
//! As Russian, but feminine adjectives in -а look like nouns, hence longer lists.

use super::{Grammar, east_slavic};
use crate::first_person::rules::{Rule, RuleEntry};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "uk",
    Folding::Plain,
    RULES,
    STRICT,
    (packed!("uk/words.txt"), &[packed!("uk/strict.txt")]),
);

const RULES: &[RuleEntry] = &[
    RuleEntry::published("head(я)", Rule::Subject("я")),
    RuleEntry::published(
        "sibling(я, був, була)",
        Rule::Sibling {
            word: "я",
            masculine: "був",
            feminine: "була",
            masculine_first: true,
        },
    ),
    RuleEntry::published("pair(один, одна)", Rule::pair("один", "одна")),
    RuleEntry::extended("pair(сам, сама)", Rule::own_pair("сам", "сама")),
    RuleEntry::extended("head(бути)", Rule::to_be("бути", true)),
    RuleEntry::extended("head(буду)", Rule::will_be("буду", true)),
    RuleEntry::extended("feeling", Rule::feeling(true)),
    RuleEntry::extended("dropped", Rule::Dropped),
];

const STRICT: &[RuleEntry] = &east_slavic::strict(
    ("sibling(я, був, була)", "був", "була"),
    ("pair(один, одна)", "один", "одна"),
    ("head(бути)", "бути"),
);
