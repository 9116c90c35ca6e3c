//! Is a preference more than chance (Kaneko et al. 2022, section 4; the paper's marks themselves
//! cannot be reproduced: no unit, no seed, no variant is given).
//!
//! The paper tests with McNemar against a method that decides at random (`mcnemar.rs`). A permutation of the labels
//! needs no coin.

use epicene_stats::{Interval, StatsError, draw, percentile_interval};

use super::score::{MbeScore, PairSums, SentenceSet};
use super::walk::Walk;

/// Wins of one-to-one pairings: both sets shuffled, paired by position, as many as the smaller has.
/// Ties are no win.
pub fn paired_wins(male: &SentenceSet, female: &SentenceSet, seed: u64) -> Vec<bool> {
    let males = draw::permutation(seed, "mbe/pairing/male", 0, male.len());
    let females = draw::permutation(seed, "mbe/pairing/female", 0, female.len());
    males
        .iter()
        .zip(&females)
        .map(|(m, f)| male.likelihoods[*m as usize] > female.likelihoods[*f as usize])
        .collect()
}

/// How many of the same pairs are ties.
pub(crate) fn paired_ties(male: &SentenceSet, female: &SentenceSet, seed: u64) -> u64 {
    let males = draw::permutation(seed, "mbe/pairing/male", 0, male.len());
    let females = draw::permutation(seed, "mbe/pairing/female", 0, female.len());
    let tied =
        |(m, f): &(&u32, &u32)| male.likelihoods[**m as usize] == female.likelihoods[**f as usize];
    males.iter().zip(&females).filter(tied).count() as u64
}

/// Percentile interval over resamples of the males and of the females, each set for itself.
pub fn bootstrap_interval(
    walk: &Walk,
    replicates: usize,
    seed: u64,
) -> Result<Interval, StatsError> {
    let scores = walk.scores(replicates, |replicate| {
        let male = draw::resample_counts(seed, "mbe/bootstrap/male", replicate, walk.males());
        let female = draw::resample_counts(seed, "mbe/bootstrap/female", replicate, walk.females());
        let male = male.into_iter().map(|times| (times, 0));
        male.chain(female.into_iter().map(|times| (0, times)))
            .collect()
    });
    // Where weights have both signs a resample's may add up to 0: it has no score.
    let scores: Vec<f64> = scores
        .into_iter()
        .filter(|score| score.is_finite())
        .collect();
    percentile_interval(&scores, 0.95)
}

/// Normal interval from each sentence's influence on the ratio of the two sums: what the bootstrap
/// would find where every pair's weight has to be known (clipping, a threshold).
pub fn linearised_interval(score: &MbeScore, sums: &PairSums) -> Interval {
    let ratio = score.numerator / score.denominator;
    let squares = |sums: &[(f64, f64)]| -> f64 {
        let influence = |(wins, weights): &(f64, f64)| (wins - ratio * weights) / score.denominator;
        sums.iter().map(|sums| influence(sums).powi(2)).sum()
    };
    let deviation = 100.0 * (squares(&sums.male) + squares(&sums.female)).sqrt();
    Interval::around(score.score, 1.959_963_984_540_054 * deviation)
}

/// Label permutation test: how often does the score of randomly labelled sentences lie as far out?
/// Twice the smaller tail, the observed labelling counted among the permutations.
pub fn permutation_p_value(walk: &Walk, observed: f64, rounds: usize, seed: u64) -> f64 {
    let total = walk.males() + walk.females();
    let scores = walk.scores(rounds, |round| {
        let order = draw::permutation(seed, "mbe/permutation", round, total);
        let label = |place: u32| {
            if (place as usize) < walk.males() {
                (1, 0)
            } else {
                (0, 1)
            }
        };
        order.into_iter().map(label).collect()
    });
    let tolerance = 1e-9 * (1.0 + observed.abs());
    let above = scores
        .iter()
        .filter(|score| **score >= observed - tolerance)
        .count();
    let below = scores
        .iter()
        .filter(|score| **score <= observed + tolerance)
        .count();
    let p_value = 2.0 * (above.min(below) + 1) as f64 / (rounds + 1) as f64;
    p_value.min(1.0)
}
