//! Means, spreads and quantiles. Sums are pairwise in a fixed order, so a number is the same everywhere.

use crate::error::{StatsError, all_finite, some_finite};

/// Below this many values a sum simply runs left to right.
const PAIRWISE_BLOCK: usize = 128;

/// Pairwise sum: halves are summed and added, which keeps the rounding error at O(log n) as NumPy does.
#[must_use]
pub fn sum(values: &[f64]) -> f64 {
    if values.len() <= PAIRWISE_BLOCK {
        values.iter().fold(0.0, |total, value| total + value)
    } else {
        let (left, right) = values.split_at(values.len() / 2);
        sum(left) + sum(right)
    }
}

/// Arithmetic mean (`numpy.mean`).
pub fn mean(values: &[f64]) -> Result<f64, StatsError> {
    some_finite("values", values)?;
    Ok(sum(values) / values.len() as f64)
}

/// Standard deviation with divisor n (`numpy.std`).
pub fn population_sd(values: &[f64]) -> Result<f64, StatsError> {
    Ok((squared_deviations(values)? / values.len() as f64).sqrt())
}

/// Standard deviation with divisor n - 1 (`numpy.std(ddof=1)`).
pub fn sample_sd(values: &[f64]) -> Result<f64, StatsError> {
    if values.len() < 2 {
        return Err(StatsError::TooFew {
            argument: "values",
            needed: 2,
            got: values.len(),
        });
    }
    Ok((squared_deviations(values)? / (values.len() - 1) as f64).sqrt())
}

fn squared_deviations(values: &[f64]) -> Result<f64, StatsError> {
    let centre = mean(values)?;
    let squares: Vec<f64> = values
        .iter()
        .map(|value| (value - centre).powi(2))
        .collect();
    Ok(sum(&squares))
}

/// Geometric mean through logarithms (`scipy.stats.gmean`). Zero and negative values are an error: a zero
/// would silently turn the whole mean to zero.
pub fn geometric_mean(values: &[f64]) -> Result<f64, StatsError> {
    some_finite("values", values)?;
    if let Some(index) = values.iter().position(|value| *value <= 0.0) {
        return Err(StatsError::NotPositive {
            argument: "values",
            index,
            value: values[index],
        });
    }
    let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    Ok(mean(&logarithms)?.exp())
}

/// Quantile by linear interpolation between order statistics (NumPy's default, type 7 of Hyndman & Fan 1996).
pub fn quantile(values: &[f64], probability: f64) -> Result<f64, StatsError> {
    some_finite("values", values)?;
    valid_probability(probability)?;
    Ok(sorted_quantile(&sorted(values), probability))
}

fn valid_probability(probability: f64) -> Result<(), StatsError> {
    if (0.0..=1.0).contains(&probability) {
        Ok(())
    } else {
        Err(StatsError::OutOfRange {
            argument: "probability",
            value: probability,
            range: "[0, 1]",
        })
    }
}

pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// [`quantile`] of values already sorted, not empty and finite.
pub(crate) fn sorted_quantile(sorted: &[f64], probability: f64) -> f64 {
    let position = probability * (sorted.len() - 1) as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    let share = position - below as f64;
    let step = sorted[above] - sorted[below];
    // NumPy interpolates from the nearer end, so that the result is symmetric and monotone.
    if share < 0.5 {
        sorted[below] + step * share
    } else {
        sorted[above] - step * (1.0 - share)
    }
}

/// What a box plot shows (Tukey 1977; the same rules as Matplotlib's `boxplot_stats`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxStats {
    pub q1: f64,
    pub median: f64,
    pub q3: f64,
    pub mean: f64,
    /// The lowest value no further than 1.5 interquartile ranges below `q1`.
    pub low_whisker: f64,
    /// The highest value no further than 1.5 interquartile ranges above `q3`.
    pub high_whisker: f64,
}

impl BoxStats {
    pub fn of(values: &[f64]) -> Result<BoxStats, StatsError> {
        let mean = mean(values)?;
        let sorted = sorted(values);
        let [q1, median, q3] =
            [0.25, 0.5, 0.75].map(|probability| sorted_quantile(&sorted, probability));
        let reach = 1.5 * (q3 - q1);
        // Interpolated quartiles can lie beyond the last value in reach: a whisker never points inwards.
        let low_whisker = sorted
            .iter()
            .copied()
            .find(|value| *value >= q1 - reach)
            .unwrap_or(q1)
            .min(q1);
        let high_whisker = sorted
            .iter()
            .rev()
            .copied()
            .find(|value| *value <= q3 + reach)
            .unwrap_or(q3)
            .max(q3);
        Ok(BoxStats {
            q1,
            median,
            q3,
            mean,
            low_whisker,
            high_whisker,
        })
    }
}

/// Whether all of `values`, at least one, are the same; an error where one is not finite.
pub(crate) fn is_constant(argument: &'static str, values: &[f64]) -> Result<bool, StatsError> {
    all_finite(argument, values)?;
    Ok(values.iter().all(|value| *value == values[0]))
}
