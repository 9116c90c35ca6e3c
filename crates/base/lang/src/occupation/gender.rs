//! Which genders a word form allows: a set, because forms and articles are often shared.

/// Gender a verdict gives to the noun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NounGender {
    Masculine,
    Feminine,
    Neuter,
    /// The noun says nothing of the person by its nature: "persona", "Fachkraft".
    Common,
}

/// A set of genders, and whether the noun keeps its gender whoever is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Genders(u8);

impl Genders {
    pub(crate) const M: Genders = Genders(1);
    pub(crate) const F: Genders = Genders(2);
    pub(crate) const C: Genders = Genders(3);
    pub(crate) const MN: Genders = Genders(5);
    pub(crate) const ANY: Genders = Genders(7);
    const EPICENE: u8 = 8;
    const LOAN: u8 = 16;
    const OBLIQUE: u8 = 32;

    /// The key of a data line: letters of `m f n`, `c` for `mf`, a leading `e` for epicene nouns,
    /// `l` for loan words of common gender, which taggers always give one.
    pub(crate) fn parse(key: &str) -> Option<Genders> {
        if key.is_empty() {
            return None;
        }
        let mut set = 0;
        for letter in key.chars() {
            set |= match letter {
                'm' => 1,
                'f' => 2,
                'n' => 4,
                'c' => 3,
                'l' => 3 | Genders::LOAN,
                'e' => Genders::EPICENE,
                _ => return None,
            };
        }
        Some(Genders(set)).filter(|genders| genders.0 & 7 != 0)
    }

    /// Bits of masculine, feminine and neuter, from the lowest.
    pub(crate) fn bits(self) -> u8 {
        self.0 & 7
    }

    pub(crate) fn from_bits(bits: u8) -> Genders {
        Genders(bits & 7)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 & 7 == 0
    }

    pub(crate) fn is_epicene(self) -> bool {
        self.0 & Genders::EPICENE != 0
    }

    pub(crate) fn is_loan(self) -> bool {
        self.0 & Genders::LOAN != 0
    }

    /// The same genders, of a form that is not the one dictionaries list.
    pub(crate) fn oblique(self) -> Genders {
        Genders(self.0 | Genders::OBLIQUE)
    }

    pub(crate) fn is_oblique(self) -> bool {
        self.0 & Genders::OBLIQUE != 0
    }

    pub(crate) fn and(self, other: Genders) -> Genders {
        Genders(self.0 & other.0 & 7)
    }

    /// Union. Epicene only if both are: a word that can also name a person's gender shows one.
    pub(crate) fn or(self, other: Genders) -> Genders {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let shared = Genders::EPICENE | Genders::LOAN | Genders::OBLIQUE;
        Genders(((self.0 | other.0) & 7) | (self.0 & other.0 & shared))
    }

    /// The gender, where the set leaves exactly one.
    pub(crate) fn single(self) -> Option<NounGender> {
        match self.0 & 7 {
            1 => Some(NounGender::Masculine),
            2 => Some(NounGender::Feminine),
            4 => Some(NounGender::Neuter),
            _ => None,
        }
    }
}
