//! The two-level bootstrap: items are drawn within their groups, wordings among the wordings. An item's attempts (orders,
//! repetitions, wordings) stay together: the item is the unit of resampling, not the attempt.

use epicene_stats::{Interval, Resamples, percentile_interval};
use rayon::prelude::*;

/// How often each item was drawn, replicate by replicate.
#[derive(Debug)]
pub struct Draws {
    weights: Vec<Vec<u32>>,
    replicates: usize,
    seed: u64,
}

const LEVEL: f64 = 0.95;

impl Draws {
    /// `groups` are the items of each group, which is resampled by itself.
    pub fn new(seed: u64, replicates: usize, items: usize, groups: &[Vec<usize>]) -> Draws {
        let mut weights = vec![vec![0_u32; items]; replicates];
        for (number, group) in groups.iter().enumerate() {
            let stream = format!("chat/items/{number}");
            let drawn = Resamples::draw(seed, &stream, group.len(), replicates);
            for (replicate, weights) in weights.iter_mut().enumerate() {
                for place in drawn.indices(replicate) {
                    weights[group[*place as usize]] += 1;
                }
            }
        }
        Draws {
            weights,
            replicates,
            seed,
        }
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
