//! A number and how sure it is, by what was sampled: every clustered interval of every benchmark is made here.

use epicene_core::Row;
use epicene_stats::{
    Design, Interval, Layout, Linearised, StatsError, difference_interval, rate_interval,
    score_interval, student_quantile,
};

use crate::{BenchError, Options, RowWriter};

/// Confidence of the intervals.
pub const LEVEL: f64 = 0.95;

/// Fewer clusters have too few patterns of signs for a small p-value.
const FEWEST_FLIPPED: usize = 10;

/// Two estimates with a correlation above this move together.
const TOGETHER: f64 = 0.3;

/// Which interval a number has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// A share: Wilson's on the effective number of items, with t. It stays within 0 and 1.
    Share,
    /// A mean of numbers between 0 and 1: the same, but that such numbers vary less than yes and no, so that they may tell
    /// more than as many items that say yes or no.
    Rate,
    /// Any other mean: t.
    Mean,
    /// A positive factor: t of its logarithm.
    Factor,
}

/// An estimate, linearised over what was sampled.
#[derive(Debug, Clone)]
pub struct Estimate {
    pub linear: Linearised,
    pub scale: Scale,
    /// None where a stratum holds a single cluster: there is no spread to estimate.
    pub interval: Option<Interval>,
    /// Items that count.
    pub n: u64,
    /// Clusters.
    pub k: usize,
    /// Variance over that of as many independent items.
    pub deff: Option<f64>,
    /// The variance of as many independent items, where that is known.
    independent: Option<f64>,
    /// `None` where a stratum holds a single cluster.
    design: Option<Design>,
    /// What is tested in its stead: of a difference between factors, that of their logarithms.
    tested: Option<Linearised>,
}

impl Estimate {
    pub fn of(mut linear: Linearised, scale: Scale) -> Estimate {
        if matches!(scale, Scale::Share | Scale::Rate) {
            // Nine ninths may add up to a little more than one.
            linear.value = linear.value.clamp(0.0, 1.0);
        }
        let design = linear.design().ok();
        let interval = design.and_then(|design| {
            let quantile = student_quantile(LEVEL, design.dof).ok()?;
            Some(reach(linear.value, scale, design, quantile))
        });
        let shared = design.filter(|_| scale == Scale::Share);
        Estimate {
            interval,
            n: linear.n.round() as u64,
            k: linear.clusters(),
            deff: shared.map(|design| design.design_effect),
            independent: shared.map(|design| design.variance / design.design_effect),
            design,
            linear,
            scale,
            tested: None,
        }
    }

    pub fn value(&self) -> f64 {
        self.linear.value
    }

    /// The interval with a given quantile. A difference of shares that are all 0 or 1 shows no spread, and is known no
    /// better than the shares: it keeps the interval that was made of theirs.
    fn reach(&self, quantile: f64) -> Option<Interval> {
        let design = self.design?;
        if self.scale == Scale::Mean && is_flat(design) {
            return self.interval;
        }
        Some(reach(self.value(), self.scale, design, quantile))
    }

    /// The same with another number of items, where wholes are not items.
    pub fn counting(mut self, n: u64) -> Estimate {
        self.n = n;
        self
    }

    /// This less the other, over the same clusters: paired where they share some. The interval is made of both (Newcombe
    /// 1998; Zou & Donner 2008), both with the t of the difference: two spreads that were estimated from ten clusters each are
    /// known together as well as one from twenty. Where they move together it is t of the difference: the short arm of one
    /// lopsided interval then goes with the short arm of the other, not with the long one.
    pub fn less(&self, other: &Estimate) -> Result<Estimate, BenchError> {
        let mut linear = Linearised::combine(&[(1.0, &self.linear), (-1.0, &other.linear)])?;
        linear.value = difference(self.value(), other.value());
        let design = linear.design().ok();
        let interval = self.interval.zip(other.interval).and_then(|_| {
            // Without a spread nothing moves together, whatever rounding leaves.
            let flat = [self, other]
                .iter()
                .any(|side| side.design.is_some_and(is_flat));
            let correlation = if flat {
                0.0
            } else {
                self.linear.correlation(&other.linear).ok()?
            };
            if correlation > TOGETHER {
                return linear.interval(LEVEL).ok();
            }
            let quantile = student_quantile(LEVEL, design?.dof).ok()?;
            let reach = |side: &Estimate| Some((side.value(), side.reach(quantile)?));
            Some(difference_interval(
                reach(self)?,
                reach(other)?,
                correlation,
            ))
        });
        let factors = self.scale == Scale::Factor && other.scale == Scale::Factor;
        let tested = factors.then(|| {
            let [own, theirs] = [self, other].map(Estimate::logarithm);
            Linearised::combine(&[(1.0, &own), (-1.0, &theirs)])
        });
        let independent = self.independent.zip(other.independent);
        let independent = independent.map(|(own, theirs)| own + theirs);
        let deff = design.zip(independent.filter(|v| *v > 0.0));
        Ok(Estimate {
            interval,
            n: self.n + other.n,
            k: linear.clusters(),
            deff: deff.map(|(design, independent)| design.variance / independent),
            independent,
            linear,
            scale: Scale::Mean,
            design,
            tested: tested.transpose()?,
        })
    }

    /// Its logarithm. A mean of log ratios is one already, and what a sentence adds to it does not depend on how large the
    /// factor came out.
    fn logarithm(&self) -> Linearised {
        let value = self.value();
        self.linear.clone().transformed(value.ln(), 1.0 / value)
    }

    /// The mean of several over the same clusters.
    pub fn mean(parts: &[&Estimate]) -> Result<Estimate, BenchError> {
        let weight = 1.0 / parts.len() as f64;
        let terms: Vec<(f64, &Linearised)> =
            parts.iter().map(|part| (weight, &part.linear)).collect();
        let linear = Linearised::combine(&terms)?;
        let n = parts.iter().map(|part| part.n).sum();
        Ok(Estimate::of(linear, parts[0].scale).counting(n))
    }

    /// Whether what was sampled crosses: occupations and verbs.
    fn is_crossed(&self) -> bool {
        matches!(**self.linear.layout(), Layout::Crossed(_))
    }

    /// What a difference of this estimate and another of its kind tests by flipping signs: a factor's logarithm.
    pub(crate) fn flipped(&self) -> Option<Linearised> {
        let flips = self.is_flipped() && self.tested.is_none();
        flips.then(|| match self.scale {
            Scale::Factor => self.logarithm(),
            _ => self.linear.clone(),
        })
    }

    pub(crate) fn is_flipped(&self) -> bool {
        !self.is_crossed() && self.k >= FEWEST_FLIPPED
    }

    /// How [`p_value`](Estimate::p_value) tests it, for the signature.
    pub fn test_name(&self, options: &Options) -> String {
        let of = if self.tested.is_some() { "log-" } else { "" };
        if self.is_flipped() {
            format!("{of}sign-flip-{}", options.rounds)
        } else if self.is_crossed() {
            format!("{of}two-way-t")
        } else {
            format!("{of}t")
        }
    }

    /// Whether it is 0: by flipping what each cluster adds; by t where two ways cross or nothing can be flipped. Factors are
    /// compared by their logarithms. `None` where there is no test: no spread to hold a t against.
    pub fn p_value(&self, options: &Options, stream: &str) -> Result<Option<f64>, StatsError> {
        let tested = self.tested.as_ref().unwrap_or(&self.linear);
        if self.is_flipped() {
            let rounds = options.rounds as u64;
            let test = tested.sign_flip(rounds, options.seed, stream)?;
            return Ok(Some(test.p_value));
        }
        by_t(tested)
    }

    /// Fills everything but the value into a row, in the row's scale (100 for per cent).
    pub fn fill(&self, row: &mut Row, times: f64) {
        row.low = self.interval.map(|interval| times * interval.low);
        row.high = self.interval.map(|interval| times * interval.high);
        row.n = Some(self.n);
        row.k = Some(self.k as u64);
        // Items that were drawn one by one are their own clusters.
        let own = (self.k as u64 == self.n).then_some(1.0);
        row.deff = self.deff.or(own).filter(|_| self.interval.is_some());
        row.n_eff = row.deff.map(|deff| self.n as f64 / deff);
    }
}

/// Whether no spread was seen, but for rounding.
fn is_flat(design: Design) -> bool {
    design.variance < 1e-24
}

/// First less second; 0 where they differ only as sums of the same numbers do by their rounding.
pub fn difference(first: f64, second: f64) -> f64 {
    let found = first - second;
    let rounding = 8.0 * f64::EPSILON * first.abs().max(second.abs());
    if found.abs() <= rounding { 0.0 } else { found }
}

/// Whether an estimate is 0, by its t; `None` where nothing that was sampled shows a spread.
pub fn by_t(linear: &Linearised) -> Result<Option<f64>, StatsError> {
    match linear.p_value() {
        Ok(p) => Ok(Some(p)),
        Err(StatsError::Degenerate { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The interval of an estimate, quantile × standard error to either side on its scale.
fn reach(value: f64, scale: Scale, design: Design, quantile: f64) -> Interval {
    let half = quantile * design.variance.sqrt();
    match scale {
        Scale::Share => score_interval(value, design.effective_n, quantile),
        Scale::Rate => rate_interval(value, design.variance, design.clusters as f64, quantile),
        Scale::Factor => Interval {
            low: (value.ln() - half / value).exp(),
            high: (value.ln() + half / value).exp(),
        },
        Scale::Mean => Interval::around(value, half),
    }
}

impl RowWriter<'_> {
    /// A row of an estimate.
    pub fn estimate(&mut self, group: &str, symbol: &str, estimate: &Estimate) -> &mut Row {
        self.scaled(group, symbol, estimate, 1.0)
    }

    /// The same in per cent, or on another scale.
    pub fn scaled(
        &mut self,
        group: &str,
        symbol: &str,
        estimate: &Estimate,
        times: f64,
    ) -> &mut Row {
        let row = self.push(group, symbol, times * estimate.value());
        estimate.fill(row, times);
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(values: &[f64]) -> Estimate {
        let layout = std::sync::Arc::new(Layout::Nested(vec![0; values.len()]));
        let sums = values.iter().map(|value| (*value, 1.0));
        Estimate::of(Linearised::ratio(sums, &layout).unwrap(), Scale::Rate)
    }

    #[test]
    fn differences_without_a_spread_are_not_known_exactly() {
        let (all, none) = (rate(&[1.0; 40]), rate(&[0.0; 40]));
        let (one, other) = (all.less(&all).unwrap(), none.less(&none).unwrap());
        assert!(one.interval.unwrap().half_width() > 0.01);
        let between = one.less(&other).unwrap();
        let interval = between.interval.unwrap();
        assert_eq!(between.value(), 0.0);
        assert!(interval.low < -0.01 && interval.high > 0.01, "{interval:?}");
    }

    #[test]
    fn rounding_is_no_difference() {
        assert_eq!(difference(0.1 + 0.2, 0.3), 0.0);
        assert_eq!(difference(0.0, 0.0), 0.0);
        assert!(difference(0.3 + 1e-12, 0.3) > 0.0);
    }
}
