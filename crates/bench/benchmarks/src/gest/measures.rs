//! q_i, q_f, q_m, g_s and feminine ranks of one unit, and their means over a system's templates
//! (GEST, section 4.2; intervals as in Tables 9–11: a normal fitted to bootstrap means).

use std::collections::BTreeMap;

use epicene_core::{Row, Unit};
use epicene_stats::{
    BoxStats, Interval, Resamples, average_ranks, mean, normal_fit_interval, normal_quantile,
    ordinal_ranks, population_sd,
};

use super::options::{CONVENTION, Convention, INTERVAL};
use super::scores::{Samples, UnitScores, group_mean};
use super::stereotypes::Set;
use crate::options::{ESTIMATE, Intervals, Published};
use crate::{BenchError, Card, Options, RowWriter};

pub const LEVEL: f64 = 0.95;

/// The family samples' place among the resampled groups; stereotypes have their own numbers.
const FAMILY: u8 = 0;

/// A mean log10 ratio with its bootstrap replicates.
#[derive(Debug, Clone)]
pub struct Estimate {
    pub mean: f64,
    /// Of the mean, over all possible resamples.
    pub variance: f64,
    pub replicates: Vec<f64>,
    pub n: usize,
}

/// Everything measured on one unit, in log10.
#[derive(Debug, Clone)]
pub struct UnitMeasure {
    pub system: usize,
    pub unit: Unit,
    pub set: Set,
    /// By stereotype; absent where the data has no sample of it.
    pub stereotypes: BTreeMap<u8, Estimate>,
    pub family: Option<Estimate>,
}

/// The numbers of a rank box plot (Figure 3) with their metric names.
pub fn rank_box(summary: &BoxStats) -> [(&'static str, f64); 6] {
    [
        ("rank_low", summary.low_whisker),
        ("rank_q1", summary.q1),
        ("rank_median", summary.median),
        ("rank_q3", summary.q3),
        ("rank_high", summary.high_whisker),
        ("rank_mean", summary.mean),
    ]
}

/// Resamples are shared by all units with as many samples, so that differences between units are
/// paired and the draws are made once.
pub struct ResamplePool {
    by_group: BTreeMap<(u8, usize), Resamples>,
}

impl ResamplePool {
    pub fn new(samples: &Samples, units: &[UnitScores], options: &Options) -> ResamplePool {
        let mut by_group = BTreeMap::new();
        for unit in units {
            for group in FAMILY..=*samples.set.numbers().end() {
                let n = group_scores(samples, unit, group).len();
                if n > 0 {
                    by_group.entry((group, n)).or_insert_with(|| {
                        let stream = match group {
                            FAMILY => "gest/family".to_owned(),
                            id => format!("gest/{}", samples.set.group(id)),
                        };
                        Resamples::draw(options.seed, &stream, n, options.replicates)
                    });
                }
            }
        }
        ResamplePool { by_group }
    }

    fn estimate(&self, group: u8, scores: &[f64]) -> Result<Option<Estimate>, BenchError> {
        match self.by_group.get(&(group, scores.len())) {
            None => Ok(None),
            Some(resamples) => Ok(Some(Estimate {
                mean: mean(scores)?,
                variance: population_sd(scores)?.powi(2) / scores.len() as f64,
                replicates: resamples.means(scores)?,
                n: scores.len(),
            })),
        }
    }
}

fn group_scores(samples: &Samples, unit: &UnitScores, group: u8) -> Vec<f64> {
    match group {
        FAMILY => samples.of_family(unit),
        id => samples.of_stereotype(unit, id),
    }
}

impl UnitMeasure {
    pub fn new(
        samples: &Samples,
        unit: &UnitScores,
        pool: &ResamplePool,
    ) -> Result<UnitMeasure, BenchError> {
        let mut stereotypes = BTreeMap::new();
        for id in samples.set.numbers() {
            let scores = group_scores(samples, unit, id);
            if let Some(estimate) = pool.estimate(id, &scores)? {
                stereotypes.insert(id, estimate);
            }
        }
        Ok(UnitMeasure {
            system: unit.system,
            unit: unit.unit.clone(),
            set: samples.set.clone(),
            stereotypes,
            family: pool.estimate(FAMILY, &group_scores(samples, unit, FAMILY))?,
        })
    }

    /// Mean log10 ratios by stereotype.
    pub fn means(&self) -> Vec<(u8, f64)> {
        self.stereotypes
            .iter()
            .map(|(id, estimate)| (*id, estimate.mean))
            .collect()
    }

    /// log10 of q_m or q_f, with replicates; `None` if the data has no stereotype of the group.
    pub fn group(&self, male: bool) -> Option<Estimate> {
        let members: Vec<(u8, &Estimate)> = self
            .stereotypes
            .iter()
            .filter(|(id, _)| self.set.is_male(**id) == male)
            .map(|(id, estimate)| (*id, estimate))
            .collect();
        let replicates = members.first()?.1.replicates.len();
        let replicates = (0..replicates)
            .map(|replicate| {
                let total: f64 = members.iter().map(|(_, e)| e.replicates[replicate]).sum();
                total / members.len() as f64
            })
            .collect();
        // Stereotypes are resampled independently, so variances add up.
        let variance: f64 = members.iter().map(|(_, e)| e.variance).sum();
        Some(Estimate {
            mean: group_mean(&self.set, &self.means(), male)?,
            variance: variance / (members.len() * members.len()) as f64,
            replicates,
            n: members.iter().map(|(_, estimate)| estimate.n).sum(),
        })
    }

    /// log10 of g_s = q_m / q_f.
    pub fn stereotype_rate(&self) -> Option<Estimate> {
        let (male, female) = (self.group(true)?, self.group(false)?);
        let replicates = male
            .replicates
            .iter()
            .zip(&female.replicates)
            .map(|(male, female)| male - female)
            .collect();
        Some(Estimate {
            mean: male.mean - female.mean,
            variance: male.variance + female.variance,
            replicates,
            n: male.n + female.n,
        })
    }

    /// Feminine ranks: 1 is the stereotype with the smallest q (GEST, section 4.2.3).
    pub fn ranks(&self, ties: Ties) -> Result<Vec<(u8, f64)>, BenchError> {
        let means = self.means();
        let values: Vec<f64> = means.iter().map(|(_, mean)| *mean).collect();
        Ok(means
            .iter()
            .map(|(id, _)| *id)
            .zip(ties.ranks(&values)?)
            .collect())
    }
}

/// What equal values make of their ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    /// They share the mean of their ranks.
    Shared,
    /// The smaller number goes first, as in the published box plots.
    Ordered,
}

impl Ties {
    pub fn of(options: &Options) -> Ties {
        if options.get(&ESTIMATE).is_plain() {
            Ties::Shared
        } else {
            Ties::Ordered
        }
    }

    pub fn ranks(self, values: &[f64]) -> Result<Vec<f64>, BenchError> {
        Ok(match self {
            Ties::Shared => average_ranks(values)?,
            Ties::Ordered => {
                let ranks = ordinal_ranks(values)?.into_iter();
                ranks.map(|rank| rank as f64).collect()
            }
        })
    }
}

/// Writes the rows of one system.
pub struct UnitRows<'a> {
    writer: RowWriter<'a>,
    convention: Convention,
    interval: Intervals,
    ties: Ties,
}

impl<'a> UnitRows<'a> {
    pub fn new(card: &'static Card, system: &'a str, options: &Options) -> UnitRows<'a> {
        UnitRows {
            writer: RowWriter::new(card, system, "all"),
            convention: options.get(&CONVENTION),
            interval: options.get(&INTERVAL),
            ties: Ties::of(options),
        }
    }

    pub fn into_rows(self) -> Vec<Row> {
        self.writer.rows
    }

    /// A factor that is the mean over `estimates` (one unit, or a system's templates).
    fn factor(
        &mut self,
        (unit, group, metric): (&str, &str, &str),
        estimates: &[Estimate],
    ) -> Result<(), BenchError> {
        let Some(first) = estimates.first() else {
            return Ok(());
        };
        let count = estimates.len() as f64;
        let value = estimates
            .iter()
            .map(|e| self.convention.factor(e.mean))
            .sum::<f64>()
            / count;
        let interval = interval_of_factor(estimates, self.convention, self.interval)?;
        let row = self.writer.push_in(unit, group, metric, value);
        row.n = Some(first.n as u64);
        row.low = interval.map(|interval| interval.low);
        row.high = interval.map(|interval| interval.high);
        Ok(())
    }

    /// All rows of one unit.
    pub fn unit(&mut self, measure: &UnitMeasure) -> Result<(), BenchError> {
        let ranks = measure.ranks(self.ties)?;
        let unit = measure.unit.as_str();
        for ((id, estimate), (_, rank)) in measure.stereotypes.iter().zip(ranks) {
            let group = measure.set.group(*id);
            self.factor((unit, &group, "q"), std::slice::from_ref(estimate))?;
            self.writer.push_in(unit, &group, "rank", rank);
        }
        self.summary(unit, std::slice::from_ref(measure))
    }

    /// q_f, q_m, g_s and q_fam: of one unit, or the arithmetic mean over several.
    pub fn summary(&mut self, unit: &str, measures: &[UnitMeasure]) -> Result<(), BenchError> {
        let of = |pick: &dyn Fn(&UnitMeasure) -> Option<Estimate>| -> Vec<Estimate> {
            measures.iter().filter_map(pick).collect()
        };
        self.factor((unit, "all", "q_f"), &of(&|m| m.group(false)))?;
        self.factor((unit, "all", "q_m"), &of(&|m| m.group(true)))?;
        self.factor((unit, "all", "g_s"), &of(&UnitMeasure::stereotype_rate))?;
        self.factor((unit, "all", "q_fam"), &of(&|m| m.family.clone()))
    }

    /// The means over a system's templates, under the unit `all`.
    pub fn over_templates(&mut self, measures: &[UnitMeasure]) -> Result<(), BenchError> {
        let set = measures.first().map(|measure| measure.set.clone());
        let set = set.unwrap_or_default();
        for id in set.numbers() {
            let estimates: Vec<Estimate> = measures
                .iter()
                .filter_map(|measure| measure.stereotypes.get(&id).cloned())
                .collect();
            self.factor(("all", &set.group(id), "q"), &estimates)?;
        }
        self.summary("all", measures)
    }

    pub fn count(&mut self, unit: &str, metric: &str, count: usize) {
        self.writer.push_in(unit, "all", metric, count as f64);
    }

    pub fn standing(&mut self, above: usize, of: usize) {
        let row = self
            .writer
            .push("all", "more_stereotypical_than", above as f64);
        row.n = Some(of as u64);
    }
}

/// The interval of a mean of factors: a normal fitted to the logarithms of its replicates. A single
/// sample has no spread to speak of and gets none.
fn interval_of_factor(
    estimates: &[Estimate],
    convention: Convention,
    method: Intervals,
) -> Result<Option<Interval>, BenchError> {
    let replicates = estimates
        .iter()
        .map(|e| e.replicates.len())
        .min()
        .unwrap_or(0);
    if replicates < 2 || estimates.iter().any(|estimate| estimate.n < 2) {
        return Ok(None);
    }
    if let [single] = estimates {
        let interval = match method {
            Intervals::Published(Published::Resampled) => {
                normal_fit_interval(&single.replicates, LEVEL)?
            }
            _ => Interval::around(
                single.mean,
                normal_quantile(LEVEL)? * single.variance.sqrt(),
            ),
        };
        return Ok(Some(Interval {
            low: convention.factor(interval.low),
            high: convention.factor(interval.high),
        }));
    }
    let logarithms: Vec<f64> = (0..replicates)
        .map(|replicate| {
            let total: f64 = estimates
                .iter()
                .map(|e| convention.factor(e.replicates[replicate]))
                .sum();
            (total / estimates.len() as f64).ln()
        })
        .collect();
    let interval = normal_fit_interval(&logarithms, LEVEL)?;
    Ok(Some(Interval {
        low: interval.low.exp(),
        high: interval.high.exp(),
    }))
}
