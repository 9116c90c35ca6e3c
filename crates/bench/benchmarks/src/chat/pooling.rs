//! What was sampled twice over: items, resampled within their strata, and wordings, of which there are so few that their spread
//! is known by t. An item's attempts (orders, repetitions, wordings) stay together: the item is the unit of resampling, not the
//! attempt.

use std::borrow::Cow;
use std::collections::BTreeMap;

use epicene_stats::{
    Interval, Resamples, alike_interval, percentile_interval, rate_interval, satterthwaite,
    student_interval, student_p_value, student_quantile,
};
use rayon::prelude::*;

use crate::{BenchError, Judged};

/// How often each item was drawn, replicate by replicate.
#[derive(Debug)]
pub struct Draws {
    weights: Vec<Vec<u32>>,
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
        Ok(Draws { weights })
    }

    /// Every replicate's values of a wording; each has the same length as `values` of no weights.
    pub fn replicate(&self, values: impl Fn(Option<&[u32]>) -> Vec<f64> + Sync) -> Vec<Vec<f64>> {
        self.weights
            .par_iter()
            .map(|weights| values(Some(weights)))
            .collect()
    }
}

/// The mean of a number over wordings. Resampled items say how far it moves with the wordings as they are; that the wordings
/// lie apart comes on top, with one degree of freedom less than there are wordings. What is of one item in one wording is in
/// both, and is taken off once, as where any two ways cross.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pooled {
    pub value: f64,
    variance: f64,
    dof: f64,
    wordings: usize,
}

impl Pooled {
    /// Of one place of the values and replicates of each wording; `None` of fewer than two numbers.
    pub fn of(wordings: &[(&[f64], &[Vec<f64>])], place: usize) -> Option<Pooled> {
        let there: Vec<&(&[f64], &[Vec<f64>])> = wordings
            .iter()
            .filter(|(values, _)| !values[place].is_nan())
            .collect();
        let count = there.len() as f64;
        if there.len() < 2 {
            return None;
        }
        let values: Vec<f64> = there.iter().map(|(values, _)| values[place]).collect();
        // For each replicate: the mean over wordings, and how far each wording is from it.
        let (mut resampled, mut apart) = (Vec::new(), vec![Vec::new(); there.len()]);
        for replicate in 0..there[0].1.len() {
            let own = |(_, replicates): &&(&[f64], &[Vec<f64>])| replicates[replicate][place];
            let drawn: Vec<f64> = there.iter().map(own).collect();
            let centre = mean(drawn.iter().copied());
            if drawn.iter().all(|value| !value.is_nan()) {
                for (apart, value) in apart.iter_mut().zip(&drawn) {
                    apart.push(value - centre);
                }
            }
            resampled.extend(Some(centre).filter(|centre| !centre.is_nan()));
        }
        let of_items = variance(&resampled)?;
        let of_wordings = variance(&values)? / count;
        let cells: f64 = apart.iter().filter_map(|apart| variance(apart)).sum();
        let cells = cells / (count * (count - 1.0));
        let total = (of_items + of_wordings - cells)
            .max(of_items)
            .max(of_wordings);
        let parts = [
            (of_items, resampled.len() as f64 - 1.0),
            (of_wordings, count - 1.0),
        ];
        let sum = of_items + of_wordings;
        let dof = satterthwaite(&parts).map(|dof| dof * (total / sum).powi(2));
        Some(Pooled {
            value: mean(values.into_iter()),
            variance: total,
            dof: dof.unwrap_or(count - 1.0),
            wordings: there.len(),
        })
    }

    /// Within what the number can be, of a number that rests on so many items: where all answers are alike each item counts
    /// once, and where there is but one item, each wording.
    pub fn interval(&self, range: Range, items: usize) -> Option<Interval> {
        let alike = if items > 1 { items } else { self.wordings };
        let interval = match range {
            Range::Share => {
                let quantile = student_quantile(LEVEL, self.dof).ok()?;
                let (value, variance) = (self.value, self.variance);
                rate_interval(value, variance, alike as f64, quantile)
            }
            Range::Within(least, most) => {
                let interval = student_interval(self.value, self.variance, self.dof, LEVEL).ok()?;
                Interval {
                    low: interval.low.max(least),
                    high: interval.high.min(most),
                }
            }
        };
        Some(widened(interval, self.value, range, alike))
    }

    /// Of no difference.
    pub fn p_value(&self) -> f64 {
        match self.variance.sqrt() {
            0.0 if self.value == 0.0 => 1.0,
            deviation => student_p_value(self.value / deviation, self.dof),
        }
    }
}

/// Mean of those that are numbers.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values
        .filter(|value| !value.is_nan())
        .fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}

fn variance(values: &[f64]) -> Option<f64> {
    let centre = mean(values.iter().copied());
    let squares: f64 = values.iter().map(|value| (value - centre).powi(2)).sum();
    (values.len() > 1).then(|| squares / (values.len() as f64 - 1.0))
}

/// What a number can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// A mean of what is between 0 and 1.
    Share,
    Within(f64, f64),
}

impl Range {
    fn ends(self) -> (f64, f64) {
        match self {
            Range::Share => (0.0, 1.0),
            Range::Within(least, most) => (least, most),
        }
    }
}

/// Below this, an interval has no width.
const NO_WIDTH: f64 = 1e-9;

/// An interval as it is, or that of numbers that are all alike where it has no width: resampling what does not vary shows
/// nothing, and that does not make it certain.
fn widened(interval: Interval, value: f64, range: Range, items: usize) -> Interval {
    if interval.high - interval.low > NO_WIDTH {
        return interval;
    }
    let dof = items.saturating_sub(1).max(1) as f64;
    match student_quantile(LEVEL, dof) {
        Ok(quantile) => alike_interval(value, range.ends(), items.max(1) as f64, quantile),
        Err(_) => interval,
    }
}

/// The interval of one place of the replicates, of a number that rests on so many items; none where most of them have no
/// number.
pub fn interval(
    value: f64,
    replicates: &[Vec<f64>],
    place: usize,
    (range, items): (Range, usize),
) -> Option<Interval> {
    let interval = percentile_interval(&numbers(replicates, place)?, LEVEL).ok()?;
    let interval = widened(interval, value, range, items);
    // Resamples of a largest difference are larger than itself: their percentiles may leave it out.
    Some(Interval {
        low: interval.low.min(value),
        high: interval.high.max(value),
    })
}

/// The interval of a share that rests on so many items; none of one alone.
pub fn share_interval(
    value: f64,
    replicates: &[Vec<f64>],
    place: usize,
    items: usize,
) -> Option<Interval> {
    let quantile = student_quantile(LEVEL, items.checked_sub(1)? as f64).ok()?;
    let variance = variance(&numbers(replicates, place)?)?;
    let interval = rate_interval(value, variance, items as f64, quantile);
    Some(widened(interval, value, Range::Share, items))
}

/// The interval of a share of attempts, from the share of each item: the attempts of an item are no new items.
pub fn attempts_interval(value: f64, by_item: &[f64]) -> Option<Interval> {
    let items = by_item.len();
    let quantile = student_quantile(LEVEL, items.checked_sub(1)? as f64).ok()?;
    let variance = variance(by_item)? / items as f64;
    let interval = rate_interval(value, variance, items as f64, quantile);
    Some(widened(interval, value, Range::Share, items))
}

/// One place of the replicates; none where most of them have no number.
fn numbers(replicates: &[Vec<f64>], place: usize) -> Option<Vec<f64>> {
    let numbers: Vec<f64> = replicates
        .iter()
        .map(|values| values[place])
        .filter(|value| !value.is_nan())
        .collect();
    (2 * numbers.len() > replicates.len()).then_some(numbers)
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
