//! Choices that change a number after the answers are in, each with its place in the signature.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use epicene_core::TextFile;
use epicene_lang::first_person::Mode;

use crate::mbe::score::Weighting;
use crate::mbe::significance::McNemarForm;
use crate::unambiguous::UnambiguousOptions;

/// How log10 ratios become factors (GEST specification, 9.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Convention {
    /// e to the mean of log10 ratios: what every published table shows.
    #[default]
    Published,
    /// 10 to the mean: the true geometric mean of P(masculine) / P(feminine).
    True,
}

/// Where the interval of a mean comes from.
///
/// GEST fits a normal to 1,000 bootstrap means. The mean and the spread of bootstrap means are known
/// without drawing any: their limit for endless resamples. Drawing adds noise (about 5 % of a
/// standard error in a bound) and nothing else, so the limit is the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IntervalMethod {
    /// The limit, where the quantity is a mean of logarithms; resampled otherwise.
    #[default]
    Limit,
    /// Drawn, as the authors did.
    Resampled,
}

impl IntervalMethod {
    pub fn name(self) -> &'static str {
        match self {
            IntervalMethod::Limit => "limit",
            IntervalMethod::Resampled => "resampled",
        }
    }
}

impl fmt::Display for IntervalMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for IntervalMethod {
    type Err = String;

    fn from_str(given: &str) -> Result<IntervalMethod, String> {
        match given {
            "limit" => Ok(IntervalMethod::Limit),
            "resampled" => Ok(IntervalMethod::Resampled),
            _ => Err(format!("`{given}` is neither `limit` nor `resampled`")),
        }
    }
}

/// Choices of the benchmarks that compare likelihoods of sentences.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SentenceOptions {
    /// How pairs of MBE are weighted.
    pub weighting: Weighting,
    /// Decimals that likelihoods of a pair are rounded to before they are compared; `None` is the
    /// method's own (3 for CPS, as released, none for the others).
    pub rounding: Option<u32>,
    pub mcnemar: McNemarForm,
}

/// Which rules tell the gender of an occupation in a translation (`--judge`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JudgeRules {
    /// What the authors of the benchmark did, as closely as it can be done without their tagger.
    Published,
    /// The whole noun phrase, lexicon and agreement.
    #[default]
    Default,
}

impl fmt::Display for JudgeRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            JudgeRules::Published => "published",
            JudgeRules::Default => "default",
        })
    }
}

impl FromStr for JudgeRules {
    type Err = String;

    fn from_str(given: &str) -> Result<JudgeRules, String> {
        match given {
            "published" => Ok(JudgeRules::Published),
            "default" => Ok(JudgeRules::Default),
            _ => Err(format!("`{given}` is neither `published` nor `default`")),
        }
    }
}

#[derive(Debug, Clone)]
pub struct MeasureOptions {
    pub seed: u64,
    /// Bootstrap resamples.
    pub replicates: usize,
    /// Rounds of randomisation tests.
    pub rounds: usize,
    pub convention: Convention,
    pub interval: IntervalMethod,
    /// How much counts as evidence of a gender in a translation.
    pub mode: Mode,
    /// How the gender of an occupation is told.
    pub judge: JudgeRules,
    pub sentences: SentenceOptions,
    pub unambiguous: UnambiguousOptions,
    /// Whether the items are those the published numbers were measured on.
    pub published_items: bool,
    /// Further files a measure uses or is checked against, by their role (`winobias`, `align:de`).
    pub inputs: BTreeMap<String, TextFile>,
}

impl Default for MeasureOptions {
    fn default() -> MeasureOptions {
        MeasureOptions {
            seed: 0,
            replicates: 1000,
            rounds: 10_000,
            convention: Convention::Published,
            interval: IntervalMethod::Limit,
            mode: Mode::Published,
            judge: JudgeRules::Default,
            sentences: SentenceOptions::default(),
            unambiguous: UnambiguousOptions::default(),
            published_items: false,
            inputs: BTreeMap::new(),
        }
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

    pub fn name(self) -> &'static str {
        match self {
            Convention::Published => "published",
            Convention::True => "true",
        }
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
