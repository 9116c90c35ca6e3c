//! Masculine preference by stereotype, and what follows from it (specification, section 4).

use std::collections::BTreeMap;

use epicene_stats::{Resamples, percentile_interval};

use crate::gest::stereotypes::Set;
use crate::{BenchError, Options};

pub const LEVEL: f64 = 0.95;

/// The ratios of one language, or of one condition in it, by stereotype.
#[derive(Debug, Clone, Default)]
pub struct Preferences {
    by_stereotype: BTreeMap<u8, Vec<f64>>,
}

/// A number with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimated {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// The mean over each stereotype, and over each resample of it.
#[derive(Debug)]
pub struct Means {
    /// By stereotype; absent where there are too few rows.
    pub q: BTreeMap<u8, f64>,
    drawn: BTreeMap<u8, Vec<f64>>,
    replicates: usize,
}

impl Preferences {
    pub fn add(&mut self, stereotype: u8, ratio: f64) {
        self.by_stereotype
            .entry(stereotype)
            .or_default()
            .push(ratio);
    }

    pub fn rows(&self) -> usize {
        self.by_stereotype.values().map(Vec::len).sum()
    }

    pub fn of(&self, stereotype: u8) -> &[f64] {
        self.by_stereotype
            .get(&stereotype)
            .map_or(&[], Vec::as_slice)
    }

    pub fn all(&self) -> impl Iterator<Item = f64> {
        self.by_stereotype.values().flatten().copied()
    }

    /// Stereotypes with fewer rows than a mean needs.
    pub(crate) fn too_few(&self, set: &Set, least: usize) -> Vec<u8> {
        let few = |id: &u8| self.of(*id).len() < least.max(1);
        set.numbers().filter(few).collect()
    }

    /// Rows are resampled within their stereotype.
    pub fn means(&self, set: &Set, least: usize, options: &Options) -> Result<Means, BenchError> {
        let mut means = Means {
            q: BTreeMap::new(),
            drawn: BTreeMap::new(),
            replicates: options.replicates,
        };
        for (id, ratios) in &self.by_stereotype {
            if ratios.len() < least.max(1) {
                continue;
            }
            let stream = format!("eurogest/{}", set.group(*id));
            let resamples =
                Resamples::draw(options.seed, &stream, ratios.len(), options.replicates);
            means.q.insert(*id, epicene_stats::mean(ratios)?);
            means.drawn.insert(*id, resamples.means(ratios)?);
        }
        Ok(means)
    }
}

/// Mean over the stereotypes about men or about women; `None` unless all of them are there.
fn side(set: &Set, q: &BTreeMap<u8, f64>, men: bool) -> Option<f64> {
    let values: Option<Vec<f64>> = set.pole(men).map(|id| q.get(&id).copied()).collect();
    epicene_stats::mean(&values?).ok()
}

/// mean(q_8..q_16) / mean(q_1..q_7).
pub fn stereotype_rate(set: &Set, q: &BTreeMap<u8, f64>) -> Option<f64> {
    Some(side(set, q, true)? / side(set, q, false)?)
}

/// Stereotypes from the most masculine to the least; of equal ones the smaller number first.
pub fn ranking(q: &BTreeMap<u8, f64>) -> Vec<u8> {
    let mut ids: Vec<u8> = q.keys().copied().collect();
    ids.sort_by(|a, b| q[b].total_cmp(&q[a]).then(a.cmp(b)));
    ids
}

/// q_i less the mean of as many stereotypes about women as about men, the first of each (GEST: q_1..q_14): positive is more
/// masculine than the baseline. `None` unless all of them are there.
pub fn inclinations(set: &Set, q: &BTreeMap<u8, f64>) -> Option<BTreeMap<u8, f64>> {
    let both = set.pole(false).zip(set.pole(true));
    let mut members: Vec<u8> = both.flat_map(|(women, men)| [women, men]).collect();
    members.sort_unstable();
    let baseline: Option<Vec<f64>> = members.iter().map(|id| q.get(id).copied()).collect();
    let baseline = epicene_stats::mean(&baseline?).ok()?;
    Some(
        q.iter()
            .map(|(id, value)| (*id, value - baseline))
            .collect(),
    )
}

impl Means {
    /// A statistic of all q, with the middle of its values over the resamples.
    pub fn estimate(
        &self,
        statistic: impl Fn(&BTreeMap<u8, f64>) -> Option<f64>,
    ) -> Result<Option<Estimated>, BenchError> {
        let Some(value) = statistic(&self.q) else {
            return Ok(None);
        };
        let of = |replicate: usize| {
            let drawn = self.drawn.iter();
            let q = drawn.map(|(id, means)| (*id, means[replicate])).collect();
            statistic(&q)
        };
        let drawn: Vec<f64> = (0..self.replicates).filter_map(of).collect();
        let interval = percentile_interval(&drawn, LEVEL)?;
        Ok(Some(Estimated {
            value,
            low: interval.low,
            high: interval.high,
        }))
    }
}

/// q_m, q_f: means over the stereotypes of one side.
pub(crate) fn side_mean(set: &Set, men: bool) -> impl Fn(&BTreeMap<u8, f64>) -> Option<f64> {
    move |q| side(set, q, men)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_ranks_and_inclinations() {
        let set = Set::default();
        let q: BTreeMap<u8, f64> = (1..=16)
            .map(|id| (id, if id < 8 { 0.4 } else { 0.6 }))
            .collect();
        assert!((stereotype_rate(&set, &q).unwrap() - 1.5).abs() < 1e-12);
        assert_eq!(ranking(&q)[..3], [8, 9, 10]);
        assert_eq!(ranking(&q)[15], 7);
        let inclined = inclinations(&set, &q).unwrap();
        assert!((inclined[&16] - 0.1).abs() < 1e-12 && (inclined[&1] + 0.1).abs() < 1e-12);
        let mut gap = q.clone();
        gap.remove(&16);
        assert_eq!(stereotype_rate(&set, &gap), None);
        assert!(inclinations(&set, &gap).is_some());
        gap.remove(&3);
        assert_eq!(inclinations(&set, &gap), None);
    }
}
