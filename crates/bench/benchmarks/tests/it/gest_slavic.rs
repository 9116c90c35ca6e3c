//! GEST's aggregates over Slavic models and languages (section 6), from the printed means of Table 11: one pair of sentences for each
//! model, language and stereotype, whose score is the logarithm of the printed q. The pairs themselves are not published.

use std::collections::BTreeMap;

use crate::table_support::{Answered, card};
use epicene_bench::options::{ESTIMATE, INTERVAL};
use epicene_bench::{Options, find, published_tables};
use epicene_core::{Answer, Item, ModelKind, Row, Scorer, Unit};
use serde_json::Value;

const LANGUAGES: [&str; 9] = ["be", "ru", "uk", "hr", "sl", "sr", "cs", "pl", "sk"];

fn measured(models: &[&str], published: &Value, interval: &str) -> BTreeMap<String, Row> {
    let mut items = Vec::new();
    for language in LANGUAGES {
        for id in 1..=16 {
            items.push(
                Item::new(format!("{language}{id}"), format!("Bol {language} {id}"))
                    .with_label("female", format!("Bola {language} {id}"))
                    .with_label("original", "I was.")
                    .with_label("language", language)
                    .with_label("translator", "t")
                    .with_label("stereotype", id.to_string())
                    .with_label("counts", "yes"),
            );
        }
    }
    let systems = models.iter().map(|name| card(name, ModelKind::Masked));
    let columns = models.iter().enumerate().map(|(place, model)| {
        let answers = LANGUAGES.iter().flat_map(|language| {
            let cells = published["models"][*model][*language]["per_stereotype"].as_array();
            cells.unwrap().iter().map(|cell| {
                let q = cell["est_mean"].as_f64().unwrap();
                Answer::Log10Ratio(q.ln())
            })
        });
        (
            (place, Unit::named("pairs"), Scorer::MaskedPair),
            answers.collect(),
        )
    });
    let benchmark = find("gest-pairs").unwrap();
    let answered = Answered::new(benchmark, &items, systems.collect(), columns.collect());
    let options = Options::default()
        .drawing(20, 10)
        .with(&INTERVAL, interval)
        .with(&ESTIMATE, interval);
    let rows = answered.measure(&options).unwrap().rows;
    let key = |row: &Row| format!("{} {} {} {}", row.system, row.unit, row.group, row.metric);
    rows.into_iter().map(|row| (key(&row), row)).collect()
}

#[test]
fn correlations_ranks_and_table_3() {
    let published = published_tables("gest_slavic");
    let all: Vec<&str> = published["models"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let xlm: Vec<&str> = all
        .iter()
        .copied()
        .filter(|name| name.starts_with("xlm"))
        .collect();
    let rows = measured(&xlm, &published, "published");
    for (metric, key, pairs) in [
        ("r_units", "all_pairs", 630),
        ("r_models", "between_models_same_language", 54),
        ("r_languages", "between_languages_same_model", 144),
    ] {
        let row = &rows[&format!("all all all {metric}")];
        let paper = published["correlations_xlm"][key].as_f64().unwrap();
        assert!(
            (row.value - paper).abs() < 2e-3,
            "{metric}: {} {paper}",
            row.value
        );
        assert_eq!(row.n, Some(pairs));
    }
    for (place, cell) in published["feminine_rank_box_stats_xlm"]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
    {
        for (key, metric) in [
            ("q1", "rank_q1"),
            ("median", "rank_median"),
            ("q3", "rank_q3"),
        ] {
            let ours = rows[&format!("all all stereotype:{} {metric}", place + 1)].value;
            let paper = cell[key].as_f64().unwrap();
            assert!(
                (ours - paper).abs() <= 0.5,
                "{place} {metric}: {ours} {paper}"
            );
        }
    }
    let rows = measured(&all, &published, "published");
    for (metric, paper) in [("q_m", 1.471_479), ("q_f", 1.201_253)] {
        let ours = rows[&format!("all:masked all all {metric}")].value;
        assert!((ours - paper).abs() < 2e-3, "{metric}: {ours}");
    }
    // Every language of every model, and the mean over a model's languages.
    assert_eq!(
        rows.values().filter(|row| row.metric == "g_s").count(),
        5 * 9 + 5
    );
    let sk = rows["xlm-v-base lang:sk all g_s"].value;
    let paper = published["models"]["xlm-v-base"]["sk"]["g_s"]
        .as_f64()
        .unwrap();
    assert!((sk - paper).abs() < 5e-3, "{sk} {paper}");
    assert_eq!(rows["all lang:sk translator:t pairs"].value, 16.0);
}

/// Equal values share the mean of their ranks; in the published way the smaller number goes first.
#[test]
fn ties_share_their_rank() {
    let gest = find("gest").unwrap();
    let items: Vec<Item> = (0..160)
        .map(|item| {
            Item::new(format!("g:{item}"), "I was.")
                .with_label("stereotype", (1 + item % 16).to_string())
        })
        .collect();
    // Stereotypes 3, 4 and 5 have the same scores.
    let answers = (0..160).map(|item| {
        let id = 1 + item % 16;
        let value = if (3..=5).contains(&id) { 4 } else { id };
        Answer::Log10Ratio(f64::from(value) / 100.0 + f64::from(item / 16) / 1000.0)
    });
    let place = (0, Unit::named("template:1"), Scorer::MaskedPair);
    let systems = vec![card("m", ModelKind::Masked)];
    let answered = Answered::new(gest, &items, systems, vec![(place, answers.collect())]);
    for (estimate, ranks) in [("plain", [4.0, 4.0, 4.0]), ("published", [3.0, 4.0, 5.0])] {
        let options = Options::default()
            .drawing(20, 10)
            .with(&INTERVAL, "published")
            .with(&ESTIMATE, estimate);
        let rows = answered.measure(&options).unwrap().rows;
        let found = [3, 4, 5].map(|id| {
            let group = format!("stereotype:{id}");
            let row = rows
                .iter()
                .find(|row| row.metric == "rank" && row.group == group);
            row.unwrap().value
        });
        assert_eq!(found, ranks, "{estimate}");
    }
}
