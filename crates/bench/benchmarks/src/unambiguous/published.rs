//! Tables 3 and 4 of the paper: what every result stands beside. They were computed on XL.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use epicene_core::{Language, Row, Unit};
use serde::Deserialize;

use super::measures::BARE;
use super::precomputed::KnownResults;
use crate::options::{DETECTOR, DetectorRules, INTERVAL};
use crate::places::Rank;
use crate::{Judged, Measured, Options, RowWriter, own_baselines};

#[derive(Deserialize)]
struct Published {
    table3_correct_wrong_na: BTreeMap<String, [f64; 3]>,
    #[serde(rename = "table4_deltaM_deltaF")]
    table4_deltas: BTreeMap<String, [f64; 2]>,
}

fn published() -> &'static Published {
    static PUBLISHED: OnceLock<Published> = OnceLock::new();
    PUBLISHED.get_or_init(|| {
        let text = include_str!("../../data/published/unambiguous.json");
        serde_json::from_str(text).expect("the embedded tables can be read")
    })
}

/// Both tables as rows; systems are named `published:NAME`.
pub fn rows() -> Vec<Row> {
    let tables = published();
    let mut rows = Vec::new();
    let mut push = |key: &str, group: &str, metrics: &[&str], values: &[f64], ideals: &[f64]| {
        let key = key.rsplit_once('/');
        let (system, language) = key.expect("keys of the tables are SYSTEM/LANGUAGE");
        let (system, unit) = (format!("published:{system}"), Unit::into_language(language));
        for ((metric, value), ideal) in metrics.iter().zip(values).zip(ideals) {
            let mut row = Row::new(super::CARD.name, [&system, &unit, group], metric, *value);
            row.ideal = Some(*ideal);
            rows.push(row);
        }
    };
    for (key, values) in &tables.table3_correct_wrong_na {
        push(
            key,
            "all",
            &["correct", "wrong", "na"],
            values,
            &[1.0, 0.0, 0.0],
        );
    }
    for (key, values) in &tables.table4_deltas {
        push(key, BARE, &["delta_m", "delta_f"], values, &[0.0, 0.0]);
    }
    rows
}

/// The paper's tables; by epicene's detector, what is at hand of the authors' translations.
pub fn baselines(options: &Options) -> Vec<Row> {
    match options.get(&DETECTOR) {
        DetectorRules::Epicene => own_baselines::rows(&super::CARD),
        DetectorRules::Published => rows(),
    }
}

/// The share of translations into a language that the paper's tagger left without a gender, in the mean of its systems.
pub fn left_open(language: &str) -> Option<f64> {
    let of_language = |key: &str| {
        key.rsplit_once('/')
            .is_some_and(|(_, code)| code == language)
    };
    let tables = published().table3_correct_wrong_na.iter();
    let shares: Vec<f64> = tables
        .filter(|(key, _)| of_language(key))
        .map(|(_, [_, _, na])| *na)
        .collect();
    (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
}

/// Where results stand among the published systems of their language: a row and a sentence each. The paper measured XL with the
/// tags of a tagger, so that only its own sets are placed, by its detector or by given tags.
pub fn places(measured: &mut Measured, judged: &Judged<'_>) {
    let paper = judged.whole && judged.data.version.starts_with("paper");
    if !paper || !judged.options.get(&INTERVAL).is_clustered() {
        return;
    }
    let correct = |row: &&Row| row.metric == "correct" && row.group == "all";
    let ours: Vec<Row> = measured.rows.iter().filter(correct).cloned().collect();
    for row in ours {
        let Some(language) = Unit::language_code(&row.unit) else {
            continue;
        };
        let known = Language::find(language);
        let given = known.and_then(|known| KnownResults::of(&judged.options.inputs, known).ok()?);
        let by_tags = given.is_some_and(|given| given.has_tags());
        if judged.options.get(&DETECTOR) != DetectorRules::Published && !by_tags {
            continue;
        }
        let tables = published().table3_correct_wrong_na.iter();
        let systems = tables.filter_map(|(key, [correct, ..])| {
            let (system, code) = key.rsplit_once('/')?;
            (code == language).then(|| (system.to_owned(), *correct))
        });
        let systems: Vec<(String, f64)> = systems.collect();
        let Some(place) = Rank::among(row.value, &systems) else {
            continue;
        };
        let who = format!("{} {}", row.system, row.unit);
        let whom = format!("published systems into {language} (Table 3, on XL)");
        let mut writer = RowWriter::new(&super::CARD, &row.system, &row.unit);
        let placed = writer.push("all", "more_correct_than", place.above as f64);
        placed.n = Some(place.of as u64);
        let words = (who.as_str(), "more often correct", whom.as_str());
        let range = Rank::range(&row, &systems);
        measured.notes.push(place.note(words, range, Some(placed)));
        measured.rows.extend(writer.rows);
    }
}

/// The published numbers of a language, for people.
pub fn note(language: &str) -> Option<String> {
    let tables = published();
    let mut systems = Vec::new();
    for (key, [correct, wrong, na]) in &tables.table3_correct_wrong_na {
        let Some((system, _)) = key.rsplit_once('/').filter(|(_, code)| *code == language) else {
            continue;
        };
        let deltas = tables.table4_deltas.get(key);
        let deltas = deltas.map_or(String::new(), |[m, f]| format!(", ΔM {m:.2} ΔF {f:.2}"));
        systems.push(format!("{system} {correct:.2}/{wrong:.2}/{na:.2}{deltas}"));
    }
    (!systems.is_empty()).then(|| {
        format!(
            "{language}, Tables 3 and 4 (published, on XL; correct/wrong/N/A): {}",
            systems.join("; ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_there() {
        let rows = rows();
        let find = |system: &str, unit: &str, metric: &str| {
            let row = rows
                .iter()
                .find(|row| row.system == system && row.unit == unit && row.metric == metric);
            row.unwrap().value
        };
        assert_eq!(find("published:m2m_100_1.2B", "lang:de", "correct"), 0.73);
        assert_eq!(find("published:m2m_100_1.2B", "lang:cs", "delta_f"), 0.35);
        assert!(note("de").unwrap().contains("m2m_100_1.2B 0.73/0.26/0.01"));
        assert_eq!(note("xx"), None);
    }
}
