//! Accuracy, F1 of each gender, ΔG and ΔS, rounded as the authors round (specification, B4).

use std::collections::BTreeMap;

use epicene_stats::round_half_even;

use super::prediction::{Gold, Prediction};

/// How often each gold gender was given each prediction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Confusion {
    counts: BTreeMap<(Gold, Prediction), u64>,
}

/// Percentages with one decimal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GenderScores {
    pub precision: f64,
    pub recall: f64,
    /// Harmonic mean of the rounded values, rounded.
    pub f1: f64,
}

impl Confusion {
    pub fn add(&mut self, gold: Gold, prediction: Prediction) {
        self.add_many(gold, prediction, 1);
    }

    pub fn add_many(&mut self, gold: Gold, prediction: Prediction, times: u64) {
        *self.counts.entry((gold, prediction)).or_default() += times;
    }

    pub fn count(&self, gold: Gold, prediction: Prediction) -> u64 {
        self.counts.get(&(gold, prediction)).copied().unwrap_or(0)
    }

    pub fn gold(&self, gold: Gold) -> u64 {
        Prediction::ALL
            .iter()
            .map(|prediction| self.count(gold, *prediction))
            .sum()
    }

    pub fn predicted(&self, prediction: Prediction) -> u64 {
        Gold::ALL
            .iter()
            .map(|gold| self.count(*gold, prediction))
            .sum()
    }

    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    pub fn correct(&self) -> u64 {
        Gold::ALL
            .iter()
            .map(|gold| self.count(*gold, gold.prediction()))
            .sum()
    }

    /// In percent; `None` of nothing.
    pub fn accuracy(&self) -> Option<f64> {
        (self.total() > 0).then(|| percent(self.correct(), self.total()))
    }

    pub fn scores(&self, gold: Gold) -> GenderScores {
        let right = self.count(gold, gold.prediction());
        let recall = percent(right, self.gold(gold));
        let precision = percent(right, self.predicted(gold.prediction()));
        let f1 = if precision + recall > 0.0 {
            round_half_even(2.0 * precision * recall / (precision + recall), 1)
        } else {
            0.0
        };
        GenderScores {
            precision,
            recall,
            f1,
        }
    }

    /// F1 of masculine less F1 of feminine.
    pub fn delta_g(&self) -> f64 {
        round_half_even(self.scores(Gold::Male).f1 - self.scores(Gold::Female).f1, 1)
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    match whole {
        0 => 0.0,
        _ => round_half_even(part as f64 / whole as f64 * 100.0, 1),
    }
}

/// Accuracy on pro- less accuracy on anti-stereotypical sentences, both rounded already.
pub fn delta_s(pro: &Confusion, anti: &Confusion) -> Option<f64> {
    let difference = pro.accuracy()? - anti.accuracy()?;
    Some(round_half_even(difference, 1))
}
