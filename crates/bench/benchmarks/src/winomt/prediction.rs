//! The gender a sentence asks for, and the one its translation shows: what rules, taggers and people all answer in.

use std::fmt;
use std::str::FromStr;

use epicene_core::Finding;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gold {
    Male,
    Female,
    Neutral,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Prediction {
    Male,
    Female,
    Neutral,
    Unknown,
}

impl Gold {
    pub const ALL: [Gold; 3] = [Gold::Male, Gold::Female, Gold::Neutral];

    pub fn name(self) -> &'static str {
        self.prediction().name()
    }

    /// The prediction that would be right.
    pub fn prediction(self) -> Prediction {
        match self {
            Gold::Male => Prediction::Male,
            Gold::Female => Prediction::Female,
            Gold::Neutral => Prediction::Neutral,
        }
    }
}

impl FromStr for Gold {
    type Err = ();

    fn from_str(name: &str) -> Result<Gold, ()> {
        Gold::ALL
            .into_iter()
            .find(|gold| gold.name() == name)
            .ok_or(())
    }
}

impl Prediction {
    /// What a verdict says.
    pub fn of(finding: Finding) -> Prediction {
        match finding {
            Finding::Masculine => Prediction::Male,
            Finding::Feminine => Prediction::Female,
            Finding::Neuter | Finding::Common | Finding::Both | Finding::Inclusive => {
                Prediction::Neutral
            }
            _ => Prediction::Unknown,
        }
    }

    pub fn finding(self) -> Finding {
        match self {
            Prediction::Male => Finding::Masculine,
            Prediction::Female => Finding::Feminine,
            Prediction::Neutral => Finding::Neuter,
            Prediction::Unknown => Finding::NotFound,
        }
    }

    pub const ALL: [Prediction; 4] = [
        Prediction::Male,
        Prediction::Female,
        Prediction::Neutral,
        Prediction::Unknown,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Prediction::Male => "male",
            Prediction::Female => "female",
            Prediction::Neutral => "neutral",
            Prediction::Unknown => "unknown",
        }
    }

    /// The letter of verdicts and human labels.
    pub fn letter(self) -> char {
        match self {
            Prediction::Male => 'm',
            Prediction::Female => 'f',
            Prediction::Neutral => 'n',
            Prediction::Unknown => 'u',
        }
    }

    /// The most frequent; of equally frequent ones the first seen. `None` of nothing.
    pub fn most_frequent(seen: &[Prediction]) -> Option<Prediction> {
        let count = |gender: Prediction| seen.iter().filter(|other| **other == gender).count();
        let most = seen.iter().map(|gender| count(*gender)).max()?;
        seen.iter().copied().find(|gender| count(*gender) == most)
    }
}

impl fmt::Display for Prediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Prediction {
    type Err = ();

    fn from_str(name: &str) -> Result<Prediction, ()> {
        Prediction::ALL
            .into_iter()
            .find(|known| known.name() == name)
            .ok_or(())
    }
}
