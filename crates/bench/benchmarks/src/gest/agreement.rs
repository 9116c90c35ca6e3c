//! What several systems say together: correlations between models and between templates
//! (GEST, section 4.2.3), rank box plots (Figures 3, 5 and 7), and the means over models of Table 3.

use std::collections::BTreeSet;
use std::sync::Arc;

use epicene_core::{ModelKind, Row, SystemCard, Unit};
use epicene_stats::{BoxStats, Interval, Layout, Linearised, mean};
use rayon::prelude::*;

use super::measures::{LEVEL, Ties, UnitMeasure, rank_box};
use super::options::Convention;
use super::scores::UnitScores;
use crate::{BenchError, RowWriter};

/// A column of numbers, centred and of length 1, so that a dot product is a Pearson r.
struct Standardised {
    kind: ModelKind,
    system: usize,
    unit: Unit,
    values: Vec<f64>,
}

fn standardise(
    card: &SystemCard,
    system: usize,
    unit: &Unit,
    values: &[f64],
) -> Option<Standardised> {
    let centre = mean(values).ok()?;
    let deviations: Vec<f64> = values.iter().map(|value| value - centre).collect();
    let length = deviations.iter().map(|d| d * d).sum::<f64>().sqrt();
    // A constant column (a null system) correlates with nothing.
    (length > 1e-12 * values.len() as f64).then(|| Standardised {
        kind: card.kind,
        system,
        unit: unit.clone(),
        values: deviations.iter().map(|d| d / length).collect(),
    })
}

/// Mean Pearson r over the pairs that `wanted` accepts, with their number, and its interval by what was correlated
/// (stereotypes, sentences).
fn mean_correlation(
    columns: &[Standardised],
    wanted: impl Fn(&Standardised, &Standardised) -> bool + Sync,
) -> Option<(f64, u64, Option<Interval>)> {
    let pairs: Vec<(f64, &Standardised, &Standardised)> = (0..columns.len())
        .into_par_iter()
        .flat_map_iter(|first| {
            let wanted = &wanted;
            columns[first + 1..]
                .iter()
                .filter(move |second| {
                    columns[first].values.len() == second.values.len()
                        && wanted(&columns[first], second)
                })
                .map(move |second| {
                    let pairs = columns[first].values.iter().zip(&second.values);
                    let r = pairs.map(|(x, y)| x * y).sum::<f64>();
                    (r, &columns[first], second)
                })
        })
        .collect();
    let correlations: Vec<f64> = pairs.iter().map(|(r, ..)| *r).collect();
    let mean = mean(&correlations).ok()?;
    Some((mean, pairs.len() as u64, interval(mean, &pairs)))
}

/// Mean r within the units of one key, then over the keys; the interval where that is the mean over all pairs.
fn within(
    columns: &[Standardised],
    key: impl Fn(&Standardised) -> String + Sync,
) -> Option<(f64, u64, Option<Interval>)> {
    let keys: BTreeSet<String> = columns.iter().map(&key).collect();
    let means: Vec<f64> = keys
        .iter()
        .filter_map(|own| {
            let same = |a: &Standardised, b: &Standardised| key(a) == *own && key(b) == *own;
            Some(mean_correlation(columns, same)?.0)
        })
        .collect();
    let value = mean(&means).ok()?;
    let (pooled, pairs, interval) = mean_correlation(columns, |a, b| key(a) == key(b))?;
    let interval = interval.filter(|_| (pooled - value).abs() < 1e-12);
    Some((value, pairs, interval))
}

/// Fisher's z with t: one value moves r by xy - r (x² + y²) / 2, and the mean of several by the mean of that.
fn interval(mean: f64, pairs: &[(f64, &Standardised, &Standardised)]) -> Option<Interval> {
    let units = pairs.first()?.1.values.len();
    if mean.abs() >= 1.0 || pairs.iter().any(|(_, a, _)| a.values.len() != units) {
        return None;
    }
    let influence = (0..units).map(|unit| {
        let moved = pairs.iter().map(|(r, a, b)| {
            let (x, y) = (a.values[unit], b.values[unit]);
            x * y - r * (x * x + y * y) / 2.0
        });
        moved.sum::<f64>() / pairs.len() as f64
    });
    let layout = Arc::new(Layout::Nested(vec![0; units]));
    let linear = Linearised::new(mean, units as f64, influence.collect(), &layout);
    let z = linear.transformed(mean.atanh(), 1.0 / (1.0 - mean * mean));
    let interval = z.interval(LEVEL).ok()?;
    Some(Interval {
        low: interval.low.tanh(),
        high: interval.high.tanh(),
    })
}

pub struct Together<'a> {
    pub systems: &'a [SystemCard],
    pub units: &'a [UnitScores],
    pub measures: &'a [UnitMeasure],
    pub convention: Convention,
    /// Whether correlations have intervals.
    pub clustered: bool,
    pub ties: Ties,
}

impl Together<'_> {
    pub fn rows(&self) -> Result<Vec<Row>, BenchError> {
        let mut rows = self.correlations();
        if self.measures.len() > 1 {
            rows.extend(self.rank_boxes()?);
        }
        rows.extend(self.kind_means());
        Ok(rows)
    }

    fn row(&self, system: &str, group: String, metric: &str, value: f64, n: u64) -> Row {
        let mut writer = RowWriter::new(&super::CARD, system, "all");
        writer.push(&group, metric, value).n = Some(n);
        writer.rows.remove(0)
    }

    /// What every unit says of the stereotypes, made of its mean log10 ratios.
    fn profiles(&self, made: impl Fn(f64) -> f64) -> Vec<Standardised> {
        let profile = |measure: &UnitMeasure| {
            let means = measure.means();
            let values: Vec<f64> = means.iter().map(|(_, mean)| made(*mean)).collect();
            let card = &self.systems[measure.system];
            standardise(card, measure.system, &measure.unit, &values)
        };
        self.measures.iter().filter_map(profile).collect()
    }

    fn correlations(&self) -> Vec<Row> {
        let profiles = self.profiles(|mean| self.convention.factor(mean));
        let items: Vec<Standardised> = self
            .units
            .iter()
            .filter(|unit| unit.scores.iter().all(|score| !score.is_nan()))
            .filter_map(|unit| {
                standardise(
                    &self.systems[unit.system],
                    unit.system,
                    &unit.unit,
                    &unit.scores,
                )
            })
            .collect();
        // Masked and causal models are never paired: they are asked differently.
        let models = |a: &Standardised, b: &Standardised| {
            a.kind == b.kind && a.unit == b.unit && a.system != b.system
        };
        let templates = |a: &Standardised, b: &Standardised| a.system == b.system;
        [
            ("r_models", mean_correlation(&profiles, models)),
            ("r_templates", mean_correlation(&profiles, templates)),
            ("r_models_items", mean_correlation(&items, models)),
            ("r_templates_items", mean_correlation(&items, templates)),
        ]
        .into_iter()
        .filter_map(|(metric, correlation)| {
            let (r, pairs, interval) = correlation?;
            let mut row = self.row("all", "all".to_owned(), metric, r, pairs);
            if let Some(interval) = interval.filter(|_| self.clustered) {
                (row.low, row.high) = (Some(interval.low), Some(interval.high));
            }
            Some(row)
        })
        .collect()
    }

    fn rank_boxes(&self) -> Result<Vec<Row>, BenchError> {
        let set = &self.measures[0].set;
        let mut by_stereotype: Vec<Vec<f64>> = vec![Vec::new(); set.slots()];
        for measure in self.measures {
            for (id, rank) in measure.ranks(self.ties)? {
                by_stereotype[usize::from(id)].push(rank);
            }
        }
        let mut rows = Vec::new();
        for id in set.numbers() {
            let ranks = &by_stereotype[usize::from(id)];
            if ranks.is_empty() {
                continue;
            }
            let summary = BoxStats::of(ranks)?;
            for (metric, value) in rank_box(&summary) {
                let group = set.group(id);
                rows.push(self.row("all", group, metric, value, ranks.len() as u64));
            }
        }
        Ok(rows)
    }

    /// Table 3: arithmetic means of q_m, q_f and q_fam over all units of a kind.
    fn kind_means(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for kind in [ModelKind::Masked, ModelKind::Causal] {
            let of_kind: Vec<&UnitMeasure> = self
                .measures
                .iter()
                .filter(|measure| self.systems[measure.system].kind == kind)
                .collect();
            let first = of_kind.first().map(|measure| measure.system);
            if of_kind.iter().all(|measure| Some(measure.system) == first) {
                continue;
            }
            rows.extend(self.means(&format!("all:{kind}"), &of_kind));
        }
        rows
    }

    /// Arithmetic means over units: a row of Table 3.
    fn means(&self, system: &str, units: &[&UnitMeasure]) -> Vec<Row> {
        type Pick = fn(&UnitMeasure) -> Option<f64>;
        let picks: [(&str, Pick); 3] = [
            ("q_m", |m| m.group(true).map(|e| e.mean)),
            ("q_f", |m| m.group(false).map(|e| e.mean)),
            ("q_fam", |m| m.family.as_ref().map(|e| e.mean)),
        ];
        let of = |(metric, pick): (&str, Pick)| {
            let factors: Vec<f64> = units
                .iter()
                .filter_map(|measure| pick(measure))
                .map(|mean| self.convention.factor(mean))
                .collect();
            let value = mean(&factors).ok()?;
            Some(self.row(
                system,
                "all".to_owned(),
                metric,
                value,
                factors.len() as u64,
            ))
        };
        picks.into_iter().filter_map(of).collect()
    }

    /// The same of models whose units are languages (GEST, section 6): correlations between all units, between models in a
    /// language and between the languages of a model (means within, then over them), ranks (Figure 7), Table 3's Slavic row.
    pub fn rows_by_language(&self) -> Result<Vec<Row>, BenchError> {
        if self.measures.len() < 2 {
            return Ok(Vec::new());
        }
        // The printed correlations are of the logarithms, unlike the English ones.
        let profiles = self.profiles(|mean| mean);
        let mut rows = Vec::new();
        let mut push = |metric: &str, found: Option<(f64, u64, Option<Interval>)>| {
            if let Some((r, pairs, interval)) = found {
                let mut row = self.row("all", "all".to_owned(), metric, r, pairs);
                if let Some(interval) = interval.filter(|_| self.clustered) {
                    (row.low, row.high) = (Some(interval.low), Some(interval.high));
                }
                rows.push(row);
            }
        };
        push("r_units", mean_correlation(&profiles, |_, _| true));
        push("r_models", within(&profiles, |unit| unit.unit.to_string()));
        push(
            "r_languages",
            within(&profiles, |unit| unit.system.to_string()),
        );
        rows.extend(self.rank_boxes()?);
        let all: Vec<&UnitMeasure> = self.measures.iter().collect();
        rows.extend(self.means("all:masked", &all));
        Ok(rows)
    }
}
