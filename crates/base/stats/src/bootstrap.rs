//! Intervals from bootstrap replicates, as `scipy.stats.bootstrap` computes them from its
//! `bootstrap_distribution`. The normal fit stands with the closed forms in [`crate::interval`].

use crate::{
    describe::{mean, sorted, sorted_quantile, sum},
    error::{StatsError, some_finite, valid_level},
    interval::Interval,
    special::{normal_cdf, normal_quantile},
};

/// The middle `level` of the replicates, by linear interpolation (`method='percentile'`).
pub fn percentile_interval(replicates: &[f64], level: f64) -> Result<Interval, StatsError> {
    some_finite("replicates", replicates)?;
    valid_level(level)?;
    let tail = (1.0 - level) / 2.0;
    Ok(between(replicates, tail, 1.0 - tail))
}

/// The percentile interval reflected about the estimate (`method='basic'`).
pub fn basic_interval(
    estimate: f64,
    replicates: &[f64],
    level: f64,
) -> Result<Interval, StatsError> {
    some_finite("estimate", &[estimate])?;
    let percentile = percentile_interval(replicates, level)?;
    Ok(Interval {
        low: 2.0 * estimate - percentile.high,
        high: 2.0 * estimate - percentile.low,
    })
}

/// Bias-corrected and accelerated interval (`method='BCa'`; Efron & Tibshirani 1993, sections 14.3 and 15.4).
///
/// `jackknife` holds the statistic with each item left out in turn ([`crate::jackknife`]). The bias is read
/// from the share of replicates below the estimate, replicates equal to it counting half.
///
/// Where SciPy warns and returns NaN (the estimate lies outside all replicates, or leaving an item out never
/// changes the statistic) this is an error.
pub fn bca_interval(
    estimate: f64,
    replicates: &[f64],
    jackknife: &[f64],
    level: f64,
) -> Result<Interval, StatsError> {
    some_finite("estimate", &[estimate])?;
    some_finite("replicates", replicates)?;
    some_finite("jackknife", jackknife)?;
    valid_level(level)?;

    let bias = bias_correction(estimate, replicates)?;
    let acceleration = acceleration(jackknife)?;
    let adjusted = |z: f64| {
        let shifted = bias + z;
        normal_cdf(bias + shifted / (1.0 - acceleration * shifted))
    };
    let z = normal_quantile((1.0 - level) / 2.0);
    Ok(between(replicates, adjusted(z), adjusted(-z)))
}

/// z0: how far the estimate is from the median of its replicates.
fn bias_correction(estimate: f64, replicates: &[f64]) -> Result<f64, StatsError> {
    let below = replicates
        .iter()
        .filter(|replicate| **replicate < estimate)
        .count();
    let at_most = replicates
        .iter()
        .filter(|replicate| **replicate <= estimate)
        .count();
    if at_most == 0 || below == replicates.len() {
        return Err(StatsError::Degenerate {
            result: "the BCa interval",
            reason: "the estimate lies outside all replicates",
        });
    }
    Ok(normal_quantile(
        (below + at_most) as f64 / (2 * replicates.len()) as f64,
    ))
}

/// a: a sixth of the skewness of the jackknife influence values.
fn acceleration(jackknife: &[f64]) -> Result<f64, StatsError> {
    let items = jackknife.len() as f64;
    let centre = mean(jackknife)?;
    let influence: Vec<f64> = jackknife
        .iter()
        .map(|value| (items - 1.0) * (centre - value))
        .collect();
    let squares: Vec<f64> = influence.iter().map(|value| value.powi(2)).collect();
    let cubes: Vec<f64> = influence.iter().map(|value| value.powi(3)).collect();
    let denominator = (sum(&squares) / items.powi(2)).powf(1.5);
    if denominator == 0.0 {
        return Err(StatsError::Degenerate {
            result: "the BCa interval",
            reason: "leaving an item out never changes the statistic",
        });
    }
    Ok(sum(&cubes) / items.powi(3) / denominator / 6.0)
}

fn between(replicates: &[f64], low: f64, high: f64) -> Interval {
    let sorted = sorted(replicates);
    Interval {
        low: sorted_quantile(&sorted, low),
        high: sorted_quantile(&sorted, high),
    }
}
