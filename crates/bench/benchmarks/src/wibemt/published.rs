//! The paper's Table 3 and the shares of section 3, as baselines.

use epicene_core::{Row, Unit};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::benchmark::CARD;
use super::counts::Counts;
use super::occupations;
use crate::options::{DETECTOR, DetectorRules};
use crate::{Options, own_baselines};

#[derive(Deserialize)]
struct File {
    table3: BTreeMap<String, BTreeMap<String, serde_json::Value>>,
    paper_values: PaperValues,
}

#[derive(Deserialize)]
struct PaperValues {
    #[serde(rename = "H1")]
    verbs: BTreeMap<String, VerbShares>,
}

#[derive(Deserialize, Clone, Copy)]
struct VerbShares {
    #[serde(rename = "tfg_F")]
    feminine: f64,
    #[serde(rename = "tfg_M")]
    masculine: f64,
}

#[derive(Deserialize)]
struct Table3Counts {
    true_feminine: u64,
    false_masculine: u64,
    true_masculine: u64,
    false_feminine: u64,
    neutral: u64,
    wrong: u64,
}

/// A system of the paper: counts by adjective class, and %TFG of verb sentences.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedSystem {
    pub name: String,
    /// By `F`, `M`, `none`.
    pub adjectives: BTreeMap<String, Counts>,
    pub feminine_verbs: f64,
    pub masculine_verbs: f64,
}

static SYSTEMS: LazyLock<Vec<PublishedSystem>> = LazyLock::new(|| {
    let text = include_str!("../../data/published/wibemt.json");
    let file: File = serde_json::from_str(text).expect("the embedded tables can be read");
    let counts = |cell: &serde_json::Value| {
        let counts: Table3Counts =
            serde_json::from_value(cell["counts"].clone()).expect("a cell of Table 3 has counts");
        Counts {
            true_feminine: counts.true_feminine,
            false_masculine: counts.false_masculine,
            true_masculine: counts.true_masculine,
            false_feminine: counts.false_feminine,
            neutral: counts.neutral,
            wrong: counts.wrong,
            ..Counts::default()
        }
    };
    let systems = file.table3.iter().map(|(name, cells)| {
        let shares = &file.paper_values.verbs[name];
        PublishedSystem {
            name: name.clone(),
            adjectives: ["F", "M", "none"]
                .iter()
                .map(|class| ((*class).to_owned(), counts(&cells[*class])))
                .collect(),
            feminine_verbs: shares.feminine,
            masculine_verbs: shares.masculine,
        }
    });
    systems.collect()
});

pub fn systems() -> &'static [PublishedSystem] {
    &SYSTEMS
}

/// %TFG and %TCG of the paper's systems, and the gender scores of its occupations.
pub fn rows() -> Vec<Row> {
    let scores = occupations::scored().filter_map(|occupation| {
        let group = format!("occupation:{}", occupation.name);
        let place = ["published:word-vectors", "all", &group];
        Some(Row::new("wibemt", place, "score", occupation.score?))
    });
    let mut rows: Vec<Row> = scores.collect();
    let german = Unit::into_language("de");
    for system in systems() {
        let name = format!("published:{}", system.name);
        let mut push = |group: &str, metric: &str, value: f64, n: Option<u64>| {
            let mut row = Row::new("wibemt", [&name, &german, group], metric, value);
            row.n = n;
            rows.push(row);
        };
        for (class, counts) in &system.adjectives {
            let group = format!("adjective:{class}");
            let share = |(part, whole): (u64, u64)| 100.0 * part as f64 / whole as f64;
            let (feminine, classified) = (counts.feminine(), counts.classified());
            push(
                &group,
                "tfg",
                share((feminine, classified)),
                Some(classified),
            );
            push(
                &group,
                "tcg",
                share(counts.correct()),
                Some(counts.correct().1),
            );
        }
        push("verb:F", "tfg", system.feminine_verbs, None);
        push("verb:M", "tfg", system.masculine_verbs, None);
    }
    rows
}

/// The paper's numbers; where its translations are at hand and epicene's detector is chosen, the numbers of that detector.
pub fn baselines(options: &Options) -> Vec<Row> {
    let own = match options.get(&DETECTOR) {
        DetectorRules::Epicene => own_baselines::rows(&CARD),
        DetectorRules::Published => Vec::new(),
    };
    let same = |one: &Row, other: &Row| {
        (&one.system, &one.unit, &one.group, &one.metric)
            == (&other.system, &other.unit, &other.group, &other.metric)
    };
    let mut rows = rows();
    rows.retain(|row| !own.iter().any(|own| same(own, row)));
    rows.extend(own);
    rows
}

/// The paper's numbers to stand under ours, for the parts that were measured.
pub fn notes(rows: &[Row]) -> Vec<String> {
    // The paper translated into German alone.
    let german = Unit::into_language("de");
    let measured = |group: &str| {
        rows.iter()
            .any(|row| row.unit == german && row.group == group)
    };
    let mut notes = Vec::new();
    for system in systems() {
        if measured("adjective:none") {
            let cell = |class: &str| {
                let counts = system.adjectives[class];
                let (correct, gendered) = counts.correct();
                format!(
                    "{:.1}/{:.1}",
                    100.0 * counts.feminine() as f64 / counts.classified() as f64,
                    100.0 * correct as f64 / gendered as f64
                )
            };
            notes.push(format!(
                "published, {} (Table 3), tfg/tcg: feminine adjective {}, masculine {}, none {}",
                system.name,
                cell("F"),
                cell("M"),
                cell("none")
            ));
        }
        if measured("verb:F") {
            notes.push(format!(
                "published, {} (section 3), tfg: feminine verbs {:.1}, masculine {:.1}",
                system.name, system.feminine_verbs, system.masculine_verbs
            ));
        }
    }
    notes
}
