//! GEST's own choices.

use std::fmt;
use std::str::FromStr;

use epicene_lang::first_person::{Mode, Nouns};

use crate::options::{Choice, Intervals, Published, Spec, Stage, Values, required};

/// GEST's own intervals are of two kinds.
pub static INTERVAL: Choice<Intervals> = Choice {
    spec: Spec {
        values: Values::OneOf(&["clustered", "published", "limit", "resampled"]),
        ..crate::options::INTERVAL.spec
    },
    read: required,
};

/// How log10 ratios become factors (GEST specification, 9.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// e to the mean of log10 ratios: what every published table shows.
    Published,
    /// 10 to the mean: the true geometric mean of P(masculine) / P(feminine).
    True,
}

pub(crate) static CONVENTION: Choice<Convention> = Choice {
    spec: Spec {
        name: "convention",
        values: Values::OneOf(&["published", "true"]),
        default: Some("published"),
        help: "How log10 ratios become factors: published (e^mean, as in the paper's tables) or true (10^mean)",
        heading: "Log ratios",
        stage: Stage::Measure,
    },
    read: required,
};

pub static MODE: Choice<Mode> = Choice {
    spec: Spec {
        name: "mode",
        values: Values::OneOf(&["published", "extended", "strict"]),
        default: Some("published"),
        help: "What shows the gender of \"I\" in a translation: published (the paper's rules), extended, or strict (only what certainly speaks of the speaker)",
        heading: "Gender of the first person",
        stage: Stage::Measure,
    },
    read: read_mode,
};

pub(crate) static NOUNS: Choice<Nouns> = Choice {
    spec: Spec {
        name: "nouns",
        values: Values::OneOf(&["listed", "lexicon", "off"]),
        default: Some("listed"),
        help: "Which nouns for \"I\" count in strict mode (\"I am a teacher\"): listed (those of the language's rules), lexicon (all that the lexicon of persons knows) or off",
        heading: "Gender of the first person",
        stage: Stage::Measure,
    },
    read: required,
};

fn read_mode(given: Option<&str>) -> Result<Mode, String> {
    match given.expect("the option has a default") {
        "published" => Ok(Mode::Published),
        "extended" => Ok(Mode::Extended),
        "strict" => Ok(Mode::Strict),
        other => Err(format!("`{other}` is none of published, extended, strict")),
    }
}

/// As the option and the signature spell it.
pub(crate) fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Published => "published",
        Mode::Extended => "extended",
        Mode::Strict => "strict",
    }
}

/// As the signature names it, with the number of resamples.
pub fn signed(published: Published, replicates: usize) -> String {
    match published {
        Published::Limit => format!("bootstrap-normal-limit-{replicates}"),
        Published::Resampled => format!("bootstrap-normal-{replicates}"),
    }
}

impl Convention {
    /// The factor that a mean log10 ratio stands for.
    pub fn factor(self, mean_log10: f64) -> f64 {
        match self {
            Convention::Published => mean_log10.exp(),
            Convention::True => 10f64.powf(mean_log10),
        }
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Convention::Published => "published",
            Convention::True => "true",
        })
    }
}

impl FromStr for Convention {
    type Err = String;

    fn from_str(given: &str) -> Result<Convention, String> {
        match given {
            "published" => Ok(Convention::Published),
            "true" => Ok(Convention::True),
            _ => Err(format!("`{given}` is neither `published` nor `true`")),
        }
    }
}
