//! Bosnian: the rules and words of Croatian, in Latin and Cyrillic letters.
//!
//! Grammar and most words are those of its neighbours; a short file adds what Bosnian spells its own
//! way (`kahva`, `lahko`) or shares with Serbian only (`srećan`).

use super::{Grammar, hr};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    "bs",
    Folding::Serbian,
    &[],
    hr::STRICT,
    (
        packed!("hr/words.txt"),
        &[packed!("hr/strict.txt"), packed!("bs/words.txt")],
    ),
);
