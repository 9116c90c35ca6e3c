//! Closed-form confidence intervals: proportions, correlations, and a normal fit to bootstrap replicates.

use crate::{
    describe::{mean, population_sd},
    error::{StatsError, valid_level},
    special,
};

/// A confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    /// `centre` ∓ `half_width`.
    #[must_use]
    pub fn around(centre: f64, half_width: f64) -> Interval {
        Interval {
            low: centre - half_width,
            high: centre + half_width,
        }
    }

    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// z at level 0.95 to the last bit; the rational approximation below is one unit in the last place under it.
const Z_95: f64 = 1.959_963_984_540_054;

/// The z of a two-sided interval: 1.959963984540054 at level 0.95.
pub fn normal_quantile(level: f64) -> Result<f64, StatsError> {
    valid_level(level)?;
    Ok(if level == 0.95 {
        Z_95
    } else {
        special::normal_quantile(0.5 + 0.5 * level)
    })
}

/// An Agresti–Coull interval with the shrunken proportion it is centred on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgrestiCoull {
    /// p~ = (k + z²/2) / (n + z²).
    pub centre: f64,
    /// p~ ∓ z √(p~(1-p~)/(n+z²)), not clipped: near 0 and 1 it reaches outside [0, 1].
    pub interval: Interval,
}

/// Agresti & Coull (1998), "Approximate is better than 'exact'", section 2. Unlike statsmodels'
/// `proportion_confint(method='agresti_coull')` the bounds are not clipped, as papers that print
/// centre ∓ half-width need them.
pub fn agresti_coull(successes: u64, trials: u64, level: f64) -> Result<AgrestiCoull, StatsError> {
    let (k, n) = checked_counts(successes, trials)?;
    let z = normal_quantile(level)?;
    let shrunken_trials = n + z * z;
    let centre = (k + z * z / 2.0) / shrunken_trials;
    let half_width = z * (centre * (1.0 - centre) / shrunken_trials).sqrt();
    Ok(AgrestiCoull {
        centre,
        interval: Interval::around(centre, half_width),
    })
}

/// Wilson (1927) score interval (`scipy.stats.binomtest(k, n).proportion_ci(method='wilson')`).
pub fn wilson(successes: u64, trials: u64, level: f64) -> Result<Interval, StatsError> {
    let (k, n) = checked_counts(successes, trials)?;
    let z = normal_quantile(level)?;
    let p = k / n;
    let denominator = 2.0 * (n + z * z);
    let centre = (2.0 * n * p + z * z) / denominator;
    let half_width = z / denominator * (4.0 * n * p * (1.0 - p) + z * z).sqrt();
    // Exactly 0 and 1 at the ends, where rounding would leave a trace.
    Ok(Interval {
        low: if successes == 0 {
            0.0
        } else {
            centre - half_width
        },
        high: if successes == trials {
            1.0
        } else {
            centre + half_width
        },
    })
}

/// Counts as numbers, after checking that there are trials and no more successes than those.
pub(crate) fn checked_counts(successes: u64, trials: u64) -> Result<(f64, f64), StatsError> {
    if trials == 0 {
        return Err(StatsError::TooFew {
            argument: "trials",
            needed: 1,
            got: 0,
        });
    }
    if successes > trials {
        return Err(StatsError::MoreSuccessesThanTrials {
            argument: "successes",
            successes,
            trials,
        });
    }
    Ok((successes as f64, trials as f64))
}

/// Fisher's z interval of Pearson's r over `n` pairs (`scipy.stats.pearsonr(x, y).confidence_interval()`).
/// At r = ±1 it is that point.
pub fn correlation_interval(r: f64, n: usize, level: f64) -> Result<Interval, StatsError> {
    if !(-1.0..=1.0).contains(&r) {
        return Err(StatsError::OutOfRange {
            argument: "r",
            value: r,
            range: "[-1, 1]",
        });
    }
    if n < 4 {
        return Err(StatsError::TooFew {
            argument: "pairs",
            needed: 4,
            got: n,
        });
    }
    let half_width = normal_quantile(level)? / ((n - 3) as f64).sqrt();
    let Interval { low, high } = Interval::around(r.atanh(), half_width);
    Ok(Interval {
        low: low.tanh(),
        high: high.tanh(),
    })
}

/// Mean ∓ z sd of bootstrap replicates with divisor = number of replicates, the way GEST (Pikuliak et al.
/// 2024) fits a normal distribution to them (`norm.interval(level, *norm.fit(replicates))` in SciPy).
pub fn normal_fit_interval(replicates: &[f64], level: f64) -> Result<Interval, StatsError> {
    let z = normal_quantile(level)?;
    Ok(Interval::around(
        mean(replicates)?,
        z * population_sd(replicates)?,
    ))
}
