//! How a benchmark of log10 ratios (GEST, WinoBias) makes factors of them.

use std::fmt;
use std::str::FromStr;

use crate::options::{Choice, Needs, Spec, Stage, Values, required};

/// How log10 ratios become factors (GEST specification, 9.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// e to the mean of log10 ratios: what every published table shows.
    Published,
    /// 10 to the mean: the true geometric mean of P(masculine) / P(feminine).
    True,
}

pub static CONVENTION: Choice<Convention> = Choice {
    spec: Spec {
        name: "convention",
        values: Values::OneOf(&["published", "true"]),
        default: Some("published"),
        help: "How log10 ratios become factors: published (e^mean, as in the paper's tables) or true (10^mean)",
        heading: "Statistics",
        stage: Stage::numbers(&["convention"]).needing(Needs::Models),
    },
    read: required,
};

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
