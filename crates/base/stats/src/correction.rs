//! p-values adjusted for testing several hypotheses at once, as
//! `statsmodels.stats.multitest.multipletests`. Compare an adjusted value with the level you would use for one test.

use crate::{error::StatsError, ranks::stable_order};

/// Bonferroni: each p-value times their number. Controls the chance of any false rejection.
pub fn bonferroni(p_values: &[f64]) -> Result<Vec<f64>, StatsError> {
    check(p_values)?;
    Ok(p_values
        .iter()
        .map(|p| (p * p_values.len() as f64).min(1.0))
        .collect())
}

/// Holm (1979), step-down: the same guarantee as Bonferroni, never larger values.
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, StatsError> {
    check(p_values)?;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (rank, item) in stable_order(p_values)?.into_iter().enumerate() {
        largest = largest.max(p_values[item] * (p_values.len() - rank) as f64);
        adjusted[item] = largest.min(1.0);
    }
    Ok(adjusted)
}

/// Benjamini & Hochberg (1995), step-up: controls the expected share of false rejections among all rejections,
/// for independent or positively dependent tests.
pub fn benjamini_hochberg(p_values: &[f64]) -> Result<Vec<f64>, StatsError> {
    check(p_values)?;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut smallest = 1.0_f64;
    for (rank, item) in stable_order(p_values)?.into_iter().enumerate().rev() {
        smallest = smallest.min(p_values[item] * p_values.len() as f64 / (rank + 1) as f64);
        adjusted[item] = smallest;
    }
    Ok(adjusted)
}

fn check(p_values: &[f64]) -> Result<(), StatsError> {
    match p_values.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        Some(p) => Err(StatsError::OutOfRange {
            argument: "a p-value",
            value: *p,
            range: "[0, 1]",
        }),
        None => Ok(()),
    }
}
