//! Student's t where a normal quantile would be too sure of a variance estimated from few units.

use crate::{
    error::{StatsError, valid_level},
    interval::{Interval, normal_quantile},
    special,
};

/// The t of a two-sided interval (`scipy.stats.t.ppf(0.5 + level / 2, dof)`); `dof` need not be whole.
pub fn student_quantile(level: f64, dof: f64) -> Result<f64, StatsError> {
    valid_level(level)?;
    if dof.is_nan() || dof <= 0.0 {
        return Err(StatsError::OutOfRange {
            argument: "degrees of freedom",
            value: dof,
            range: "(0, ∞]",
        });
    }
    if dof.is_infinite() {
        return normal_quantile(level);
    }
    // The tail falls as t grows: bracket, then halve until the bracket is two neighbouring numbers.
    let tail = 1.0 - level;
    let (mut low, mut high) = (0.0, 1.0);
    while special::student_two_sided(high, dof) > tail {
        low = high;
        high *= 2.0;
    }
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return Ok(middle);
        }
        if special::student_two_sided(middle, dof) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// Two-sided p-value of a t statistic (`2 * scipy.stats.t.sf(abs(t), dof)`).
pub fn student_p_value(t: f64, dof: f64) -> f64 {
    if dof.is_infinite() {
        special::normal_two_sided(t)
    } else {
        special::student_two_sided(t, dof)
    }
}

/// Welch–Satterthwaite degrees of freedom of a sum of independent variances, each with its own.
pub fn satterthwaite(parts: &[(f64, f64)]) -> Result<f64, StatsError> {
    let total: f64 = parts.iter().map(|(variance, _)| variance).sum();
    let spread: f64 = parts
        .iter()
        .map(|(variance, dof)| variance * variance / dof)
        .sum();
    if spread > 0.0 && total.is_finite() {
        Ok(total * total / spread)
    } else {
        Err(StatsError::Degenerate {
            result: "the degrees of freedom",
            reason: "no part of the variance is positive",
        })
    }
}

/// `value` ∓ t √variance.
pub fn student_interval(
    value: f64,
    variance: f64,
    dof: f64,
    level: f64,
) -> Result<Interval, StatsError> {
    Ok(Interval::around(
        value,
        student_quantile(level, dof)? * variance.sqrt(),
    ))
}
