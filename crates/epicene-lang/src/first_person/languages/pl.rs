//! Polish: the verb carries person and gender in its ending (`zrobiłam`, `chciałbym`).
//!
//! Treebanks split such forms (`zrobiła` + `m`); the published rule takes the first one of the
//! first person, singular or plural. After `gdybym`, `żebym` the participle stands alone; only
//! `gdybym` is in the published list. The future with `będę` takes a participle too.

use super::Grammar;
use crate::first_person::head::AuxiliaryKind;
use crate::first_person::rules::{Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "pl",
    Folding::Plain,
    RULES,
    STRICT,
    (packed!("pl/words.txt"), &[packed!("pl/strict.txt")]),
);

const RULES: &[Line] = &[
    Line::published("inflected", Rule::Inflected),
    Line::published("head(jestem)", Rule::auxiliary("jestem")),
    Line::published("head(być)", Rule::will_be("być", true)),
    Line::published("conjunction(gdybym)", Rule::Conjunction("gdybym")),
    Line::published(
        "feeling(czuję)",
        Rule::Feeling {
            word: Some("czuję"),
            instrumental: false,
        },
    ),
    Line::published("pair(sam, sama)", Rule::pair("sam", "sama")),
    Line::extended("conjunction(żebym)", Rule::Conjunction("żebym")),
    Line::extended("conjunction(abym)", Rule::Conjunction("abym")),
    Line::extended("conjunction(jakbym)", Rule::Conjunction("jakbym")),
    Line::extended("conjunction(obym)", Rule::Conjunction("obym")),
    Line::extended("conjunction(bym)", Rule::Conjunction("bym")),
    Line::extended("head(będę)", Rule::auxiliary("będę")),
    Line::extended("feeling", Rule::feeling(false)),
];

const STRICT: &[Line] = &[
    Line::strict("inflected", Rule::Inflected),
    Line::strict(
        "head(jestem)",
        Rule::special_auxiliary("jestem", AuxiliaryKind::CopulaOnly),
    ),
    Line::strict("head(będę)", Rule::auxiliary("będę")),
    Line::strict("head(być)", Rule::to_be("być", true)),
    Line::strict("carried", Rule::Carried),
    Line::strict("pair(sam, sama)", Rule::own_pair("sam", "sama")),
    Line::strict("feeling", Rule::feeling(false)),
    Line::strict("adjunct", Rule::Adjunct),
];
