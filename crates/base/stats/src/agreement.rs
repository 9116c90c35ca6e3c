//! How far people agree who labelled the same things: Cohen's κ of two, Krippendorff's α of any number, with gaps.

use std::collections::BTreeMap;

use crate::{
    describe::sum,
    error::StatsError,
    interval::{Interval, normal_quantile},
};

/// Cohen's κ with the standard error of Fleiss, Cohen & Everitt (1969).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kappa {
    pub value: f64,
    pub standard_error: f64,
    /// Share on which both say the same.
    pub agreement: f64,
}

impl Kappa {
    pub fn interval(&self, level: f64) -> Result<Interval, StatsError> {
        let half = normal_quantile(level)? * self.standard_error;
        Ok(Interval::around(self.value, half))
    }
}

/// Cohen's κ of two annotators (`statsmodels.stats.inter_rater.cohens_kappa`). Undefined where both say one and the
/// same thing throughout.
pub fn cohens_kappa(pairs: &[(u32, u32)]) -> Result<Kappa, StatsError> {
    if pairs.is_empty() {
        return Err(StatsError::Empty { argument: "pairs" });
    }
    let n = pairs.len() as f64;
    let mut cells: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    let mut first: BTreeMap<u32, f64> = BTreeMap::new();
    let mut second: BTreeMap<u32, f64> = BTreeMap::new();
    for (one, other) in pairs {
        *cells.entry((*one, *other)).or_default() += 1.0 / n;
        *first.entry(*one).or_default() += 1.0 / n;
        *second.entry(*other).or_default() += 1.0 / n;
    }
    let of = |shares: &BTreeMap<u32, f64>, label: u32| shares.get(&label).copied().unwrap_or(0.0);
    let same = pairs.iter().filter(|(one, other)| one == other).count();
    let observed = same as f64 / n;
    let expected: f64 = first
        .iter()
        .map(|(label, share)| share * of(&second, *label))
        .sum();
    if 1.0 - expected <= 0.0 {
        return Err(StatsError::Degenerate {
            result: "Cohen's kappa",
            reason: "both annotators use one and the same label",
        });
    }
    let value = (observed - expected) / (1.0 - expected);
    let (mut on, mut off) = (0.0, 0.0);
    for ((one, other), share) in &cells {
        if one == other {
            let margins = of(&first, *one) + of(&second, *one);
            on += share * (1.0 - margins * (1.0 - value)).powi(2);
        } else {
            off += share * (of(&second, *one) + of(&first, *other)).powi(2);
        }
    }
    let middle = (value - expected * (1.0 - value)).powi(2);
    let variance = (on + (1.0 - value).powi(2) * off - middle) / (1.0 - expected).powi(2) / n;
    Ok(Kappa {
        value,
        standard_error: variance.max(0.0).sqrt(),
        agreement: observed,
    })
}

/// Krippendorff's α of labels without an order (`krippendorff.alpha(level_of_measurement="nominal")`): for each thing
/// the labels it got, from any number of people; things with fewer than two tell nothing.
pub fn krippendorff_alpha(things: &[Vec<u32>]) -> Result<f64, StatsError> {
    let mut together: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    for labels in things.iter().filter(|labels| labels.len() > 1) {
        let weight = 1.0 / (labels.len() - 1) as f64;
        for (place, one) in labels.iter().enumerate() {
            for (other_place, other) in labels.iter().enumerate() {
                if place != other_place {
                    *together.entry((*one, *other)).or_default() += weight;
                }
            }
        }
    }
    if together.is_empty() {
        return Err(StatsError::TooFew {
            argument: "labels of one thing",
            needed: 2,
            got: 1,
        });
    }
    let mut margins: BTreeMap<u32, f64> = BTreeMap::new();
    for ((one, _), weight) in &together {
        *margins.entry(*one).or_default() += weight;
    }
    let totals: Vec<f64> = margins.values().copied().collect();
    let n = sum(&totals);
    let apart = together
        .iter()
        .filter(|((one, other), _)| one != other)
        .map(|(_, weight)| weight)
        .sum::<f64>();
    let chance = (n * n - totals.iter().map(|total| total * total).sum::<f64>()) / (n - 1.0);
    if chance <= 0.0 {
        return Err(StatsError::Degenerate {
            result: "Krippendorff's alpha",
            reason: "only one label is used",
        });
    }
    Ok(1.0 - apart / chance)
}
