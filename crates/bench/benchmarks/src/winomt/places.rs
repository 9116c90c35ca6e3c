//! The accuracy of a system among the published ones, in any language.

use epicene_core::{Row, Unit};

use super::benchmark::CARD;
use crate::fixed_gender::IGNORE_FIXED;
use crate::options::{DETECTOR, DetectorRules, INTERVAL};
use crate::places::Rank;
use crate::published_tables::{listed, number_or_empty, published_tables};
use crate::{Judged, Measured, Options, RowWriter, own_baselines};

/// The published systems by the chosen detector.
pub fn baselines(options: &Options) -> Vec<Row> {
    if options.get(&DETECTOR) == DetectorRules::Epicene {
        return own_baselines::rows(&CARD);
    }
    let tables = published_tables("winomt");
    let mut rows = Vec::new();
    for cell in listed(&tables["systems"]) {
        let text = |key: &str| cell[key].as_str().expect("the embedded tables have words");
        let system = format!("published:{}", text("system"));
        let unit = Unit::into_language(text("language"));
        let mut writer = RowWriter::new(&CARD, &system, &unit);
        for metric in ["acc", "delta_g", "delta_s"] {
            if let Some(value) = number_or_empty(cell, metric) {
                writer.push("all", metric, value);
            }
        }
        rows.extend(writer.rows);
    }
    rows
}

/// Accuracies of published systems by the same detector, by `system language`.
fn accuracies(options: &Options) -> Vec<(String, f64)> {
    if options.get(&IGNORE_FIXED) {
        return Vec::new();
    }
    let accuracies = baselines(options).into_iter();
    let accuracies = accuracies.filter(|row| row.metric == "acc");
    let named = accuracies.filter_map(|row| {
        let system = row.system.strip_prefix("published:")?;
        let name = format!("{system} {}", Unit::language_code(&row.unit)?);
        Some((name, row.value))
    });
    named.collect()
}

/// A row and a sentence for each language of each system, on the whole of the authors' sentences.
pub fn add(measured: &mut Measured, judged: &Judged<'_>) {
    const SENTENCES: usize = 3_888;
    let whole = judged.whole && judged.table.items.len() == SENTENCES;
    if !whole || !judged.options.get(&INTERVAL).is_clustered() {
        return;
    }
    let accuracy = |row: &&Row| row.metric == "acc" && row.group == "all";
    let ours: Vec<Row> = measured.rows.iter().filter(accuracy).cloned().collect();
    for row in ours
        .iter()
        .filter(|row| Unit::language_code(&row.unit).is_some())
    {
        let accuracies = accuracies(judged.options);
        let Some(place) = Rank::among(row.value, &accuracies) else {
            continue;
        };
        let who = format!("{} {}", row.system, row.unit);
        let words = (
            who.as_str(),
            "more accurate",
            match judged.options.get(&DETECTOR) {
                DetectorRules::Published => "published system-language pairs",
                DetectorRules::Epicene => "published system-language pairs, by the same detector",
            },
        );
        let mut writer = RowWriter::new(&CARD, &row.system, &row.unit);
        let placed = writer.push("all", "more_accurate_than", place.above as f64);
        placed.n = Some(place.of as u64);
        let range = Rank::range(row, &accuracies);
        measured.notes.push(place.note(words, range, Some(placed)));
        measured.rows.extend(writer.rows);
    }
}
