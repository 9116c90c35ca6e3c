//! Czech: `jsem`, `nejsem` and `bych` with the l-participle or an adjective.
//!
//! `kdybych` and `abych` are multi-word tokens in the treebanks (`kdy` + `bych`), so the published
//! HEAD(bych) never sees them: they belong to the extended mode.

use super::Grammar;
use crate::first_person::rules::{Rule, RuleEntry};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "cs",
    Folding::Plain,
    RULES,
    STRICT,
    (packed!("cs/words.txt"), &[packed!("cs/strict.txt")]),
);

const RULES: &[RuleEntry] = &[
    RuleEntry::published("head(jsem)", Rule::auxiliary("jsem")),
    RuleEntry::published("head(nejsem)", Rule::auxiliary("nejsem")),
    RuleEntry::published("head(bych)", Rule::auxiliary("bych")),
    RuleEntry::published("head(já)", Rule::Subject("já")),
    RuleEntry::published("pair(rád, ráda)", Rule::pair("rád", "ráda")),
    RuleEntry::published("pair(nerad, nerada)", Rule::pair("nerad", "nerada")),
    RuleEntry::published("pair(sám, sama)", Rule::pair("sám", "sama")),
    RuleEntry::published(
        "sibling(jsem, byl, byla)",
        Rule::sibling("jsem", "byl", "byla"),
    ),
    RuleEntry::extended("conjunction(kdybych)", Rule::Conjunction("kdybych")),
    RuleEntry::extended("conjunction(abych)", Rule::Conjunction("abych")),
    RuleEntry::extended(
        "sibling(bych, byl, byla)",
        Rule::sibling("bych", "byl", "byla"),
    ),
    RuleEntry::extended(
        "sibling(jsem, nebyl, nebyla)",
        Rule::sibling("jsem", "nebyl", "nebyla"),
    ),
    RuleEntry::extended("head(budu)", Rule::will_be("budu", false)),
    RuleEntry::extended("head(být)", Rule::to_be("být", false)),
    RuleEntry::extended("feeling", Rule::feeling(false)),
];

const STRICT: &[RuleEntry] = &[
    RuleEntry::strict("head(jsem)", Rule::auxiliary("jsem")),
    RuleEntry::strict("head(nejsem)", Rule::auxiliary("nejsem")),
    RuleEntry::strict("head(bych)", Rule::auxiliary("bych")),
    RuleEntry::strict("head(já)", Rule::Subject("já")),
    RuleEntry::strict("pair(rád, ráda)", Rule::own_pair("rád", "ráda")),
    RuleEntry::strict("pair(nerad, nerada)", Rule::own_pair("nerad", "nerada")),
    RuleEntry::strict("pair(sám, sama)", Rule::own_pair("sám", "sama")),
    RuleEntry::strict("carried", Rule::Carried),
    RuleEntry::strict("head(budu)", Rule::will_be("budu", false)),
    RuleEntry::strict("head(být)", Rule::to_be("být", false)),
    RuleEntry::strict("head(nebudu)", Rule::will_be("nebudu", false)),
    RuleEntry::strict("feeling", Rule::feeling(false)),
    RuleEntry::strict("adjunct", Rule::Adjunct),
];
