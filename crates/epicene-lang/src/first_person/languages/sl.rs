//! Slovenian: `sem`, `nisem` with the l-participle or an adjective; `bi` fits every person.
//!
//! The published HEAD(bi) therefore takes any participle, a plural one included. The published
//! tables were made with these six rules, without SIB(sem, bil, bila): a past copula with a noun
//! predicate (`bil sem učitelj`) counts only in the extended mode, as does the future with `bom`.

use super::Grammar;
use crate::first_person::head::AuxiliaryKind;
use crate::first_person::rules::{Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "sl",
    Folding::Plain,
    RULES,
    STRICT,
    (packed!("sl/words.txt"), &[packed!("sl/strict.txt")]),
);

const RULES: &[Line] = &[
    Line::published("head(sem)", Rule::auxiliary("sem")),
    Line::published("head(nisem)", Rule::auxiliary("nisem")),
    Line::published("head(bi)", Rule::any_person("bi")),
    Line::published("head(biti)", Rule::will_be("biti", false)),
    Line::published("pair(rad, rada)", Rule::pair("rad", "rada")),
    Line::published("pair(sam, sama)", Rule::pair("sam", "sama")),
    Line::extended(
        "sibling(sem, bil, bila)",
        Rule::sibling("sem", "bil", "bila"),
    ),
    Line::extended(
        "sibling(nisem, bil, bila)",
        Rule::sibling("nisem", "bil", "bila"),
    ),
    Line::extended("sibling(bi, bil, bila)", Rule::sibling("bi", "bil", "bila")),
    Line::extended("head(bom)", Rule::auxiliary("bom")),
    Line::extended("head(ostati)", Rule::to_be("ostati", false)),
    Line::extended("feeling", Rule::feeling(false)),
];

const STRICT: &[Line] = &[
    Line::strict(
        "head(sem)",
        Rule::special_auxiliary("sem", AuxiliaryKind::Homonym),
    ),
    Line::strict("head(nisem)", Rule::auxiliary("nisem")),
    Line::strict("head(bi)", Rule::any_person("bi")),
    Line::strict("head(bom)", Rule::auxiliary("bom")),
    Line::strict("head(biti)", Rule::to_be("biti", false)),
    Line::strict("pair(rad, rada)", Rule::own_pair("rad", "rada")),
    Line::strict("pair(sam, sama)", Rule::own_pair("sam", "sama")),
    Line::strict("head(ostati)", Rule::to_be("ostati", false)),
    Line::strict("feeling", Rule::feeling(false)),
    Line::strict("adjunct", Rule::Adjunct),
];
