//! Which items are behind each row: names once, a few numbers for each row, deflated. The page's script turns a row into
//! filters of the item browser.

use std::collections::BTreeMap;

use serde::Serialize;

use super::item_pack::packed;
use super::{Report, ReportRun, Row};

#[derive(Serialize)]
struct Index<'a> {
    parts: Vec<PartIndex<'a>>,
    systems: Vec<&'a str>,
    units: Vec<&'a str>,
    groups: Vec<&'a str>,
    metrics: Vec<&'a str>,
    /// For each row of the JSON: part, system, unit, group, metric, and n or -1.
    rows: Vec<i64>,
}

#[derive(Serialize)]
struct PartIndex<'a> {
    run: &'a str,
    /// Of metrics that are about some of the items: the label that those have.
    scopes: BTreeMap<&'a str, (&'a str, &'a str)>,
}

/// Names in the order in which they come.
#[derive(Default)]
struct Names<'a> {
    all: Vec<&'a str>,
    places: BTreeMap<&'a str, i64>,
}

impl<'a> Names<'a> {
    fn place(&mut self, name: &'a str) -> i64 {
        let next = self.all.len() as i64;
        let place = *self.places.entry(name).or_insert(next);
        if place == next {
            self.all.push(name);
        }
        place
    }
}

/// The index of all the rows of a report, those of its comparison last, as the page carries it. Parts without items have no
/// place in it.
pub fn pack(report: &Report, has_items: impl Fn(&ReportRun) -> bool) -> Option<String> {
    let shown: Vec<bool> = report.parts.iter().map(has_items).collect();
    if !shown.iter().any(|shown| *shown) {
        return None;
    }
    let mut names: [Names<'_>; 4] = Default::default();
    let mut rows = Vec::new();
    let mut source = 0;
    let mut all: Vec<(i64, &Row)> = Vec::new();
    for (part, shown) in report.parts.iter().zip(&shown) {
        all.extend(part.results.rows.iter().map(|row| (source, row)));
        source += i64::from(*shown);
    }
    let compared = report.comparison.iter();
    let compared = compared.flat_map(|comparison| &comparison.results.rows);
    all.extend(compared.map(|row| (0, row)));
    for (part, row) in all {
        rows.push(part);
        rows.extend(place_all(&mut names, row));
        rows.push(row.n.and_then(|n| i64::try_from(n).ok()).unwrap_or(-1));
    }
    let parts = report.parts.iter().zip(&shown).filter(|(_, shown)| **shown);
    let parts = parts.map(|(part, _)| PartIndex {
        run: &part.run,
        scopes: part
            .scopes
            .iter()
            .map(|(metric, (name, value))| (metric.as_str(), (name.as_str(), value.as_str())))
            .collect(),
    });
    let parts = parts.collect();
    let [systems, units, groups, metrics] = names.map(|names| names.all);
    let index = Index {
        parts,
        systems,
        units,
        groups,
        metrics,
        rows,
    };
    let json = serde_json::to_vec(&index).expect("strings and numbers can be written");
    Some(packed(&json))
}

fn place_all<'a>(names: &mut [Names<'a>; 4], row: &'a Row) -> [i64; 4] {
    let fields: [&str; 4] = [&row.system, &row.unit, &row.group, &row.metric];
    let mut places = [0; 4];
    for ((place, names), field) in places.iter_mut().zip(names).zip(fields) {
        *place = names.place(field);
    }
    places
}
