//! Polish: the verb carries person and gender in its ending (`zrobiłam`, `chciałbym`).
//!
//! Treebanks split such forms (`zrobiła` + `m`); the published rule takes the first one of the
//! first person, singular or plural. After `gdybym`, `żebym` the participle stands alone; only
//! `gdybym` is in the published list. The future with `będę` takes a participle too.

use super::Grammar;
use crate::first_person::head::AuxiliaryKind;
use crate::first_person::rules::{Rule, RuleEntry};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "pl",
    Folding::Plain,
    RULES,
    STRICT,
    (packed!("pl/words.txt"), &[packed!("pl/strict.txt")]),
);

const RULES: &[RuleEntry] = &[
    RuleEntry::published("inflected", Rule::Inflected),
    RuleEntry::published("head(jestem)", Rule::auxiliary("jestem")),
    RuleEntry::published("head(być)", Rule::will_be("być", true)),
    RuleEntry::published("conjunction(gdybym)", Rule::Conjunction("gdybym")),
    RuleEntry::published(
        "feeling(czuję)",
        Rule::Feeling {
            word: Some("czuję"),
            instrumental: false,
        },
    ),
    RuleEntry::published("pair(sam, sama)", Rule::pair("sam", "sama")),
    RuleEntry::extended("conjunction(żebym)", Rule::Conjunction("żebym")),
    RuleEntry::extended("conjunction(abym)", Rule::Conjunction("abym")),
    RuleEntry::extended("conjunction(jakbym)", Rule::Conjunction("jakbym")),
    RuleEntry::extended("conjunction(obym)", Rule::Conjunction("obym")),
    RuleEntry::extended("conjunction(bym)", Rule::Conjunction("bym")),
    RuleEntry::extended("head(będę)", Rule::auxiliary("będę")),
    RuleEntry::extended("feeling", Rule::feeling(false)),
];

const STRICT: &[RuleEntry] = &[
    RuleEntry::strict("inflected", Rule::Inflected),
    RuleEntry::strict(
        "head(jestem)",
        Rule::special_auxiliary("jestem", AuxiliaryKind::CopulaOnly),
    ),
    RuleEntry::strict("head(będę)", Rule::auxiliary("będę")),
    RuleEntry::strict("head(być)", Rule::to_be("być", true)),
    RuleEntry::strict("carried", Rule::Carried),
    RuleEntry::strict("pair(sam, sama)", Rule::own_pair("sam", "sama")),
    RuleEntry::strict("feeling", Rule::feeling(false)),
    RuleEntry::strict("adjunct", Rule::Adjunct),
];
