//! The accuracy of a system among the published ones, in any language.

use epicene_core::{Row, Unit};

use super::benchmark::CARD;
use crate::options::INTERVAL;
use crate::places::Place;
use crate::{Judged, Measured, RowWriter, published_tables};

/// Published accuracies by `system language`.
fn accuracies() -> Vec<(String, f64)> {
    let tables = published_tables("winomt");
    let cells = tables["systems"].as_array().into_iter().flatten();
    let named = cells.filter_map(|cell| {
        let text = |key: &str| cell[key].as_str();
        let name = format!("{} {}", text("system")?, text("language")?);
        Some((name, cell["acc"].as_f64()?))
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
        let accuracies = accuracies();
        let Some(place) = Place::among(row.value, &accuracies) else {
            continue;
        };
        let who = format!("{} {}", row.system, row.unit);
        let words = (
            who.as_str(),
            "more accurate",
            "published system-language pairs",
        );
        let mut writer = RowWriter::new(&CARD, &row.system, &row.unit);
        let placed = writer.push("all", "more_accurate_than", place.above as f64);
        placed.n = Some(place.of as u64);
        let range = Place::range(row, &accuracies);
        measured.notes.push(place.note(words, range, Some(placed)));
        measured.rows.extend(writer.rows);
    }
}
