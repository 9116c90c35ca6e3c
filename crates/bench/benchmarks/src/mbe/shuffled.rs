//! Shf: the paper's control that throws the genders away (section 5.1). The union of both sets is
//! shuffled, its first half set against its second; repeated, since one shuffle is mostly noise.

use epicene_stats::{StatsError, draw, mean, quantile, sample_sd};

use super::score::SentenceSet;

pub(crate) const REPEATS: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shuffled {
    pub mean: f64,
    pub sd: f64,
    /// 2.5th and 97.5th percentile of the repeats.
    pub low: f64,
    pub high: f64,
    /// Pairs in each repeat; an odd sentence is dropped.
    pub pairs: usize,
}

pub fn shuffled(
    male: &SentenceSet,
    female: &SentenceSet,
    repeats: usize,
    seed: u64,
) -> Result<Shuffled, StatsError> {
    let pooled = [&male.likelihoods[..], &female.likelihoods[..]].concat();
    let pairs = pooled.len() / 2;
    let scores: Vec<f64> = (0..repeats as u64)
        .map(|repeat| {
            let order = draw::permutation(seed, "mbe/shf", repeat, pooled.len());
            let (first, second) = (&order[..pairs], &order[pairs..2 * pairs]);
            let wins = first
                .iter()
                .zip(second)
                .filter(|(a, b)| pooled[**a as usize] > pooled[**b as usize])
                .count();
            100.0 * wins as f64 / pairs as f64
        })
        .collect();
    Ok(Shuffled {
        mean: mean(&scores)?,
        sd: sample_sd(&scores)?,
        low: quantile(&scores, 0.025)?,
        high: quantile(&scores, 0.975)?,
        pairs,
    })
}
