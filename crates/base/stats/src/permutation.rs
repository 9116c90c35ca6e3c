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
use rand_xoshiro::Xoshiro256PlusPlus;
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
    let rounds = exact.unwrap_or(limit);
    let counts = (0..rounds.div_ceil(ROUNDS_PER_TASK))
        .into_par_iter()
        .map(|task| {
            let start = task * ROUNDS_PER_TASK;
            let rounds = start..rounds.min(start + ROUNDS_PER_TASK);
            let totals = match exact {
                Some(_) => rounds.map(|pattern| sums.flipped(|| pattern)).collect(),
                None => sums.flipped_each(
                    rounds
                        .map(|round| replicate_rng(seed, stream, round))
                        .collect(),
                ),
            };
            let counts = totals.into_iter().map(|sum| tails.count(sum / n as f64));
            counts.fold(Counts::default(), Add::add)
        })
        .reduce(Counts::default, Add::add);
    Ok(counts.test(observed, exact, limit))
}

/// The sums of one side of paired differences under random signs, which [`paired_permutation_test`] draws too: the difference of
/// two sides' sums is the sum of their differences.
#[derive(Debug)]
pub struct SignedTotals {
    observed: f64,
    totals: Vec<f64>,
    n: usize,
    /// Mean size of the values.
    size: f64,
}

impl SignedTotals {
    pub fn new(
        values: Vec<f64>,
        rounds: u64,
        seed: u64,
        stream: &str,
    ) -> Result<SignedTotals, StatsError> {
        some_finite("values", &values)?;
        check_limit(rounds)?;
        let sums = SignedSums::new(&values);
        let totals = (0..rounds.div_ceil(ROUNDS_PER_TASK))
            .into_par_iter()
            .flat_map_iter(|task| {
                let start = task * ROUNDS_PER_TASK;
                let rounds = start..rounds.min(start + ROUNDS_PER_TASK);
                let generators = rounds.map(|round| replicate_rng(seed, stream, round));
                sums.flipped_each(generators.collect())
            })
            .collect();
        let sizes: Vec<f64> = values.iter().map(|value| value.abs()).collect();
        Ok(SignedTotals {
            observed: sums.flipped(|| 0),
            totals,
            n: values.len(),
            size: sum(&sizes) / values.len() as f64,
        })
    }

    /// The paired test of these values less the others, both under the same signs.
    pub fn less(&self, other: &SignedTotals) -> PermutationTest {
        let mean = |ours: f64, theirs: f64| (ours - theirs) / self.n as f64;
        let observed = mean(self.observed, other.observed);
        let tails = Tails::around(observed, &[self.size + other.size]);
        let both = self.totals.iter().zip(&other.totals);
        let counts = both.map(|(ours, theirs)| tails.count(mean(*ours, *theirs)));
        let counts = counts.fold(Counts::default(), Add::add);
        counts.test(observed, None, self.totals.len() as u64)
    }
}

/// Sums of the same numbers with other signs. Of every eight numbers all 256 sums are known beforehand, so that a sum takes an
/// eighth of the additions.
struct SignedSums {
    of_eight: Vec<[f64; 256]>,
}

impl SignedSums {
    fn new(values: &[f64]) -> SignedSums {
        // Each number doubles the table: the sums so far with it, then the sums so far less it.
        let sums = |eight: &[f64]| {
            let mut sums = [0.0; 256];
            for (index, value) in eight.iter().enumerate() {
                let (added, negated) = sums.split_at_mut(1 << index);
                for (with, without) in added.iter_mut().zip(negated) {
                    *without = *with - value;
                    *with += value;
                }
            }
            // Of fewer than eight numbers, bits without a number change nothing.
            let (known, rest) = sums.split_at_mut(1 << eight.len());
            for more in rest.chunks_mut(known.len()) {
                more.copy_from_slice(known);
            }
            sums
        };
        SignedSums {
            of_eight: values.chunks(8).map(sums).collect(),
        }
    }

    /// The sum with some numbers negated: those whose bit is set in `flips`, which has 64 bits at a time.
    fn flipped(&self, mut flips: impl FnMut() -> u64) -> f64 {
        left_to_right(
            self.of_eight
                .chunks(8)
                .map(|tables| flipped_part(tables, flips())),
        )
    }

    /// [`flipped`](SignedSums::flipped) by each generator, with the same bits: 64 numbers after the other for all of them, so that
    /// the sums of these stay in the nearest cache.
    fn flipped_each(&self, mut generators: Vec<Xoshiro256PlusPlus>) -> Vec<f64> {
        let mut totals = vec![0.0; generators.len()];
        for tables in self.of_eight.chunks(8) {
            for (total, generator) in totals.iter_mut().zip(&mut generators) {
                *total += flipped_part(tables, generator.next_u64());
            }
        }
        totals
    }
}

/// The sum of up to 64 numbers.
fn flipped_part(tables: &[[f64; 256]], flips: u64) -> f64 {
    let parts = tables.iter().zip(flips.to_le_bytes());
    left_to_right(parts.map(|(sums, flips)| sums[usize::from(flips)]))
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

/// Patterns of signs that one thread goes through at a time.
const ROUNDS_PER_TASK: u64 = 1024;

/// Splits one thread goes through at a time.
const SPLITS_PER_TASK: u64 = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever number of values there is, all rounds together are the rounds one by one, to the last bit.
    #[test]
    fn rounds_together_are_rounds_one_by_one() {
        for n in (1..20).chain([63, 64, 65, 130]) {
            let values: Vec<f64> = (0..n).map(|i| 0.1 + f64::from(i) * 0.37).collect();
            let sums = SignedSums::new(&values);
            let generators = || (0..50).map(|round| replicate_rng(3, "flips", round));
            let together = sums.flipped_each(generators().collect());
            for (mut generator, total) in generators().zip(together) {
                let mut bits = Vec::new();
                for _ in 0..values.len().div_ceil(64) {
                    bits.push(generator.next_u64());
                }
                let is_flipped = |at: usize| bits[at / 64] >> (at % 64) & 1 == 1;
                let signed =
                    |(at, value): (usize, &f64)| if is_flipped(at) { -value } else { *value };
                let signed: Vec<f64> = values.iter().enumerate().map(signed).collect();
                let eights = signed
                    .chunks(8)
                    .map(|few| left_to_right(few.iter().copied()));
                let eights: Vec<f64> = eights.collect();
                let parts = eights
                    .chunks(8)
                    .map(|few| left_to_right(few.iter().copied()));
                assert_eq!(
                    left_to_right(parts).to_bits(),
                    total.to_bits(),
                    "{n} values"
                );
            }
        }
    }
}
