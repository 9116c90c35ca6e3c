//! Choices of this benchmark that change a number after the translations are in.

use std::fmt;
use std::str::FromStr;

/// Which of several target words decides (specification, section 5.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pick {
    /// The right-most one, as published.
    #[default]
    Last,
    First,
    /// The gender most of them have; the earlier one on a tie.
    Majority,
    /// The last one that is masculine or feminine.
    AnyGendered,
    /// The one that translates the occupation according to the lexicon, else the last.
    HeadNoun,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnambiguousOptions {
    pub pick: Pick,
    /// Only the labelled occupation counts, not "cook" the verb.
    pub labelled_only: bool,
}

impl Pick {
    const ALL: [Pick; 5] = [
        Pick::Last,
        Pick::First,
        Pick::Majority,
        Pick::AnyGendered,
        Pick::HeadNoun,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Pick::Last => "last",
            Pick::First => "first",
            Pick::Majority => "majority",
            Pick::AnyGendered => "any-gendered",
            Pick::HeadNoun => "head-noun",
        }
    }
}

impl fmt::Display for Pick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Pick {
    type Err = String;

    fn from_str(given: &str) -> Result<Pick, String> {
        let found = Pick::ALL.into_iter().find(|pick| pick.name() == given);
        found.ok_or_else(|| {
            let known = Pick::ALL.map(Pick::name).join(", ");
            format!("`{given}` is none of {known}")
        })
    }
}
