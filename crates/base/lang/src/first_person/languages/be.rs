//! Belarusian: `я` with a past tense in -ў, -ла, or with an adjective.
//!
//! The published list has one more rule for `я` glued to the next word by the tokenizer; there is
//! no such fault here. The published counts contain parser errors and are no target.

use super::{Grammar, east_slavic};
use crate::first_person::rules::{Rule, RuleEntry};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "be",
    Folding::Belarusian,
    RULES,
    STRICT,
    (packed!("be/words.txt"), &[packed!("be/strict.txt")]),
);

const RULES: &[RuleEntry] = &[
    RuleEntry::published(
        "sibling(я, быў, была)",
        Rule::Sibling {
            word: "я",
            masculine: "быў",
            feminine: "была",
            masculine_first: true,
        },
    ),
    RuleEntry::published("head(я)", Rule::Subject("я")),
    RuleEntry::published("pair(сам, сама)", Rule::pair("сам", "сама")),
    RuleEntry::extended("pair(адзін, адна)", Rule::own_pair("адзін", "адна")),
    RuleEntry::extended("head(быць)", Rule::to_be("быць", true)),
    RuleEntry::extended("head(буду)", Rule::will_be("буду", true)),
    RuleEntry::extended("feeling", Rule::feeling(true)),
    RuleEntry::extended("dropped", Rule::Dropped),
];

const STRICT: &[RuleEntry] = &east_slavic::strict(
    ("sibling(я, быў, была)", "быў", "была"),
    ("pair(адзін, адна)", "адзін", "адна"),
    ("head(быць)", "быць"),
);
