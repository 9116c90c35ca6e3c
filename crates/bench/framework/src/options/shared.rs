//! Choices that several benchmarks have: what intervals take as sampled, how numbers are made, and which detector reads occupations.

use std::fmt;
use std::str::FromStr;

use super::{Choice, Needs, Spec, Stage, Values, required};

/// What intervals and tests take as sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intervals {
    /// What the benchmark's card says: occupations, sentences, pairs.
    Clustered,
    /// As the authors of the benchmark did, or as 0.1.0 did where they have none.
    Published(Published),
}

/// Where the published interval of a mean of logarithms comes from (GEST).
///
/// GEST fits a normal to 1,000 bootstrap means. The mean and the spread of bootstrap means are known
/// without drawing any: their limit for endless resamples. Drawing adds noise (about 5 % of a
/// standard error in a bound) and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// The limit, where the quantity is a mean of logarithms; resampled otherwise.
    Limit,
    /// Drawn, as the authors did.
    Resampled,
}

pub static INTERVAL: Choice<Intervals> = Choice {
    spec: Spec {
        name: "interval",
        values: Values::OneOf(&["clustered", "published"]),
        default: Some("clustered"),
        help: "Intervals and tests: clustered (by what was sampled: occupations, sentences, pairs; see `epicene show`) or published (as the authors'; for gest limit, the same, or resampled, drawn as in the paper)",
        heading: "Statistics",
        stage: Stage::numbers(&["interval", "bootstrap", "test"]),
    },
    read: required,
};

/// How numbers are made where the authors' way is not the plain one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Estimates {
    /// Shares of what is decided; equal values share their rank.
    Plain,
    /// As the authors of the benchmark.
    Published,
}

pub static ESTIMATE: Choice<Estimates> = Choice {
    spec: Spec {
        name: "estimate",
        values: Values::OneOf(&["plain", "published"]),
        default: Some("plain"),
        help: "Numbers: plain (shares of what is decided) or published (gest: rates of translations are centres of Agresti–Coull intervals; pairs of sentences: a tie is no win and stays in N)",
        heading: "Statistics",
        stage: Stage::numbers(&["estimate", "rates", "ties"]),
    },
    read: required,
};

impl Estimates {
    pub fn is_plain(self) -> bool {
        self == Estimates::Plain
    }
}

impl FromStr for Estimates {
    type Err = String;

    fn from_str(given: &str) -> Result<Estimates, String> {
        match given {
            "plain" => Ok(Estimates::Plain),
            "published" => Ok(Estimates::Published),
            _ => Err(format!("`{given}` is neither `plain` nor `published`")),
        }
    }
}

impl Intervals {
    pub fn is_clustered(self) -> bool {
        self == Intervals::Clustered
    }
}

impl FromStr for Intervals {
    type Err = String;

    fn from_str(given: &str) -> Result<Intervals, String> {
        match given {
            "clustered" => Ok(Intervals::Clustered),
            "published" | "limit" => Ok(Intervals::Published(Published::Limit)),
            "resampled" => Ok(Intervals::Published(Published::Resampled)),
            _ => Err(format!("`{given}` is neither `clustered` nor `published`")),
        }
    }
}

/// Which rules tell the gender of an occupation in a translation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DetectorRules {
    /// Epicene's: the whole noun phrase, lexicon and agreement.
    Epicene,
    /// What the authors of the benchmark did, as closely as it can be done without their tagger.
    Published,
}

pub static DETECTOR: Choice<DetectorRules> = Choice {
    spec: Spec {
        name: "detector",
        values: Values::OneOf(&["epicene", "published"]),
        default: Some("epicene"),
        help: "What shows the gender of an occupation: epicene (the whole noun phrase) or published (the authors' rules, for comparison with their numbers)",
        heading: "Detector",
        stage: Stage::verdicts(&["judge"]).needing(Needs::Translations),
    },
    read: required,
};

/// As signatures name it.
impl fmt::Display for DetectorRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DetectorRules::Published => "published",
            DetectorRules::Epicene => "default",
        })
    }
}

impl FromStr for DetectorRules {
    type Err = String;

    fn from_str(given: &str) -> Result<DetectorRules, String> {
        match given {
            "epicene" => Ok(DetectorRules::Epicene),
            "published" => Ok(DetectorRules::Published),
            _ => Err(format!("`{given}` is neither `epicene` nor `published`")),
        }
    }
}
