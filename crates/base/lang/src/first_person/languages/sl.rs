//! Slovenian: `sem`, `nisem` with the l-participle or an adjective; `bi` fits every person.
//!
//! The published HEAD(bi) therefore takes any participle, a plural one included. The published
//! tables were made with these six rules, without SIB(sem, bil, bila): a past copula with a noun
//! predicate (`bil sem učitelj`) counts only in the extended mode, as does the future with `bom`.

use super::Grammar;
use crate::first_person::head::AuxiliaryKind;
use crate::first_person::rules::{Rule, RuleEntry};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "sl",
    Folding::Plain,
    RULES,
    STRICT,
    (packed!("sl/words.txt"), &[packed!("sl/strict.txt")]),
);

const RULES: &[RuleEntry] = &[
    RuleEntry::published("head(sem)", Rule::auxiliary("sem")),
    RuleEntry::published("head(nisem)", Rule::auxiliary("nisem")),
    RuleEntry::published("head(bi)", Rule::any_person("bi")),
    RuleEntry::published("head(biti)", Rule::will_be("biti", false)),
    RuleEntry::published("pair(rad, rada)", Rule::pair("rad", "rada")),
    RuleEntry::published("pair(sam, sama)", Rule::pair("sam", "sama")),
    RuleEntry::extended(
        "sibling(sem, bil, bila)",
        Rule::sibling("sem", "bil", "bila"),
    ),
    RuleEntry::extended(
        "sibling(nisem, bil, bila)",
        Rule::sibling("nisem", "bil", "bila"),
    ),
    RuleEntry::extended("sibling(bi, bil, bila)", Rule::sibling("bi", "bil", "bila")),
    RuleEntry::extended("head(bom)", Rule::auxiliary("bom")),
    RuleEntry::extended("head(ostati)", Rule::to_be("ostati", false)),
    RuleEntry::extended("feeling", Rule::feeling(false)),
];

const STRICT: &[RuleEntry] = &[
    RuleEntry::strict(
        "head(sem)",
        Rule::special_auxiliary("sem", AuxiliaryKind::Homonym),
    ),
    RuleEntry::strict("head(nisem)", Rule::auxiliary("nisem")),
    RuleEntry::strict("head(bi)", Rule::any_person("bi")),
    RuleEntry::strict("head(bom)", Rule::auxiliary("bom")),
    RuleEntry::strict("head(biti)", Rule::to_be("biti", false)),
    RuleEntry::strict("pair(rad, rada)", Rule::own_pair("rad", "rada")),
    RuleEntry::strict("pair(sam, sama)", Rule::own_pair("sam", "sama")),
    RuleEntry::strict("head(ostati)", Rule::to_be("ostati", false)),
    RuleEntry::strict("feeling", Rule::feeling(false)),
    RuleEntry::strict("adjunct", Rule::Adjunct),
];
