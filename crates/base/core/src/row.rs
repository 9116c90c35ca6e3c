//! The tidy table that everything is printed from: one row, one number, with what it needs to be
//! understood (what was measured, on what, how sure, and which value would mean "no bias").

use serde::{Deserialize, Serialize};

use crate::Unit;

/// What a row's number is about. Names of systems are the user's own and never say it: `a - b` may be a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum RowKind {
    /// One system's own number.
    #[default]
    Value,
    /// How much larger the metric `of` is for the system `to` than for `from`.
    Difference {
        of: String,
        from: String,
        to: String,
    },
    /// Any other number of that comparison: a p-value, a count.
    Test { from: String, to: String },
}

/// One measured number. The key names are relied on by scripts and never change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub benchmark: String,
    pub system: String,
    /// `template:3`, `lang:sk`, `split:type1-test`, or `all`.
    pub unit: Unit,
    /// `all`, `stereotype:7`, `occupation:nurse`…
    pub group: String,
    /// The paper's symbol: `q`, `g_s`, `f_s`…
    pub metric: String,
    pub value: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub n: Option<u64>,
    /// The value of an unbiased system, where there is one. Never "higher is better".
    pub ideal: Option<f64>,
    /// What was sampled: clusters (occupations, sentences…) that the interval rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
    /// Design effect: the variance over that of as many independent items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deff: Option<f64>,
    /// Independent items that would tell as much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n_eff: Option<f64>,
    /// Known to the program that measured; files hold systems' own numbers.
    #[serde(skip)]
    pub kind: RowKind,
}

impl Row {
    /// Column names, in the order of every export; [`Row::DESIGN`] follow where some row has them.
    pub const COLUMNS: [&'static str; 10] = [
        "benchmark",
        "system",
        "unit",
        "group",
        "metric",
        "value",
        "low",
        "high",
        "n",
        "ideal",
    ];

    /// Columns of rows whose interval knows what was sampled.
    pub const DESIGN: [&'static str; 3] = ["k", "deff", "n_eff"];

    /// A bare number: interval, n and ideal are filled in by those who know them.
    pub fn new(benchmark: &str, [system, unit, group]: [&str; 3], metric: &str, value: f64) -> Row {
        Row {
            benchmark: benchmark.to_owned(),
            system: system.to_owned(),
            unit: Unit::named(unit),
            group: group.to_owned(),
            metric: metric.to_owned(),
            value,
            low: None,
            high: None,
            n: None,
            ideal: None,
            k: None,
            deff: None,
            n_eff: None,
            kind: RowKind::Value,
        }
    }

    /// Whether this is about all that was asked, or about a part of a benchmark that puts no parts together. The whole of
    /// MT-GenEval is its counterfactual set.
    pub fn is_whole(&self) -> bool {
        matches!(self.group.as_str(), "all" | "counterfactual") || self.group.starts_with("part:")
    }

    /// The metric whose difference this is, where it is one.
    pub fn difference_of(&self) -> Option<&str> {
        match &self.kind {
            RowKind::Difference { of, .. } => Some(of),
            _ => None,
        }
    }

    /// The systems that were compared, first and second.
    pub fn compared(&self) -> Option<(&str, &str)> {
        match &self.kind {
            RowKind::Value => None,
            RowKind::Difference { from, to, .. } | RowKind::Test { from, to } => Some((from, to)),
        }
    }

    /// Whether the interval is there and leaves the ideal value out.
    pub fn excludes_ideal(&self) -> bool {
        match (self.ideal, self.low, self.high) {
            (Some(ideal), Some(low), Some(high)) => ideal < low || ideal > high,
            _ => false,
        }
    }
}
