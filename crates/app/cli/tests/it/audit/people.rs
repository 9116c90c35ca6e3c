//! Labels that people really gave.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::labels::{Labels, unpacked};
use crate::support::{Rows, shared, succeed};

/// The sentences of the first-person fixtures, with what a person sees in them (the extended reading), judged by the
/// published rules.
#[test]
fn the_fixtures_as_a_real_audit() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../base/lang/tests/fixtures");
    let (mut lines, mut people) = (String::new(), BTreeMap::new());
    for language in ["be", "bg", "cs", "hr", "pl", "ru", "sk", "sl", "sr", "uk"] {
        let text = std::fs::read_to_string(folder.join(format!("{language}.tsv"))).unwrap();
        for (number, line) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.starts_with('#'))
        {
            let cells: Vec<&str> = line.split('\t').collect();
            let id = format!("{language}:{number}");
            let verdict =
                json!({"id": id, "verdict": cells[0], "text": cells[3], "lang": language});
            writeln!(lines, "{verdict}").unwrap();
            people.insert(
                (language.to_owned(), cells[3].to_owned()),
                cells[1].to_owned(),
            );
        }
    }
    assert_eq!(lines.lines().count(), 746);
    std::fs::write(here.join("v.jsonl"), &lines).unwrap();
    succeed(
        &["audit", "sample", "v.jsonl", "-n", "250", "-o", "l.csv"],
        here,
    );
    let path = here.join("l.csv");
    let by_text: BTreeMap<&str, &str> = people
        .iter()
        .map(|((_, text), said)| (text.as_str(), said.as_str()))
        .collect();
    Labels::read(&path).label(&path, |cells| {
        by_text[cells["translation"].trim_start_matches('\'')].to_owned()
    });
    let rows = Rows::parse(&succeed(
        &["audit", "read", "v.jsonl", "l.csv", "--format", "json"],
        here,
    ));
    for verdict in ["m", "f", "u"] {
        let truth = lines.lines().filter(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            by_text[line["text"].as_str().unwrap()] == verdict
        });
        let truth = truth.count() as f64 / 746.0;
        let row = rows.row("v", "all", &format!("verdict:{verdict}"), "share_corrected");
        println!(
            "{verdict}: judged {:.4}, corrected {row}, people {truth:.4}",
            rows.value("v", "all", &format!("verdict:{verdict}"), "share")
        );
        assert!(
            row["low"].as_f64().unwrap() <= truth && truth <= row["high"].as_f64().unwrap(),
            "{verdict} {truth} {row}"
        );
    }
    assert!(
        rows.1.starts_with("audit|data:v@") && rows.1.contains("-n250|estimator:"),
        "{}",
        rows.1
    );
    let plan = succeed(
        &["audit", "plan", "v.jsonl", "l.csv", "--width", "0.08"],
        here,
    );
    assert!(plan.contains("verdict:m share"), "{plan}");
    assert!(
        succeed(
            &[
                "audit", "plan", "v.jsonl", "--error", "0.05", "--width", "0.08"
            ],
            here
        )
        .contains("labels needed")
    );
}

/// WinoMT's annotators, Italian twice: what they labelled is the population, their labels are the labels.
#[test]
fn the_labels_of_winomt_as_a_real_audit() {
    let (Some(data), Some(texts)) = (
        shared("winomt/en_2019.tsv.gz"),
        shared("winomt/translations/google/en-it.txt.gz"),
    ) else {
        return;
    };
    let human = ["google.it.1", "google.it.2"]
        .map(|name| shared(&format!("winomt/human/{name}.tsv.gz")).unwrap());
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let (data, texts) = (
        data.display().to_string(),
        format!("file:{}", texts.display()),
    );
    succeed(
        &[
            "run", "winomt", "--data", &data, "--mt", &texts, "--lang", "it", "--out", "w",
        ],
        here,
    );
    let said = human.map(|path| {
        let text = unpacked(&path);
        let rows = text.lines().skip(1).map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            (cells[2].trim().to_owned(), cells[4].trim().to_lowercase())
        });
        rows.filter(|(_, label)| ["m", "f", "n"].contains(&label.as_str()))
            .collect::<BTreeMap<String, String>>()
    });
    let items = succeed(&["items", "w"], here);
    let kept: Vec<&str> = items
        .lines()
        .filter(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            let text = line["observation"]["translation"]
                .as_str()
                .unwrap_or("")
                .trim();
            said.iter().all(|said| said.contains_key(text))
        })
        .collect();
    assert!(kept.len() > 80, "{}", kept.len());
    std::fs::write(here.join("v.jsonl"), kept.join("\n")).unwrap();
    succeed(
        &[
            "audit", "sample", "v.jsonl", "-n", "60", "--labels", "m,f,n,u", "-o", "l.csv",
        ],
        here,
    );
    let mut files = Vec::new();
    for (number, said) in said.iter().enumerate() {
        let path = here.join(format!("annotator{number}.csv"));
        std::fs::copy(here.join("l.csv"), &path).unwrap();
        Labels::read(&path).label(&path, |cells| said[cells["translation"].trim()].clone());
        files.push(format!("annotator{number}.csv"));
    }
    let read = [
        "audit", "read", "v.jsonl", &files[0], &files[1], "--format", "json",
    ];
    let rows = Rows::parse(&succeed(&read, here));
    let texts: Vec<String> = kept
        .iter()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            line["observation"]["translation"]
                .as_str()
                .unwrap()
                .trim()
                .to_owned()
        })
        .collect();
    for verdict in ["m", "f"] {
        let truth: f64 = texts
            .iter()
            .map(|text| said.iter().filter(|said| said[text] == verdict).count() as f64 / 2.0)
            .sum::<f64>()
            / texts.len() as f64;
        let row = rows.row("v", "all", &format!("verdict:{verdict}"), "share_corrected");
        println!("{verdict}: {row}, people {truth:.4}");
        assert!(
            row["low"].as_f64().unwrap() <= truth && truth <= row["high"].as_f64().unwrap(),
            "{truth} {row}"
        );
    }
    let kappa = rows.row(
        "judge",
        "all",
        "annotators:annotator0/annotator1",
        "cohens_kappa",
    );
    let alpha = rows.row("judge", "all", "annotators", "krippendorff_alpha");
    for row in [kappa, alpha] {
        let value = row["value"].as_f64().unwrap();
        assert!(value > 0.5 && value < 1.0, "{row}");
    }
}
