//! Bosnian: the rules and words of Croatian, in Latin and Cyrillic letters.
//!
//! Grammar and most words are those of its neighbours; a short file adds what Bosnian spells its own
//! way (`kahva`, `lahko`) or shares with Serbian only (`srećan`).

use super::{Grammar, hr};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::published(
    ("bs", "Bosnian"),
    Folding::Serbian,
    &[],
    hr::STRICT,
    (
        include_str!("../../../data/hr/words.txt"),
        concat!(
            include_str!("../../../data/hr/strict.txt"),
            include_str!("../../../data/bs/words.txt"),
        ),
    ),
);
