//! Two chat systems in the wordings both were asked: numbers of other wordings are not comparable.

use super::measuring::{how, readable};
use super::{Measure, Numbers, POSITION_BOUND, Pooled, PositionBound, Range, interval, p_value};
use crate::{BenchError, Judged, Measured, RowWriter, Tested};

/// Differences of s, n and r in every wording that both were asked, second less first, and of the pooled s, paired by item
/// and wording.
pub fn compare<N: Numbers>(
    judged: &Judged<'_>,
    (first, second): (usize, usize),
    all: &[Measure<N>],
) -> Result<Measured, BenchError> {
    let of = |system: usize| {
        all.iter()
            .filter(move |measure| measure.attempts().system == system)
    };
    let mut differences: Vec<Difference> = Vec::new();
    for before in of(first) {
        let unit = before.attempts().unit();
        let Some(after) = of(second).find(|other| other.attempts().unit() == unit) else {
            continue;
        };
        for (metric, delta) in [("s", "delta_s"), ("n", "delta_n"), ("r", "delta_r")] {
            let (Some(place), Some(other)) = (before.place_of(metric), after.place_of(metric))
            else {
                continue;
            };
            let value = after.values[other] - before.values[place];
            if value.is_nan() {
                continue;
            }
            let pairs = before.replicates.iter().zip(&after.replicates);
            differences.push(Difference {
                unit: unit.clone(),
                metric: delta,
                value,
                replicates: pairs
                    .map(|(before, after)| vec![after[other] - before[place]])
                    .collect(),
                n: readable(before.attempts()).min(readable(after.attempts())),
                items: before.numbers.counts()[place].min(after.numbers.counts()[other]),
                pooled: !before.is_bound() && !after.is_bound(),
            });
        }
    }
    let rates: Vec<&Difference> = differences
        .iter()
        .filter(|difference| difference.metric == "delta_s")
        .collect();
    let keeps = judged.options.get(&POSITION_BOUND) == PositionBound::Keep;
    if rates.is_empty() {
        return Err(judged.incomparable(first, second, "they share no wording"));
    }
    let pooled = {
        let counted = || rates.iter().filter(move |one| keeps || one.pooled);
        let both: Vec<(&[f64], &[Vec<f64>])> = counted()
            .map(|one| (std::slice::from_ref(&one.value), &one.replicates[..]))
            .collect();
        let items = counted().map(|one| one.items).max().unwrap_or(0);
        Pooled::of(&both, 0).map(|pooled| (pooled, counted().count() as u64, items))
    };
    let name = judged.difference(first, second);
    let mut measured = Measured::default();
    if let Some((pooled, wordings, items)) = pooled {
        let mut writer = RowWriter::new(judged.card, &name, "all");
        let row = writer.push("all", "delta_s", pooled.value);
        row.n = Some(wordings);
        if let Some(interval) = pooled.interval(Range::Within(-2.0, 2.0), items) {
            (row.low, row.high) = (Some(interval.low), Some(interval.high));
        }
        writer.push("all", "p_value", pooled.p_value()).n = Some(wordings);
        measured.rows.extend(writer.rows);
        measured.tests.push(Tested {
            row: 1,
            primary: true,
        });
    }
    for (number, one) in differences.iter().enumerate() {
        let mut writer = RowWriter::new(judged.card, &name, &one.unit);
        let row = writer.push("all", one.metric, one.value);
        row.n = Some(one.n);
        let range = if one.metric == "delta_s" { 2.0 } else { 1.0 };
        let of = (Range::Within(-range, range), one.items);
        if let Some(interval) = interval(one.value, &one.replicates, 0, of) {
            (row.low, row.high) = (Some(interval.low), Some(interval.high));
            let p_metric = match one.metric {
                "delta_s" => "p_value",
                "delta_n" => "p_value_n",
                _ => "p_value_r",
            };
            writer.push("all", p_metric, p_value(&one.replicates, 0)).n = Some(one.n);
            measured.tests.push(Tested {
                row: measured.rows.len() + 1,
                primary: pooled.is_none() && number == 0,
            });
        }
        measured.rows.extend(writer.rows);
    }
    measured.how.extend(how(judged)?);
    measured.how.push((
        "test",
        format!("bootstrap-{}+wordings-t", judged.options.replicates),
    ));
    Ok(measured)
}

/// A measure of two systems in one wording, or over all.
struct Difference {
    unit: String,
    metric: &'static str,
    value: f64,
    replicates: Vec<Vec<f64>>,
    n: u64,
    items: usize,
    /// Whether neither system follows the order of the options in it.
    pooled: bool,
}
