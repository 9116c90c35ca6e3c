//! Correlations with two-sided p-values, as SciPy's `pearsonr` and `spearmanr` (`kendalltau`: see
//! [`kendall_tau_b`]).

use crate::{
    describe::{is_constant, mean, sum},
    error::StatsError,
    ranks::average_ranks,
    special::{lower_beta, student_two_sided},
};

pub use crate::kendall::kendall_tau_b;

/// A correlation coefficient, its two-sided p-value and the number of pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    pub r: f64,
    pub p_value: f64,
    pub n: usize,
}

/// Pearson's r (`scipy.stats.pearsonr`). The p-value is exact for normal data: under no correlation r follows
/// a beta distribution on (-1, 1) with both parameters n/2 - 1. Two pairs give r = ±1 with p = 1.
pub fn pearson(x: &[f64], y: &[f64]) -> Result<Correlation, StatsError> {
    check_pairs(x, y, 2)?;
    let n = x.len();
    let products: Vec<f64> = unit_deviations(x)?
        .iter()
        .zip(&unit_deviations(y)?)
        .map(|(a, b)| a * b)
        .collect();
    let r = sum(&products).clamp(-1.0, 1.0);
    if n == 2 {
        return Ok(Correlation {
            r: r.round(),
            p_value: 1.0,
            n,
        });
    }
    let shape = n as f64 / 2.0 - 1.0;
    let tail = (1.0 - r.abs()) / 2.0;
    let p_value = (2.0 * lower_beta(shape, shape, tail, 1.0 - tail)).min(1.0);
    Ok(Correlation { r, p_value, n })
}

/// Deviations from the mean, scaled to unit length. Scaled by the largest first, lest squares overflow.
fn unit_deviations(values: &[f64]) -> Result<Vec<f64>, StatsError> {
    let centre = mean(values)?;
    let deviations: Vec<f64> = values.iter().map(|value| value - centre).collect();
    let largest = deviations
        .iter()
        .fold(0.0_f64, |largest, deviation| largest.max(deviation.abs()));
    let squares: Vec<f64> = deviations
        .iter()
        .map(|deviation| (deviation / largest).powi(2))
        .collect();
    let length = largest * sum(&squares).sqrt();
    Ok(deviations
        .iter()
        .map(|deviation| deviation / length)
        .collect())
}

/// Spearman's rho with average ranks for ties and a t test with n - 2 degrees of freedom
/// (`scipy.stats.spearmanr`).
///
/// Doubled ranks are whole numbers, so rho comes from exact sums: a perfect order gives exactly ±1 and p = 0,
/// where SciPy's floating point may stop at 0.9999999999999998.
pub fn spearman(x: &[f64], y: &[f64]) -> Result<Correlation, StatsError> {
    check_pairs(x, y, 3)?;
    let n = x.len();
    let (x, y) = (doubled_rank_deviations(x)?, doubled_rank_deviations(y)?);
    let dot = |a: &[i64], b: &[i64]| -> i128 {
        a.iter()
            .zip(b)
            .map(|(a, b)| i128::from(*a) * i128::from(*b))
            .sum()
    };
    let (xx, yy, xy) = (dot(&x, &x), dot(&y, &y), dot(&x, &y));
    let length = if xx == yy {
        xx as f64
    } else {
        (xx as f64).sqrt() * (yy as f64).sqrt()
    };
    let r = (xy as f64 / length).clamp(-1.0, 1.0);
    let dof = (n - 2) as f64;
    // Infinite at r = ±1.
    let t = r * (dof / ((r + 1.0) * (1.0 - r))).sqrt();
    Ok(Correlation {
        r,
        p_value: student_two_sided(t, dof),
        n,
    })
}

/// 2 rank - (n + 1) for each value.
fn doubled_rank_deviations(values: &[f64]) -> Result<Vec<i64>, StatsError> {
    let doubled_mean = values.len() as i64 + 1;
    Ok(average_ranks(values)?
        .iter()
        .map(|rank| (2.0 * rank) as i64 - doubled_mean)
        .collect())
}

/// What every correlation needs: as many y as x, enough of them, all finite, neither constant.
pub(crate) fn check_pairs(x: &[f64], y: &[f64], needed: usize) -> Result<(), StatsError> {
    if x.len() != y.len() {
        return Err(StatsError::LengthMismatch {
            argument: "y",
            expected: x.len(),
            got: y.len(),
        });
    }
    if x.len() < needed {
        return Err(StatsError::TooFew {
            argument: "x",
            needed,
            got: x.len(),
        });
    }
    for (argument, values) in [("x", x), ("y", y)] {
        if is_constant(argument, values)? {
            return Err(StatsError::Constant { argument });
        }
    }
    Ok(())
}
