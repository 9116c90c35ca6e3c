//! Czech: `jsem`, `nejsem` and `bych` with the l-participle or an adjective.
//!
//! `kdybych` and `abych` are multi-word tokens in the treebanks (`kdy` + `bych`), so the published
//! HEAD(bych) never sees them: they belong to the extended mode.

use super::Grammar;
use crate::first_person::rules::{Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "cs",
    Folding::Plain,
    RULES,
    STRICT,
    (packed!("cs/words.txt"), &[packed!("cs/strict.txt")]),
);

const RULES: &[Line] = &[
    Line::published("head(jsem)", Rule::auxiliary("jsem")),
    Line::published("head(nejsem)", Rule::auxiliary("nejsem")),
    Line::published("head(bych)", Rule::auxiliary("bych")),
    Line::published("head(já)", Rule::Subject("já")),
    Line::published("pair(rád, ráda)", Rule::pair("rád", "ráda")),
    Line::published("pair(nerad, nerada)", Rule::pair("nerad", "nerada")),
    Line::published("pair(sám, sama)", Rule::pair("sám", "sama")),
    Line::published(
        "sibling(jsem, byl, byla)",
        Rule::sibling("jsem", "byl", "byla"),
    ),
    Line::extended("conjunction(kdybych)", Rule::Conjunction("kdybych")),
    Line::extended("conjunction(abych)", Rule::Conjunction("abych")),
    Line::extended(
        "sibling(bych, byl, byla)",
        Rule::sibling("bych", "byl", "byla"),
    ),
    Line::extended(
        "sibling(jsem, nebyl, nebyla)",
        Rule::sibling("jsem", "nebyl", "nebyla"),
    ),
    Line::extended("head(budu)", Rule::will_be("budu", false)),
    Line::extended("head(být)", Rule::to_be("být", false)),
    Line::extended("feeling", Rule::feeling(false)),
];

const STRICT: &[Line] = &[
    Line::strict("head(jsem)", Rule::auxiliary("jsem")),
    Line::strict("head(nejsem)", Rule::auxiliary("nejsem")),
    Line::strict("head(bych)", Rule::auxiliary("bych")),
    Line::strict("head(já)", Rule::Subject("já")),
    Line::strict("pair(rád, ráda)", Rule::own_pair("rád", "ráda")),
    Line::strict("pair(nerad, nerada)", Rule::own_pair("nerad", "nerada")),
    Line::strict("pair(sám, sama)", Rule::own_pair("sám", "sama")),
    Line::strict("carried", Rule::Carried),
    Line::strict("head(budu)", Rule::will_be("budu", false)),
    Line::strict("head(být)", Rule::to_be("být", false)),
    Line::strict("head(nebudu)", Rule::will_be("nebudu", false)),
    Line::strict("feeling", Rule::feeling(false)),
    Line::strict("adjunct", Rule::Adjunct),
];
