//! Intervals of proportions on any number of items, and how far two of them differ: odds ratio, risk difference, Newcombe's
//! combination.

use crate::{
    error::StatsError,
    interval::{Interval, checked_counts, normal_quantile, wilson},
};

/// An estimate with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub value: f64,
    pub interval: Interval,
}

/// What to do with a 2x2 table that has a zero in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZeroCells {
    /// An error: the odds ratio is 0 or infinite and its logarithm has no variance.
    Reject,
    /// Add one half to all four cells if any of them is zero (Haldane 1956, Anscombe 1956).
    AddHalf,
}

/// Odds ratio (a/b)/(c/d) of the table [[a, b], [c, d]] with Woolf's (1955) logit interval
/// (statsmodels `Table2x2(table, shift_zeros=False).oddsratio` and `.oddsratio_confint()`).
///
/// [`ZeroCells::AddHalf`] differs from statsmodels 0.15's `shift_zeros`, which sets the zero cells alone to one
/// half although it documents the correction applied here.
pub fn odds_ratio(
    table: [[u64; 2]; 2],
    zero_cells: ZeroCells,
    level: f64,
) -> Result<Estimate, StatsError> {
    let z = normal_quantile(level)?;
    let has_zero = table.iter().flatten().any(|count| *count == 0);
    let shift = match (has_zero, zero_cells) {
        (false, _) => 0.0,
        (true, ZeroCells::AddHalf) => 0.5,
        (true, ZeroCells::Reject) => return Err(StatsError::ZeroCell),
    };
    let [[a, b], [c, d]] = table.map(|row| row.map(|count| count as f64 + shift));
    let value = a * d / (b * c);
    let Interval { low, high } = Interval::around(
        value.ln(),
        z * (1.0 / a + 1.0 / b + 1.0 / c + 1.0 / d).sqrt(),
    );
    Ok(Estimate {
        value,
        interval: Interval {
            low: low.exp(),
            high: high.exp(),
        },
    })
}

/// Difference of two independent proportions, first less second, with the hybrid score interval: method 10
/// of Newcombe (1998), made of the two Wilson intervals
/// (statsmodels `confint_proportions_2indep(method='newcomb')`).
///
/// Each proportion is (successes, trials).
pub fn risk_difference(
    first: (u64, u64),
    second: (u64, u64),
    level: f64,
) -> Result<Estimate, StatsError> {
    let share = |(successes, trials)| checked_counts(successes, trials).map(|(k, n)| k / n);
    let (p1, p2) = (share(first)?, share(second)?);
    let (wilson1, wilson2) = (
        wilson(first.0, first.1, level)?,
        wilson(second.0, second.1, level)?,
    );
    let value = p1 - p2;
    let below = (p1 - wilson1.low).hypot(wilson2.high - p2);
    let above = (p2 - wilson2.low).hypot(wilson1.high - p1);
    Ok(Estimate {
        value,
        interval: Interval {
            low: value - below,
            high: value + above,
        },
    })
}

/// Wilson (1927) with any n and any quantile.
pub fn score_interval(share: f64, n: f64, quantile: f64) -> Interval {
    let square = quantile * quantile;
    let denominator = 2.0 * (n + square);
    let centre = (2.0 * n * share + square) / denominator;
    let half_width = quantile / denominator * (4.0 * n * share * (1.0 - share) + square).sqrt();
    Interval {
        low: if share <= 0.0 {
            0.0
        } else {
            (centre - half_width).max(0.0)
        },
        high: if share >= 1.0 {
            1.0
        } else {
            (centre + half_width).min(1.0)
        },
    }
}

/// Wilson's interval of a mean of numbers between 0 and 1: on as many items that say yes or no as would vary so. Such numbers vary
/// less, so that these may be more than there are. Where nothing varies, at 0 or 1, on the items there are; elsewhere there is
/// nothing to tell.
pub fn rate_interval(value: f64, variance: f64, items: f64, quantile: f64) -> Interval {
    let told = value * (1.0 - value) / variance;
    if variance > 0.0 && told > 0.0 {
        score_interval(value, told, quantile)
    } else if value <= 0.0 || value >= 1.0 {
        score_interval(value, items, quantile)
    } else {
        Interval::around(value, 0.0)
    }
}

/// The interval of a mean of numbers that are all alike: no spread was seen, so none can be estimated. At most the share
/// of items that Wilson's interval of 0 of `items` allows behaves differently, and each of them at most as far as the
/// range reaches. At the ends of a share this is Wilson's interval itself.
pub fn alike_interval(
    value: f64,
    (least, most): (f64, f64),
    items: f64,
    quantile: f64,
) -> Interval {
    let different = quantile.powi(2) / (items + quantile.powi(2));
    Interval {
        low: value - different * (value - least),
        high: value + different * (most - value),
    }
}

/// The interval of `first` less `second` from the intervals of both and their correlation (Newcombe 1998, method 10;
/// Zou & Donner 2008): closed form, and it stays inside [-1, 1].
pub fn difference_interval(
    first: (f64, Interval),
    second: (f64, Interval),
    correlation: f64,
) -> Interval {
    let difference = first.0 - second.0;
    let reach = |a: f64, b: f64| (a * a - 2.0 * correlation * a * b + b * b).max(0.0).sqrt();
    Interval {
        low: difference - reach(first.0 - first.1.low, second.1.high - second.0),
        high: difference + reach(first.1.high - first.0, second.0 - second.1.low),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_alike_have_an_interval() {
        let z = 1.959_963_984_540_054;
        let wilson = score_interval(1.0, 16.0, z);
        let ours = alike_interval(1.0, (0.0, 1.0), 16.0, z);
        assert!((wilson.low - ours.low).abs() < 1e-12 && ours.high == 1.0);
        let third = alike_interval(1.0 / 3.0, (0.0, 1.0), 16.0, z);
        assert!(third.low > 0.2 && third.low < 0.3 && third.high > 0.4 && third.high < 0.5);
        let more = alike_interval(1.0 / 3.0, (0.0, 1.0), 1600.0, z);
        assert!(more.high - more.low < (third.high - third.low) / 50.0);
    }
}
