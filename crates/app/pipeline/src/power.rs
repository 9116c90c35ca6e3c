//! What a run can see: the standard errors behind its intervals, the differences that two-sided tests at 5 % find with 80 %
//! power, and how much more would have to be sampled to see smaller ones.

use epicene_bench::Card;
use epicene_core::{Row, Unit};
use epicene_stats::{detectable_difference, student_quantile};

const LEVEL: f64 = 0.95;

/// Below this, intervals rest on too little.
pub(crate) const FEW_CLUSTERS: u64 = 40;

/// No data set has more items.
pub const MOST_ITEMS: f64 = 1e12;

/// One number of a run or of a stored design.
#[derive(Debug, Clone, PartialEq)]
pub struct Precision {
    pub system: String,
    pub unit: Unit,
    pub group: String,
    pub metric: String,
    pub n: u64,
    pub k: u64,
    pub deff: Option<f64>,
    pub standard_error: f64,
    /// Whether it is a difference already; else another system is as uncertain, and errs for itself.
    pub paired: bool,
}

impl Precision {
    /// Of a row with an interval that knows what was sampled.
    pub fn of(row: &Row) -> Option<Precision> {
        let (low, high, k) = (row.low?, row.high?, row.k.filter(|k| *k > 1)?);
        let t = student_quantile(LEVEL, k as f64 - 1.0).ok()?;
        let standard_error = (high - low) / (2.0 * t);
        (standard_error > 0.0).then(|| Precision {
            system: row.system.clone(),
            unit: row.unit.clone(),
            group: row.group.clone(),
            metric: row.metric.clone(),
            n: row.n.unwrap_or(k),
            k,
            deff: row.deff,
            standard_error,
            paired: row.difference_of().is_some(),
        })
    }

    /// The difference between two systems that is seen with this power. Without a pair of systems they are taken to err
    /// for themselves, which is the worst case of systems that were asked the same.
    pub fn detectable(&self, power: f64) -> f64 {
        let error = if self.paired {
            self.standard_error
        } else {
            self.standard_error * std::f64::consts::SQRT_2
        };
        detectable_difference(error, LEVEL, power).expect("the power lies within 0.5 and 1")
    }

    /// Clusters and items that a wanted difference needs: variances fall with the number of clusters, as large as these.
    /// None where nobody could have so many.
    pub fn needed(&self, wanted: f64, power: f64) -> Option<(u64, u64)> {
        let times = (self.detectable(power) / wanted).powi(2);
        let k = (self.k as f64 * times).ceil().max(2.0);
        let items = (self.n as f64 / self.k as f64 * k).ceil();
        (items <= MOST_ITEMS).then_some((k as u64, items as u64))
    }
}

/// What the benchmark comes down to, with the precision of each.
pub fn headlines(card: &Card, rows: &[Row]) -> Vec<Precision> {
    rows_of(card, rows).filter_map(Precision::of).collect()
}

fn rows_of<'a>(card: &Card, rows: &'a [Row]) -> impl Iterator<Item = &'a Row> {
    let wanted = move |row: &&Row| {
        let headline = card
            .metric(&row.metric)
            .is_some_and(|metric| metric.headline);
        headline || row.difference_of().is_some()
    };
    rows.iter().filter(|row| row.is_whole()).filter(wanted)
}

/// Says which of these numbers have no interval although something was sampled: one cluster has no spread.
pub fn without_interval(card: &Card, rows: &[Row]) -> Option<String> {
    const LISTED: usize = 6;
    let lacks = |row: &&Row| row.k.is_some() && row.low.is_none();
    let name = |row: &Row| format!("{} of {} {}", row.metric, row.system, row.unit);
    let names: Vec<String> = rows_of(card, rows).filter(lacks).map(name).collect();
    let more = if names.len() > LISTED { ", …" } else { "" };
    (!names.is_empty()).then(|| {
        format!(
            "no interval for {}{more}: a class of what was sampled is there once, and has no spread to estimate",
            names[..names.len().min(LISTED)].join(", ")
        )
    })
}

/// The smallest differences a run can detect, in a sentence for each number it comes down to.
pub fn notes(card: &Card, rows: &[Row]) -> Vec<String> {
    let all = headlines(card, rows);
    let mut metrics: Vec<&str> = all.iter().map(|one| one.metric.as_str()).collect();
    metrics.sort_unstable();
    metrics.dedup();
    let sentence = |metric: &str| {
        let of_metric = all.iter().filter(|one| one.metric == metric);
        let seen: Vec<f64> = of_metric.map(|one| one.detectable(0.8)).collect();
        let least = seen.iter().copied().fold(f64::INFINITY, f64::min);
        let most = seen.iter().copied().fold(0.0, f64::max);
        let range = if short(least) == short(most) {
            short(least)
        } else {
            format!("{} to {}", short(least), short(most))
        };
        format!(
            "{metric}: smallest detectable difference {range} (80 % power; see `epicene power`)"
        )
    };
    metrics.into_iter().map(sentence).collect()
}

/// A warning where intervals rest on few clusters.
pub fn warning(card: &Card, rows: &[Row], how: &[(&'static str, String)]) -> Option<String> {
    let unit = how.iter().find(|(name, _)| *name == "unit")?;
    let fewest = headlines(card, rows).iter().map(|one| one.k).min()?;
    (fewest < FEW_CLUSTERS).then(|| {
        format!(
            "with only {fewest} clusters ({}), intervals may be too narrow and p-values too small",
            unit.1
        )
    })
}

fn short(value: f64) -> String {
    if value.abs() >= 1.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.3}")
    }
}
