//! What MiTTenS has beside the numbers of [`kept`](crate::kept): the worst cell with its chance.

use std::collections::BTreeMap;

use epicene_core::Outcome;
use epicene_stats::{binomial_cdf, wilson};

use super::data;
use crate::estimate::LEVEL;
use crate::kept::{self, Column, GENDER};
use crate::translations::SOURCE;
use crate::{BenchError, Judged, Measured, RowWriter};

/// Groups of one label; pairs of the first three are groups as well.
const FACETS: [&str; 5] = [SOURCE, data::SET, GENDER, data::LEVEL, data::NAME_ONLY];
const CELL: [&str; 3] = [SOURCE, data::SET, GENDER];

/// Counts of a group of items.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    n: u64,
    wrong: u64,
}

impl Counts {
    fn accuracy(self) -> f64 {
        (self.n - self.wrong) as f64 / self.n as f64
    }
}

pub fn measure(judged: &Judged<'_>) -> Result<Measured, BenchError> {
    kept::measure(judged, [&FACETS, &CELL], worst)
}

fn counts(column: &Column<'_>, labels: &[&str]) -> BTreeMap<String, Counts> {
    let mut counts: BTreeMap<String, Counts> = BTreeMap::new();
    for (item, outcome) in &column.outcomes {
        let name = column.name(*item, labels);
        let name = name.expect("every item has the labels of its row");
        let count = counts.entry(name).or_default();
        count.n += 1;
        count.wrong += u64::from(*outcome == Outcome::Wrong);
    }
    counts
}

/// The lowest accuracy by language, by set, and by cell (language × set × gender), with the chance that some cell is as
/// low if all were alike.
fn worst(column: &Column<'_>, writer: &mut RowWriter<'_>) -> Result<Option<String>, BenchError> {
    for (metric, label) in [("worst_lang", SOURCE), ("worst_set", data::SET)] {
        if let Some((_, counts)) = lowest(&counts(column, &[label])) {
            write_worst(writer, metric, counts)?;
        }
    }
    let cells = counts(column, &CELL);
    let Some((name, worst)) = lowest(&cells) else {
        return Ok(None);
    };
    write_worst(writer, "worst_cell", worst)?;
    for (cell, counts) in &cells {
        write_counted(writer, [cell, "accuracy"], *counts)?;
    }
    let genders = counts(column, &[GENDER]);
    let mut none_as_low = 1.0;
    for (cell, counts) in &cells {
        let gender = genders
            .iter()
            .find(|(gender, _)| cell.ends_with(gender.as_str()));
        let (_, overall) = gender.expect("every cell has a gender");
        // The most right ones a cell of this size may have and still be as low.
        let limit = worst.accuracy() + 1e-12;
        let most = (0..=counts.n)
            .rev()
            .find(|right| *right as f64 / counts.n as f64 <= limit);
        if let Some(most) = most {
            none_as_low *= 1.0 - binomial_cdf(most, counts.n, overall.accuracy());
        }
    }
    let chance = 1.0 - none_as_low;
    let row = writer.push("all", "chance", chance);
    row.n = Some(cells.len() as u64);
    let (system, right) = (writer.system, worst.n - worst.wrong);
    let name = name.replace('+', ", ");
    Ok((worst.wrong > 0).then(|| {
        format!(
            "{system}: the worst of {} cells is {name}: {right} of {} without a wrong pronoun; \
             some cell would be as low with probability {chance:.2} if every cell had its gender's overall accuracy",
            cells.len(),
            worst.n
        )
    }))
}

/// Lowest accuracy; of equals the one with more items, then by name.
fn lowest(counts: &BTreeMap<String, Counts>) -> Option<(&str, Counts)> {
    let mut all: Vec<(&str, Counts)> = counts
        .iter()
        .map(|(name, own)| (name.as_str(), *own))
        .collect();
    all.sort_by(|(_, a), (_, b)| a.accuracy().total_cmp(&b.accuracy()).then(b.n.cmp(&a.n)));
    all.first().copied()
}

fn write_worst(writer: &mut RowWriter<'_>, metric: &str, counts: Counts) -> Result<(), BenchError> {
    write_counted(writer, ["all", metric], counts)
}

fn write_counted(
    writer: &mut RowWriter<'_>,
    [group, metric]: [&str; 2],
    counts: Counts,
) -> Result<(), BenchError> {
    let interval = wilson(counts.n - counts.wrong, counts.n, LEVEL)?;
    let row = writer.push(group, metric, counts.accuracy());
    (row.low, row.high, row.n) = (Some(interval.low), Some(interval.high), Some(counts.n));
    Ok(())
}
