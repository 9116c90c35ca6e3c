//! Croatian: `sam`, `nisam`, `bih` with the l-participle (`radio`, `radila`) or an adjective.
//!
//! `sam` is both "am" and "alone". Subordinate clauses have no comma before `da`, so the
//! conjunctions themselves are boundaries.
//!
//! The published ADV(sam, sama) wants a `sam` tagged as an adverb for the masculine; treebanks tag
//! it as an adjective, so only `sama` is left of that rule.

use super::{Grammar, south_slavic};
use crate::Gender;
use crate::first_person::rules::{Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "hr",
    Folding::Plain,
    RULES,
    STRICT,
    (packed!("hr/words.txt"), &[packed!("hr/strict.txt")]),
);

const RULES: &[Line] = &[
    Line::published("head(sam)", Rule::auxiliary("sam")),
    Line::published("head(nisam)", Rule::auxiliary("nisam")),
    Line::published("head(bih)", Rule::auxiliary("bih")),
    Line::published(
        "sibling(sam, bio, bila)",
        Rule::sibling("sam", "bio", "bila"),
    ),
    Line::published(
        "word(sama)",
        Rule::Word {
            word: "sama",
            gender: Gender::Feminine,
        },
    ),
    Line::extended(
        "sibling(nisam, bio, bila)",
        Rule::sibling("nisam", "bio", "bila"),
    ),
    Line::extended(
        "sibling(bih, bio, bila)",
        Rule::sibling("bih", "bio", "bila"),
    ),
    Line::extended("alone(sam)", Rule::Alone("sam")),
    Line::extended("head(jesam)", Rule::auxiliary("jesam")),
    Line::extended("head(budem)", Rule::auxiliary("budem")),
    Line::extended("head(biti)", Rule::to_be("biti", false)),
    Line::extended("feeling", Rule::feeling(false)),
];

/// Shared with Bosnian.
pub(super) const STRICT: &[Line] =
    &south_slavic::strict(Line::strict("head(bit)", Rule::to_be("bit", false)));
