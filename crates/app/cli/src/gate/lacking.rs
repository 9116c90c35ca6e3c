//! A gate passes only on numbers that are there: where a system was measured and its number could not be made (no
//! translation shows a gender, an interval has too few occupations), that it did not exceed a bound says nothing.

use std::collections::BTreeSet;

use epicene_core::Row;

use epicene_pipeline::{CORRECTED, JUDGED};

use super::Comparison;
use super::evaluate::Wrong;

impl Comparison {
    /// What the comparison is about and has no number for.
    pub(super) fn lacking(&self, rows: &[Row]) -> Option<Wrong> {
        let selected = self.selected(rows).ok()?;
        self.without_value(&selected)
            .or_else(|| self.without_row(rows, &selected))
    }

    /// A whole that has no interval, while parts of it have one.
    fn without_value(&self, selected: &[&Row]) -> Option<Wrong> {
        let row = selected
            .iter()
            .find(|row| row.group == "all" && self.function.of(row).is_none())?;
        let message = format!(
            "{} {} has no {}",
            row.system,
            row.unit,
            self.function.shown(&self.metric)
        );
        Some((
            message,
            "choose the rows that have one by a selector, or compare the value itself".to_owned(),
        ))
    }

    /// A system and unit that were measured, without a row of the metric where others of their kind have one. Numbers
    /// without an ideal value are counts of what happened: none happened there.
    fn without_row(&self, rows: &[Row], selected: &[&Row]) -> Option<Wrong> {
        // Labels of people are there for those who were looked at.
        if [CORRECTED, JUDGED]
            .iter()
            .any(|ending| self.metric.ends_with(ending))
        {
            return None;
        }
        let place = |row: &Row| [&row.benchmark, &row.system, row.unit.as_str()].map(str::to_owned);
        let kind = |row: &Row| row.unit.split(':').next().map(str::to_owned);
        let has: BTreeSet<[String; 3]> = selected.iter().map(|row| place(row)).collect();
        let lacks = rows.iter().find(|row| {
            !is_of_several(row)
                && !has.contains(&place(row))
                && selected.iter().any(|there| {
                    let moved = Row {
                        system: row.system.clone(),
                        unit: row.unit.clone(),
                        ..(*there).clone()
                    };
                    there.ideal.is_some()
                        && there.benchmark == row.benchmark
                        && kind(there) == kind(row)
                        && self.is_meant(&moved, selected)
                })
        })?;
        let message = format!("{} {} has no {}", lacks.system, lacks.unit, self.metric);
        Some((
            message,
            "the run says why; name the others with a selector".to_owned(),
        ))
    }
}

/// What systems have in common stands under `all` or `all:KIND`: it is nothing that was measured of a system.
fn is_of_several(row: &Row) -> bool {
    row.system == "all" || row.system.starts_with("all:")
}
