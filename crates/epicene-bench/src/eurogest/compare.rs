//! Two models on the same rows: differences of g_s and of the mean preference, language by language. Intervals from resampling
//! rows of both together, p-values from swapping their answers row by row.

use std::collections::BTreeMap;

use epicene_stats::{approximate_randomisation, bootstrap, percentile_interval};

use super::CARD;
use super::measures::rates;
use super::preferences::{LEVEL, stereotype_rate};
use crate::gest::stereotypes;
use crate::{BenchError, Judged, Measured, RowWriter};

/// Ratios of both models on one row.
#[derive(Debug, Clone, Copy)]
struct Paired {
    stereotype: u8,
    ratios: [f64; 2],
}

type Statistic = fn(&[(u8, f64)]) -> f64;

fn mean_ratio(rows: &[(u8, f64)]) -> f64 {
    rows.iter().map(|(_, ratio)| ratio).sum::<f64>() / rows.len() as f64
}

/// NaN where a stereotype has no row.
fn rate(rows: &[(u8, f64)]) -> f64 {
    let mut sums = [(0.0, 0u32); stereotypes::COUNT as usize + 1];
    for (id, ratio) in rows {
        sums[usize::from(*id)].0 += ratio;
        sums[usize::from(*id)].1 += 1;
    }
    let q = (1..=stereotypes::COUNT).filter_map(|id| {
        let (sum, n) = sums[usize::from(id)];
        (n > 0).then(|| (id, sum / f64::from(n)))
    });
    stereotype_rate(&q.collect()).unwrap_or(f64::NAN)
}

/// First less second on some rows, each perhaps swapped.
fn difference(rows: &[Paired], taken: impl Iterator<Item = (usize, bool)>, of: Statistic) -> f64 {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for (place, swap) in taken {
        let Paired { stereotype, ratios } = rows[place];
        ours.push((stereotype, ratios[usize::from(swap)]));
        theirs.push((stereotype, ratios[usize::from(!swap)]));
    }
    of(&ours) - of(&theirs)
}

pub fn compare(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    let system = judged.difference(first, second);
    let options = judged.options;
    let mut measured = Measured {
        how: vec![
            ("test", format!("randomisation-{}", options.rounds)),
            ("interval", format!("percentile-{}", options.replicates)),
        ],
        ..Measured::default()
    };
    for [(view, _), (other, _)] in judged.pairs(first, second) {
        let (ours, theirs) = (rates(judged, &view)?, rates(judged, &other)?);
        let theirs: BTreeMap<usize, f64> = theirs
            .rows
            .iter()
            .map(|row| (row.item, row.ratio))
            .collect();
        let mut by_language: BTreeMap<&str, Vec<Paired>> = BTreeMap::new();
        for row in &ours.rows {
            if let Some(ratio) = theirs.get(&row.item) {
                let own = by_language.entry(row.counted.language).or_default();
                own.push(Paired {
                    stereotype: row.counted.stereotype,
                    ratios: [row.ratio, *ratio],
                });
            }
        }
        for (code, rows) in &by_language {
            let unit = format!("lang:{code}");
            let mut writer = RowWriter::new(&CARD, &system, &unit);
            let statistics: [(&str, Statistic); 2] = [("delta_g_s", rate), ("delta_q", mean_ratio)];
            for (metric, statistic) in statistics {
                let plain = |swapped: &[bool]| {
                    let taken = swapped.iter().copied().enumerate();
                    difference(rows, taken, statistic)
                };
                let value = plain(&vec![false; rows.len()]);
                if !value.is_finite() {
                    continue;
                }
                let stream = format!("eurogest/compare/{code}/{metric}");
                let drawn = bootstrap(
                    rows.len(),
                    options.replicates,
                    options.seed,
                    &stream,
                    |drawn| {
                        let taken = drawn.iter().map(|place| (*place as usize, false));
                        difference(rows, taken, statistic)
                    },
                );
                let drawn: Vec<f64> = drawn.into_iter().filter(|d| d.is_finite()).collect();
                let interval = percentile_interval(&drawn, LEVEL)?;
                let row = writer.push("all", metric, value);
                (row.low, row.high) = (Some(interval.low), Some(interval.high));
                row.n = Some(rows.len() as u64);
                let p_value = approximate_randomisation(
                    rows.len(),
                    options.rounds as u64,
                    options.seed,
                    &stream,
                    plain,
                    value,
                );
                let group = match metric {
                    "delta_g_s" => "all",
                    other => other,
                };
                writer.push(group, "p_value", p_value).n = Some(rows.len() as u64);
            }
            measured.rows.extend(writer.rows);
        }
    }
    if measured.rows.is_empty() {
        Err(judged.incomparable(first, second, "they share no row"))
    } else {
        Ok(measured)
    }
}
