//! Tests by rearranging the data: permutation tests (Fisher 1935), approximate randomisation of two paired
//! systems (Noreen 1989; Riezler & Maxwell 2005) and the paired bootstrap (Koehn 2004).
//!
//! **Two-sided p-values** of the permutation tests are those of `scipy.stats.permutation_test`: twice the
//! smaller of the two one-sided p-values, at most 1. When rearrangements are sampled the observed one is
//! counted among them, (b + 1) / (m + 1), so p is never zero (Phipson & Smyth 2010). Rearrangements whose
//! statistic equals the observed one up to rounding count as equal.
//!
//! Sampled rearrangement `r` has a random stream of its own and only counts are added up, so the thread count
//! never shows.

use crate::{
    bootstrap::percentile_interval,
    combinations::{binomial_coefficient, next_combination, nth_combination},
    describe::sum,
    error::{StatsError, some_finite},
    interval::Interval,
    resample::bootstrap,
    stream::{below, fill_coins, replicate_rng},
};
use rand_core::Rng;
use rayon::prelude::*;
use std::ops::Add;

/// A permutation test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PermutationTest {
    /// The observed statistic.
    pub statistic: f64,
    pub p_value: f64,
    /// All rearrangements were tried, not a sample of them.
    pub exact: bool,
    /// How many rearrangements were tried.
    pub rearrangements: u64,
}

/// Tests whether two independent samples have the same distribution by the difference of their means,
/// `first` less `second` (`scipy.stats.permutation_test(permutation_type='independent')`).
///
/// All splits are tried when there are no more than `limit` of them; otherwise `limit` random ones.
pub fn two_sample_permutation_test(
    first: &[f64],
    second: &[f64],
    limit: u64,
    seed: u64,
    stream: &str,
) -> Result<PermutationTest, StatsError> {
    some_finite("first", first)?;
    some_finite("second", second)?;
    check_limit(limit)?;
    let pooled = [first, second].concat();
    let (chosen, total) = (first.len(), sum(&pooled));
    let difference = |first_sum: f64| {
        first_sum / chosen as f64 - (total - first_sum) / (pooled.len() - chosen) as f64
    };
    // Through the pooled total like every other split, so that the same split gives the same bits.
    let observed = difference(left_to_right(first.iter().copied()));
    let tails = Tails::around(observed, &pooled);

    let splits = binomial_coefficient(pooled.len(), chosen);
    let exact = splits.filter(|splits| *splits <= limit);
    let counts = match exact {
        Some(splits) => (0..splits.div_ceil(SPLITS_PER_TASK))
            .into_par_iter()
            .map(|task| {
                let start = task * SPLITS_PER_TASK;
                let mut split = nth_combination(pooled.len(), chosen, start);
                let mut counts = Counts::default();
                for _ in start..splits.min(start + SPLITS_PER_TASK) {
                    counts = counts
                        + tails.count(difference(left_to_right(
                            split.iter().map(|&item| pooled[item]),
                        )));
                    next_combination(&mut split, pooled.len());
                }
                counts
            })
            .reduce(Counts::default, Add::add),
        None => (0..limit)
            .into_par_iter()
            .map(|round| {
                let mut rng = replicate_rng(seed, stream, round);
                let mut shuffled = pooled.clone();
                // The first `chosen` places of a Fisher–Yates shuffle.
                for place in 0..chosen {
                    let other = place + below(&mut rng, (shuffled.len() - place) as u64) as usize;
                    shuffled.swap(place, other);
                }
                tails.count(difference(left_to_right(
                    shuffled[..chosen].iter().copied(),
                )))
            })
            .reduce(Counts::default, Add::add),
    };
    Ok(counts.test(observed, exact, limit))
}

/// Tests whether paired differences are symmetric about zero by flipping their signs; the statistic is their
/// mean (`scipy.stats.permutation_test(permutation_type='samples')` on the mean of x - y).
///
/// All 2^n sign patterns are tried when there are no more than `limit` of them; otherwise `limit` random ones.
pub fn paired_permutation_test(
    differences: &[f64],
    limit: u64,
    seed: u64,
    stream: &str,
) -> Result<PermutationTest, StatsError> {
    some_finite("differences", differences)?;
    check_limit(limit)?;
    let n = differences.len();
    let sums = SignedSums::new(differences);
    let observed = sums.flipped(|| 0) / n as f64;
    let tails = Tails::around(observed, differences);

    let patterns = u32::try_from(n).ok().and_then(|n| 1_u64.checked_shl(n));
    let exact = patterns.filter(|patterns| *patterns <= limit);
    let counts = (0..exact.unwrap_or(limit))
        .into_par_iter()
        .map(|round| {
            let sum = match exact {
                Some(_) => sums.flipped(|| round),
                None => {
                    let mut rng = replicate_rng(seed, stream, round);
                    sums.flipped(|| rng.next_u64())
                }
            };
            tails.count(sum / n as f64)
        })
        .reduce(Counts::default, Add::add);
    Ok(counts.test(observed, exact, limit))
}

/// Sums of the same numbers with other signs. Of every eight numbers all 256 sums are known beforehand, so that a sum takes an
/// eighth of the additions.
struct SignedSums {
    of_eight: Vec<[f64; 256]>,
}

impl SignedSums {
    fn new(values: &[f64]) -> SignedSums {
        let sums = |eight: &[f64]| {
            std::array::from_fn(|flips| {
                let values = eight.iter().enumerate();
                left_to_right(values.map(|(place, value)| match flips >> place & 1 {
                    0 => *value,
                    _ => -value,
                }))
            })
        };
        SignedSums {
            of_eight: values.chunks(8).map(sums).collect(),
        }
    }

    /// The sum with some numbers negated: those whose bit is set in `flips`, which has 64 bits at a time.
    fn flipped(&self, mut flips: impl FnMut() -> u64) -> f64 {
        left_to_right(self.of_eight.chunks(8).map(|tables| {
            let bytes = flips().to_le_bytes();
            let parts = tables.iter().zip(bytes);
            left_to_right(parts.map(|(sums, flips)| sums[usize::from(flips)]))
        }))
    }
}

/// Approximate randomisation test of two systems on the same items, for any statistic of the whole set.
///
/// `statistic` gets, for each item, whether the outputs of the two systems are swapped, and returns the
/// difference between the systems; `observed` is its value with nothing swapped. Each of the `rounds` swaps
/// every item with probability 1/2, and p = (1 + #{|statistic| >= |observed|}) / (1 + rounds), equality up to
/// 1e-12 (relative above 1). A round whose statistic is NaN counts against the difference.
pub fn approximate_randomisation<F>(
    n_items: usize,
    rounds: u64,
    seed: u64,
    stream: &str,
    statistic: F,
    observed: f64,
) -> f64
where
    F: Fn(&[bool]) -> f64 + Sync,
{
    let threshold = observed.abs() - 1e-12 * observed.abs().max(1.0);
    let at_least = (0..rounds)
        .into_par_iter()
        .map_init(
            || vec![false; n_items],
            |swapped, round| {
                fill_coins(&mut replicate_rng(seed, stream, round), swapped);
                let smaller = statistic(swapped).abs() < threshold;
                u64::from(!smaller)
            },
        )
        .sum::<u64>();
    (1 + at_least) as f64 / (1 + rounds) as f64
}

/// A paired bootstrap comparison of two systems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedBootstrap {
    /// Percentile interval of the difference.
    pub interval: Interval,
    /// From the share of resamples on either side of zero.
    pub p_value: f64,
}

/// Paired bootstrap (Koehn 2004): `difference` is the difference between two systems on resampled items.
///
/// The two-sided p-value is twice the smaller of the shares of resamples with a difference <= 0 and >= 0, each
/// as (b + 1) / (m + 1), at most 1.
pub fn paired_bootstrap<F>(
    n_items: usize,
    replicates: usize,
    seed: u64,
    stream: &str,
    level: f64,
    difference: F,
) -> Result<PairedBootstrap, StatsError>
where
    F: Fn(&[u32]) -> f64 + Sync,
{
    if n_items == 0 {
        return Err(StatsError::Empty { argument: "items" });
    }
    let differences = bootstrap(n_items, replicates, seed, stream, difference);
    let interval = percentile_interval(&differences, level)?;
    let share = |count: usize| (count + 1) as f64 / (replicates + 1) as f64;
    let not_above = share(
        differences
            .iter()
            .filter(|difference| **difference <= 0.0)
            .count(),
    );
    let not_below = share(
        differences
            .iter()
            .filter(|difference| **difference >= 0.0)
            .count(),
    );
    Ok(PairedBootstrap {
        interval,
        p_value: (2.0 * not_above.min(not_below)).min(1.0),
    })
}

fn check_limit(limit: u64) -> Result<(), StatsError> {
    if limit == 0 {
        Err(StatsError::TooFew {
            argument: "limit",
            needed: 1,
            got: 0,
        })
    } else {
        Ok(())
    }
}

fn left_to_right(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |total, value| total + value)
}

/// Where rearranged statistics stop being as extreme as the observed one.
struct Tails {
    at_most: f64,
    at_least: f64,
}

impl Tails {
    /// SciPy tolerates rounding of 100 ulps of the statistic. Statistics near zero come from values that cancel,
    /// so the tolerance here also follows the mean size of the values.
    fn around(observed: f64, values: &[f64]) -> Tails {
        let sizes: Vec<f64> = values.iter().map(|value| value.abs()).collect();
        let scale = observed.abs().max(sum(&sizes) / sizes.len() as f64);
        let tolerance = 100.0 * f64::EPSILON * scale;
        Tails {
            at_most: observed + tolerance,
            at_least: observed - tolerance,
        }
    }

    fn count(&self, statistic: f64) -> Counts {
        Counts {
            less: u64::from(statistic <= self.at_most),
            greater: u64::from(statistic >= self.at_least),
        }
    }
}

/// Rearrangements at least as extreme as the observed data, on either side.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    less: u64,
    greater: u64,
}

impl Add for Counts {
    type Output = Counts;

    fn add(self, other: Counts) -> Counts {
        Counts {
            less: self.less + other.less,
            greater: self.greater + other.greater,
        }
    }
}

impl Counts {
    fn test(self, statistic: f64, all: Option<u64>, limit: u64) -> PermutationTest {
        // A sample of rearrangements does not hold the observed one for certain: it is added.
        let (rearrangements, added) = all.map_or((limit, 1), |all| (all, 0));
        let smaller = self.less.min(self.greater) + added;
        let p_value = (2.0 * smaller as f64 / (rearrangements + added) as f64).min(1.0);
        PermutationTest {
            statistic,
            p_value,
            exact: all.is_some(),
            rearrangements,
        }
    }
}

/// Splits one thread goes through at a time.
const SPLITS_PER_TASK: u64 = 4096;
