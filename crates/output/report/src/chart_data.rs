//! What figures are drawn from: rows, each with its place in the joined JSON, looked up by the names
//! that scripts rely on.

use std::collections::BTreeMap;
use std::ops::Deref;

use epicene_core::{CellStyle, Field, Metric, Row, View};

use crate::{number, words};

/// A row as figures see it.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    pub row: &'a Row,
    /// Its place in the JSON of the same report; none for published results.
    pub index: Option<usize>,
    /// The system, with its run where two runs have a system of that name.
    pub system: &'a str,
}

impl Deref for Entry<'_> {
    type Target = Row;

    fn deref(&self) -> &Row {
        self.row
    }
}

impl Entry<'_> {
    /// The system in its unit, where there is little room: `deepl sk`.
    pub fn contestant(&self) -> String {
        format!("{} {}", self.system, words::short_unit(&self.row.unit))
    }

    /// The number as every other place of the report prints it.
    pub fn number(&self, decimals: usize) -> String {
        number::cell(self.row, CellStyle::ValueInterval, decimals)
    }

    pub fn low(&self) -> f64 {
        self.row.low.unwrap_or(self.row.value)
    }

    pub fn high(&self) -> f64 {
        self.row.high.unwrap_or(self.row.value)
    }
}

/// All the rows of one benchmark in a report.
#[derive(Debug)]
pub struct Data<'a> {
    pub benchmark: &'a str,
    pub entries: Vec<Entry<'a>>,
    /// Published rows to stand behind.
    pub published: &'a [Row],
    /// Whether these results were measured on the items of the published ones.
    pub same_items: bool,
    /// What people read instead of a name: `7 Beautiful` for `stereotype:7`.
    pub labels: &'a BTreeMap<String, String>,
    /// What the benchmark's metrics mean.
    pub metrics: &'a [Metric],
    /// Rows of paired tests between the systems, where somebody made them.
    pub compared: &'a [Row],
    /// How its rows are laid out, which says with how many decimals they are printed.
    pub views: Vec<&'a View>,
}

impl<'a> Data<'a> {
    /// What a metric means, where its benchmark says so.
    pub fn meaning(&self, symbol: &str) -> Option<&'a Metric> {
        self.metrics.iter().find(|metric| metric.symbol == symbol)
    }

    /// The decimals of the table that shows a row; of a table that shows its metric, where none shows the row itself.
    pub fn decimals(&self, row: &Row) -> usize {
        const OTHERWISE: usize = 3;
        let shows = |view: &&&View| view.filters.iter().all(|filter| filter.keeps(row));
        let metric = |view: &&&View| {
            let mut filters = view.filters.iter();
            filters.any(|filter| filter.field == Field::Metric && filter.keeps(row))
        };
        let views = || self.views.iter();
        let view = views().find(shows).or_else(|| views().find(metric));
        view.map_or(OTHERWISE, |view| view.decimals)
    }

    pub fn metric<'b>(&'b self, metric: &'b str) -> impl Iterator<Item = Entry<'a>> + 'b {
        let entries = self.entries.iter().copied();
        entries.filter(move |entry| entry.row.metric == metric)
    }

    pub fn has(&self, metric: &str) -> bool {
        self.metric(metric).next().is_some()
    }

    pub fn published<'b>(&'b self, metric: &'b str) -> impl Iterator<Item = Entry<'a>> + 'b {
        let rows = self.published.iter();
        rows.filter(move |row| row.metric == metric)
            .map(|row| Entry {
                row,
                index: None,
                system: row.system.trim_start_matches("published:"),
            })
    }

    pub fn find(&self, [system, unit, group]: [&str; 3], metric: &str) -> Option<Entry<'a>> {
        let mut entries = self.entries.iter().copied();
        entries.find(|entry| {
            entry.row.metric == metric
                && entry.system == system
                && entry.row.unit == unit
                && entry.row.group == group
        })
    }

    /// What people read for a name; `config:FM` without a label is `FM`.
    pub fn label(&self, name: &str) -> String {
        match self.labels.get(name) {
            Some(label) => label.clone(),
            None => name
                .split_once(':')
                .map_or(name, |(_, rest)| rest)
                .to_owned(),
        }
    }
}

/// The distinct values, in the order in which they come.
pub fn distinct<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}
