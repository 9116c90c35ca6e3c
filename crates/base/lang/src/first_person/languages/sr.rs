//! Serbian, in both alphabets: as Croatian, with ekavian forms (`voleo`, `lepa`).
//!
//! Cyrillic is transliterated before anything is looked up, so the published Cyrillic and Latin
//! lists are one; rule names show the Latin form.
//!
//! The published ADV(sam, sama) wants a `sam` tagged as an adverb for the masculine; treebanks tag
//! it as an adjective, so only `sama` is left of that rule.

use super::{Grammar, south_slavic};
use crate::Gender;
use crate::first_person::rules::{Rule, RuleEntry};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "sr",
    Folding::Serbian,
    RULES,
    STRICT,
    (packed!("sr/words.txt"), &[packed!("sr/strict.txt")]),
);

const RULES: &[RuleEntry] = &[
    RuleEntry::published("head(sam)", Rule::auxiliary("sam")),
    RuleEntry::published("head(nisam)", Rule::auxiliary("nisam")),
    RuleEntry::published("head(bih)", Rule::auxiliary("bih")),
    RuleEntry::published(
        "sibling(bih, bio, bila)",
        Rule::sibling("bih", "bio", "bila"),
    ),
    RuleEntry::published(
        "sibling(sam, bio, bila)",
        Rule::sibling("sam", "bio", "bila"),
    ),
    RuleEntry::published(
        "word(sama)",
        Rule::Word {
            word: "sama",
            gender: Gender::Feminine,
        },
    ),
    RuleEntry::extended(
        "sibling(nisam, bio, bila)",
        Rule::sibling("nisam", "bio", "bila"),
    ),
    RuleEntry::extended("alone(sam)", Rule::Alone("sam")),
    RuleEntry::extended("head(jesam)", Rule::auxiliary("jesam")),
    RuleEntry::extended("head(budem)", Rule::auxiliary("budem")),
    RuleEntry::extended("head(biti)", Rule::to_be("biti", false)),
    RuleEntry::extended("feeling", Rule::feeling(false)),
];

const STRICT: &[RuleEntry] = &south_slavic::strict(RuleEntry::strict(
    "head(biću)",
    Rule::will_be("biću", false),
));
