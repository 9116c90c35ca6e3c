//! Croatian: `sam`, `nisam`, `bih` with the l-participle (`radio`, `radila`) or an adjective.
//!
//! `sam` is both "am" and "alone". Subordinate clauses have no comma before `da`, so the
//! conjunctions themselves are boundaries.
//!
//! The published ADV(sam, sama) wants a `sam` tagged as an adverb for the masculine; treebanks tag
//! it as an adjective, so only `sama` is left of that rule.

use super::Grammar;
use crate::Gender;
use crate::first_person::head::AuxiliaryKind;
use crate::first_person::rules::{Copula, Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    ("hr", "Croatian"),
    Folding::Plain,
    RULES,
    STRICT,
    (
        include_str!("../../../data/hr/words.txt"),
        include_str!("../../../data/hr/strict.txt"),
    ),
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
    Line::extended(
        "head(biti)",
        Rule::Copula(Copula {
            word: "biti",
            instrumental: false,
            first_person: true,
        }),
    ),
    Line::extended("feeling", Rule::feeling(false)),
];

/// Shared with Bosnian.
pub(super) const STRICT: &[Line] = &[
    Line::strict(
        "head(sam)",
        Rule::special_auxiliary("sam", AuxiliaryKind::LeaningHomonym),
    ),
    Line::strict("head(nisam)", Rule::auxiliary("nisam")),
    Line::strict("head(bih)", Rule::auxiliary("bih")),
    Line::strict("head(jesam)", Rule::auxiliary("jesam")),
    Line::strict("head(budem)", Rule::auxiliary("budem")),
    Line::strict(
        "word(sama)",
        Rule::Word {
            word: "sama",
            gender: Gender::Feminine,
        },
    ),
    Line::strict("alone(sam)", Rule::Alone("sam")),
    Line::strict(
        "head(biti)",
        Rule::Copula(Copula {
            word: "biti",
            instrumental: false,
            first_person: true,
        }),
    ),
    Line::strict(
        "head(bit)",
        Rule::Copula(Copula {
            word: "bit",
            instrumental: false,
            first_person: true,
        }),
    ),
    Line::strict("feeling", Rule::feeling(false)),
];
