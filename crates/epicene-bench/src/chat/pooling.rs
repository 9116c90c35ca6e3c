//! The two-level bootstrap: what was sampled is drawn within its strata, wordings among the wordings. An item's attempts (orders,
//! repetitions, wordings) stay together: the item is the unit of resampling, not the attempt.

use std::borrow::Cow;
use std::collections::BTreeMap;

use epicene_stats::{Interval, Resamples, percentile_interval};
use rayon::prelude::*;

use crate::{BenchError, Judged};

/// How often each item was drawn, replicate by replicate.
#[derive(Debug)]
pub struct Draws {
    weights: Vec<Vec<u32>>,
    replicates: usize,
    seed: u64,
}

const LEVEL: f64 = 0.95;

impl Draws {
    /// Draws what the benchmark's card says was sampled, within its strata.
    pub fn of(judged: &Judged<'_>) -> Result<Draws, BenchError> {
        let (sampling, items) = (judged.card.sampling, &judged.table.items);
        let mut strata: BTreeMap<Cow<'_, str>, BTreeMap<Cow<'_, str>, Vec<usize>>> =
            BTreeMap::new();
        for (place, item) in items.iter().enumerate() {
            let drawn = (sampling.of)(item).ok_or_else(|| BenchError::BadItem {
                item: item.id.to_owned(),
                message: format!("it has no {}", sampling.unit),
            })?;
            let units = strata.entry(drawn.stratum).or_default();
            units.entry(drawn.unit).or_default().push(place);
        }
        let (seed, replicates) = (judged.options.seed, judged.options.replicates);
        let mut weights = vec![vec![0_u32; items.len()]; replicates];
        for (stratum, units) in &strata {
            let units: Vec<&Vec<usize>> = units.values().collect();
            let stream = format!("chat/{}/{stratum}", sampling.unit);
            let drawn = Resamples::draw(seed, &stream, units.len(), replicates);
            for (replicate, weights) in weights.iter_mut().enumerate() {
                for place in drawn.indices(replicate) {
                    for item in units[*place as usize] {
                        weights[*item] += 1;
                    }
                }
            }
        }
        Ok(Draws {
            weights,
            replicates,
            seed,
        })
    }

    /// Every replicate's values of a wording; each has the same length as `values` of no weights.
    pub fn replicate(&self, values: impl Fn(Option<&[u32]>) -> Vec<f64> + Sync) -> Vec<Vec<f64>> {
        self.weights
            .par_iter()
            .map(|weights| values(Some(weights)))
            .collect()
    }

    /// Means over wordings that are drawn anew for each replicate: `of` holds the replicates of each wording.
    pub fn over_wordings(&self, stream: &str, of: &[&Vec<Vec<f64>>]) -> Vec<Vec<f64>> {
        let stream = format!("chat/wordings/{stream}");
        let drawn = Resamples::draw(self.seed, &stream, of.len(), self.replicates);
        (0..self.replicates)
            .map(|replicate| {
                let chosen = drawn.indices(replicate);
                let chosen: Vec<&Vec<f64>> = chosen
                    .iter()
                    .map(|wording| &of[*wording as usize][replicate])
                    .collect();
                mean_of(&chosen)
            })
            .collect()
    }
}

/// Place by place, over those that have a number.
pub fn mean_of(values: &[&Vec<f64>]) -> Vec<f64> {
    let places = values.first().map_or(0, |first| first.len());
    (0..places)
        .map(|place| {
            let numbers: Vec<f64> = values
                .iter()
                .map(|values| values[place])
                .filter(|value| !value.is_nan())
                .collect();
            numbers.iter().sum::<f64>() / numbers.len() as f64
        })
        .collect()
}

/// The interval of one place of the replicates; none where most of them have no number.
pub fn interval(replicates: &[Vec<f64>], place: usize) -> Option<Interval> {
    let numbers: Vec<f64> = replicates
        .iter()
        .map(|values| values[place])
        .filter(|value| !value.is_nan())
        .collect();
    if 2 * numbers.len() <= replicates.len() {
        return None;
    }
    percentile_interval(&numbers, LEVEL).ok()
}

/// Two-sided p-value of no difference, from the replicates of one: how far their bulk lies from zero.
pub fn p_value(replicates: &[Vec<f64>], place: usize) -> f64 {
    let numbers: Vec<f64> = replicates
        .iter()
        .map(|values| values[place])
        .filter(|value| !value.is_nan())
        .collect();
    let at_most = numbers.iter().filter(|value| **value <= 0.0).count();
    let at_least = numbers.iter().filter(|value| **value >= 0.0).count();
    let tail = (at_most.min(at_least) + 1) as f64 / (numbers.len() + 1) as f64;
    (2.0 * tail).min(1.0)
}
