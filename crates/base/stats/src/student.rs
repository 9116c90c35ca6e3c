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
    let above = |t: f64| special::student_two_sided(t, dof) - tail;
    let (mut low, mut high) = (0.0, 1.0);
    while above(high) > 0.0 {
        low = high;
        high *= 2.0;
    }
    let (low, high) = bracket_near(low, high, above).unwrap_or((low, high));
    Ok(halved(low, high, above))
}

fn halved(mut low: f64, mut high: f64, falling: impl Fn(f64) -> f64) -> f64 {
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if falling(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The bracket that halving this one forty times would come to, found in a few steps: a point near the root of a falling
/// function by false position (Illinois), and whether the root is in the fortieth half around it. `None` where it is not.
fn bracket_near(low: f64, high: f64, falling: impl Fn(f64) -> f64) -> Option<(f64, f64)> {
    let width = (high - low) / 2f64.powi(40);
    let (mut left, mut right) = ((low, falling(low)), (high, falling(high)));
    let (mut root, mut was_left) = (low, None);
    for _ in 0..30 {
        let next = (left.0 * right.1 - right.0 * left.1) / (right.1 - left.1);
        let moved = (next - root).abs();
        root = next;
        if moved < width / 8.0 {
            break;
        }
        let value = falling(root);
        let is_left = value > 0.0;
        let (own, other) = if is_left {
            (&mut left, &mut right)
        } else {
            (&mut right, &mut left)
        };
        *own = (root, value);
        // An end that stays twice counts for less.
        if was_left == Some(is_left) {
            other.1 /= 2.0;
        }
        was_left = Some(is_left);
    }
    let near = low + ((root - low) / width).floor() * width;
    let holds = falling(near) > 0.0 && falling(near + width) <= 0.0;
    holds.then_some((near, near + width))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The few steps to a near bracket change no bit of a quantile.
    #[test]
    fn a_quantile_is_that_of_plain_halving() {
        let mut far = 0;
        for level in [0.5, 0.8, 0.9, 0.95, 0.99, 0.999] {
            for step in 0..400 {
                let dof = 0.6 * 1.031f64.powi(step);
                let above = |t: f64| special::student_two_sided(t, dof) - (1.0 - level);
                let mut high = 1.0;
                while above(high) > 0.0 {
                    high *= 2.0;
                }
                let low = if high > 1.0 { high / 2.0 } else { 0.0 };
                let plain = halved(low, high, above);
                assert_eq!(student_quantile(level, dof), Ok(plain), "{level} {dof}");
                far += u32::from(bracket_near(low, high, above).is_none());
            }
        }
        assert!(far < 24, "{far} of 2,400 took the long way");
    }
}
