//! Exact binomial test and McNemar's test of paired yes/no outcomes.

use crate::{
    error::StatsError,
    interval::checked_counts,
    special::{binomial_at_least, binomial_cdf, binomial_pmf, chi_square_upper},
};

/// Two outcomes this close in probability (relative) count as equally likely; SciPy and R use the same.
const LIKELIHOOD_TOLERANCE: f64 = 1.0 + 1e-7;

/// Two-sided p-value of `successes` out of `trials` when each succeeds with `probability`
/// (`scipy.stats.binomtest`): the probability of all outcomes no more likely than the one seen.
pub fn binomial_test(successes: u64, trials: u64, probability: f64) -> Result<f64, StatsError> {
    let (k, n) = checked_counts(successes, trials)?;
    if !(0.0..=1.0).contains(&probability) {
        return Err(StatsError::OutOfRange {
            argument: "probability",
            value: probability,
            range: "[0, 1]",
        });
    }
    let mean = probability * n;
    if k == mean {
        return Ok(1.0);
    }
    let likely_as_seen = binomial_pmf(successes, trials, probability) * LIKELIHOOD_TOLERANCE;
    let more_likely = |outcome: u64| binomial_pmf(outcome, trials, probability) > likely_as_seen;
    let p_value = if k < mean {
        // Probabilities fall from the mean upwards: the far tail starts where they get as small as this one.
        let far = first_where(mean.ceil() as u64, trials + 1, |outcome| {
            !more_likely(outcome)
        });
        binomial_cdf(successes, trials, probability) + binomial_at_least(far, trials, probability)
    } else {
        // They rise from 0 up to the mean: the far tail ends before they get larger.
        let end = first_where(0, mean.floor() as u64 + 1, more_likely);
        let far_tail = if end == 0 {
            0.0
        } else {
            binomial_cdf(end - 1, trials, probability)
        };
        far_tail + binomial_at_least(successes, trials, probability)
    };
    Ok(p_value.min(1.0))
}

/// First of low..high for which `holds`, or `high`; once it holds it holds for all that follow.
fn first_where(mut low: u64, mut high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// McNemar's test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct McNemar {
    /// The chi-square, or for the exact test the smaller of the two discordant counts.
    pub statistic: f64,
    pub p_value: f64,
}

/// Exact McNemar test (`statsmodels.stats.contingency_tables.mcnemar(exact=True)`). The arguments are the two
/// discordant counts of McNemar (1947): only the first was right, only the second was right. Without
/// discordant pairs p is 1.
#[must_use]
pub fn mcnemar_exact(only_first: u64, only_second: u64) -> McNemar {
    let smaller = only_first.min(only_second);
    let p_value = (2.0 * binomial_cdf(smaller, only_first + only_second, 0.5)).min(1.0);
    McNemar {
        statistic: smaller as f64,
        p_value,
    }
}

/// McNemar's chi-square test with or without continuity correction (`mcnemar(exact=False, correction=...)`).
///
/// As in statsmodels the correction is always one, even when the counts are equal, which then gives a
/// statistic above zero.
pub fn mcnemar_chi_square(
    only_first: u64,
    only_second: u64,
    continuity: bool,
) -> Result<McNemar, StatsError> {
    let discordant = only_first + only_second;
    if discordant == 0 {
        return Err(StatsError::Degenerate {
            result: "McNemar's chi-square",
            reason: "there are no discordant pairs",
        });
    }
    let difference = only_first.abs_diff(only_second) as f64 - f64::from(u8::from(continuity));
    let statistic = difference * difference / discordant as f64;
    Ok(McNemar {
        statistic,
        p_value: chi_square_upper(statistic, 1.0),
    })
}
