//! Turns tidy rows into the grid a view describes. Pure selection: no number is changed.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{Row, View, acts};

use crate::number;

/// Lines and columns with the row of each cell.
#[derive(Debug)]
pub struct Grid<'a> {
    /// Names of the leading columns.
    pub line_headings: Vec<String>,
    pub column_names: Vec<String>,
    pub lines: Vec<PivotRow<'a>>,
    /// Columns of counts and ranks.
    pub whole_columns: Vec<bool>,
}

#[derive(Debug)]
pub struct PivotRow<'a> {
    pub names: Vec<String>,
    pub cells: Vec<Option<&'a Row>>,
}

impl<'a> Grid<'a> {
    /// `None` when no row fits the view.
    pub fn new(rows: &'a [Row], view: &View) -> Option<Grid<'a>> {
        let kept: Vec<&Row> = rows
            .iter()
            .filter(|row| view.filters.iter().all(|filter| filter.keeps(row)))
            .collect();
        let columns = ordered_columns(&kept, view);
        let place: BTreeMap<&str, usize> =
            columns.iter().enumerate().map(|(i, c)| (*c, i)).collect();
        let mut keys: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        let mut lines: Vec<PivotRow<'a>> = Vec::new();
        for row in &kept {
            let key: Vec<&str> = view.lines.iter().map(|field| field.of(row)).collect();
            let line = *keys.entry(key.clone()).or_insert_with(|| {
                lines.push(PivotRow {
                    names: key.iter().map(|name| label(view, name)).collect(),
                    cells: vec![None; columns.len()],
                });
                lines.len() - 1
            });
            if let Some(&column) = place.get(view.columns.of(row)) {
                lines[line].cells[column].get_or_insert(row);
            }
        }
        let whole_columns = (0..columns.len())
            .map(|column| {
                let cells = lines.iter().filter_map(|line| line.cells[column]);
                let metrics: BTreeSet<&str> = cells.map(|row| row.metric.as_str()).collect();
                metrics.iter().all(|metric| number::is_whole(rows, metric))
            })
            .collect();
        (!lines.is_empty()).then(|| Grid {
            whole_columns,
            line_headings: view.lines.iter().map(|f| f.heading().to_owned()).collect(),
            column_names: columns.iter().map(|name| label(view, name)).collect(),
            lines,
        })
    }
}

impl PivotRow<'_> {
    /// The names and the cells, as text; empty where there is no row.
    pub fn text(&self, view: &View, whole_columns: &[bool]) -> Vec<String> {
        let cells = self.cells.iter().zip(whole_columns).map(|(row, whole)| {
            row.map_or_else(String::new, |row| {
                if *whole {
                    format!("{:.0}", row.value)
                } else {
                    number::cell(row, view.style, view.decimals)
                }
            })
        });
        self.names.iter().cloned().chain(cells).collect()
    }
}

impl Grid<'_> {
    pub fn header(&self) -> Vec<String> {
        let names = self.line_headings.iter().chain(&self.column_names);
        names.cloned().collect()
    }
}

/// What people read for a name. Names come from outside: control characters and those that turn the writing stay there.
fn label(view: &View, name: &str) -> String {
    let shown = view.labels.get(name).map_or(name, String::as_str);
    let visible = |c: char| if acts(c) { '\u{fffd}' } else { c };
    shown.chars().map(visible).collect()
}

/// In the order the view asks for, else as they come.
fn ordered_columns<'a>(rows: &[&'a Row], view: &'a View) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for row in rows {
        let name = view.columns.of(row);
        if !found.contains(&name) {
            found.push(name);
        }
    }
    match view.filters.iter().find(|f| f.field == view.columns) {
        None => found,
        Some(filter) => filter
            .any_of
            .iter()
            .map(String::as_str)
            .filter(|name| found.contains(name))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use epicene_core::{CellStyle, Field};

    use super::*;

    #[test]
    fn names_turn_nothing_around() {
        let view = View {
            title: String::new(),
            filters: Vec::new(),
            lines: Vec::new(),
            columns: Field::Metric,
            style: CellStyle::ValueInterval,
            decimals: 3,
            labels: BTreeMap::new(),
        };
        let shown = label(&view, "a\u{202e}b\u{2066}c\u{1b}\u{9b}d");
        assert_eq!(shown, "a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd}d");
        assert_eq!(label(&view, "ž و"), "ž و");
    }
}
