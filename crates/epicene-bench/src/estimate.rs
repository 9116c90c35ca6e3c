//! A number and how sure it is, by what was sampled: every clustered interval of every benchmark is made here.

use epicene_core::Row;
use epicene_stats::{Interval, Layout, Linearised, StatsError, difference_interval};

use crate::{BenchError, Options, RowWriter};

/// Confidence of the intervals.
pub const LEVEL: f64 = 0.95;

/// Fewer clusters have too few patterns of signs for a small p-value.
const FEWEST_FLIPPED: usize = 10;

/// Which interval a number has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// A share: Wilson's on the effective number of items, with t. It stays within 0 and 1.
    Share,
    /// Any mean: t.
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
    /// Of independent items, where that is known.
    independent: Option<f64>,
}

impl Estimate {
    pub fn of(linear: Linearised, scale: Scale) -> Estimate {
        let value = linear.value;
        let interval = match scale {
            Scale::Share => linear.share_interval(LEVEL),
            Scale::Mean => linear.interval(LEVEL),
            Scale::Factor => linear
                .clone()
                .transformed(value.ln(), 1.0 / value)
                .interval(LEVEL)
                .map(|interval| Interval {
                    low: interval.low.exp(),
                    high: interval.high.exp(),
                }),
        };
        let design = linear.design().ok().filter(|_| scale == Scale::Share);
        Estimate {
            interval: interval.ok(),
            n: linear.n.round() as u64,
            k: linear.clusters(),
            deff: design.map(|design| design.design_effect),
            independent: design.map(|design| design.variance / design.design_effect),
            linear,
            scale,
        }
    }

    pub fn value(&self) -> f64 {
        self.linear.value
    }

    /// The same with another number of items, where wholes are not items.
    pub fn counting(mut self, n: u64) -> Estimate {
        self.n = n;
        self
    }

    /// This less the other, over the same clusters: paired where they share some. The interval is made of both (Newcombe
    /// 1998; Zou & Donner 2008).
    pub fn less(&self, other: &Estimate) -> Result<Estimate, BenchError> {
        let linear = Linearised::combine(&[(1.0, &self.linear), (-1.0, &other.linear)])?;
        let interval = self.interval.zip(other.interval).and_then(|(own, theirs)| {
            let correlation = self.linear.correlation(&other.linear).ok()?;
            let (own, theirs) = ((self.value(), own), (other.value(), theirs));
            Some(difference_interval(own, theirs, correlation))
        });
        let independent = self.independent.zip(other.independent);
        let independent = independent.map(|(own, theirs)| own + theirs);
        let variance = linear.variance().ok();
        let deff = variance.zip(independent.filter(|v| *v > 0.0));
        Ok(Estimate {
            interval,
            n: self.n + other.n,
            k: linear.clusters(),
            deff: deff.map(|(variance, independent)| variance / independent),
            independent,
            linear,
            scale: Scale::Mean,
        })
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
    pub fn is_crossed(&self) -> bool {
        matches!(**self.linear.layout(), Layout::Crossed(_))
    }

    /// Whether it is 0: by flipping what each cluster adds; by t where two ways cross or nothing can be flipped.
    pub fn p_value(&self, options: &Options, stream: &str) -> Result<f64, StatsError> {
        if self.is_crossed() || self.k < FEWEST_FLIPPED {
            return self.linear.p_value();
        }
        let rounds = options.rounds as u64;
        Ok(self.linear.sign_flip(rounds, options.seed, stream)?.p_value)
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
