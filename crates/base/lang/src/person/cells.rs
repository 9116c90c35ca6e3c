//! Which genders in which number a form allows: a set of six cells, because number is read before
//! gender ("die Lehrer" is masculine because it is plural).

use super::lexicon::Number;
use crate::occupation::{Genders, NounGender};

/// A set of (gender, number).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cells(u8);

const SINGULAR: u8 = 0b000_111;
const PLURAL: u8 = 0b111_000;

impl Cells {
    pub(crate) const ALL: Cells = Cells(SINGULAR | PLURAL);
    pub(crate) const M_SG: Cells = Cells(1);
    pub(crate) const F_SG: Cells = Cells(2);
    pub(crate) const PLURALS: Cells = Cells(PLURAL);

    pub(crate) fn new(genders: Genders, number: Number) -> Cells {
        let set = genders.bits();
        let mut cells = 0;
        if number.and(Number::SINGULAR).is_some() {
            cells |= set;
        }
        if number.and(Number::PLURAL).is_some() {
            cells |= set << 3;
        }
        Cells(cells)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn and(self, other: Cells) -> Cells {
        Cells(self.0 & other.0)
    }

    pub(crate) fn or(self, other: Cells) -> Cells {
        Cells(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Cells) -> Cells {
        Cells(self.0 & !other.0)
    }

    /// The cells of that number, or all of them where there is none.
    pub(crate) fn preferring(self, number: Number) -> Cells {
        let kept = self.and(Cells::new(Genders::ANY, number));
        if kept.is_empty() { self } else { kept }
    }

    pub(crate) fn numbers(self) -> Number {
        match (self.0 & SINGULAR != 0, self.0 & PLURAL != 0) {
            (true, false) => Number::SINGULAR,
            (false, true) => Number::PLURAL,
            _ => Number::EITHER,
        }
    }

    pub(crate) fn genders(self) -> Genders {
        Genders::from_bits((self.0 | self.0 >> 3) & SINGULAR)
    }

    /// Whether some number is common to both, whatever the genders.
    pub(crate) fn share_number(self, other: Cells) -> bool {
        (self.0 & SINGULAR != 0 && other.0 & SINGULAR != 0)
            || (self.0 & PLURAL != 0 && other.0 & PLURAL != 0)
    }

    /// The gender, where the set leaves exactly one.
    pub(crate) fn single(self) -> Option<NounGender> {
        self.genders().single()
    }
}
