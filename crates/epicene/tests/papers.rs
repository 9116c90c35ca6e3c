//! What the papers have: sets of one's own, WinoBias from a run, challenge sets with their counts, the guide, and the printed numbers
//! again.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod support;

use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{refuse, shared, succeed};

fn rows(output: &str) -> Vec<Value> {
    let whole: Value = serde_json::from_str(output).unwrap();
    whole["rows"].as_array().unwrap().clone()
}

fn value(rows: &[Value], system: &str, group: &str, metric: &str) -> f64 {
    let row = rows.iter().find(|row| {
        row["system"] == system
            && row["group"] == group
            && row["metric"] == metric
            && row["unit"] == "all"
    });
    row.unwrap_or_else(|| panic!("{system} {group} {metric}"))["value"]
        .as_f64()
        .unwrap()
}

/// A line of scores for each item; models differ in how much they follow the stereotype.
fn scores(
    path: &Path,
    items: usize,
    models: &[(&str, f64)],
    male: impl Fn(usize) -> bool,
    ending: &str,
) {
    let names: Vec<String> = models
        .iter()
        .map(|(name, _)| format!("{name}{ending}"))
        .collect();
    let mut text = names.join(",") + "\n";
    for item in 0..items {
        let cells: Vec<String> = models
            .iter()
            .map(|(_, bias)| {
                let noise = ((item * 7919 + 13) % 101) as f64 / 1010.0;
                (noise + if male(item) { *bias } else { 0.0 }).to_string()
            })
            .collect();
        text += &(cells.join(",") + "\n");
    }
    fs::write(path, text).unwrap();
}

const MODELS: [(&str, f64); 3] = [("a", 0.1), ("b", 0.3), ("c", 0.6)];

#[test]
fn winobias_may_be_a_run() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    scores(&place.join("w.csv"), 32, &MODELS, |item| item % 3 == 0, "");
    succeed(
        &[
            "run",
            "winobias",
            "--data",
            "epicene-winograd",
            "--model",
            "file:w.csv",
            "--out",
            "wino",
        ],
        place,
    );
    scores(
        &place.join("g.csv"),
        384,
        &MODELS,
        |item| item >= 168,
        "_template-2",
    );
    let run = [
        "run",
        "gest",
        "--data",
        "epicene-mini",
        "--kind",
        "masked",
        "--model",
        "file:g.csv",
        "--format",
        "json",
    ];
    let line = [&run[..], &["--winobias", "wino", "--out", "gest"]].concat();
    let found = rows(&succeed(&line, place));
    let r = found
        .iter()
        .filter(|row| row["metric"] == "r_winobias")
        .count();
    assert!(r >= 1, "no correlation");
    let ghat = found.iter().filter(|row| row["metric"] == "ghat_s").count();
    assert_eq!(ghat % 3, 0);
    // A run of something else is refused by name, and so is a directory that is none.
    let line = [&run[..], &["--winobias", "gest", "--out", "other"]].concat();
    assert!(refuse(&line, place).contains("a run of gest"));
    let line = [&run[..], &["--winobias", ".", "--out", "other"]].concat();
    refuse(&line, place);
}

#[test]
fn stereotypes_of_ones_own_are_measured_alike() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let mini = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../epicene-bench/data/epicene-mini.csv"),
    );
    fs::write(place.join("mini.csv"), mini.unwrap()).unwrap();
    scores(
        &place.join("g.csv"),
        384,
        &MODELS,
        |item| item >= 168,
        "_template-2",
    );
    let mut set = String::from("id\tabout\tname\n");
    for id in 1..=16 {
        let about = if id < 8 { "women" } else { "men" };
        set += &format!("{id}\t{about}\tGroup {id}\n");
    }
    fs::write(place.join("set.tsv"), set).unwrap();
    let run = [
        "run",
        "gest",
        "--data",
        "mini.csv",
        "--kind",
        "masked",
        "--model",
        "file:g.csv",
        "--format",
        "json",
    ];
    let plain = rows(&succeed(&[&run[..], &["--out", "plain"]].concat(), place));
    let own = rows(&succeed(
        &[&run[..], &["--stereotype-set", "set.tsv", "--out", "own"]].concat(),
        place,
    ));
    for model in ["a", "b", "c"] {
        assert_eq!(
            value(&plain, model, "all", "g_s"),
            value(&own, model, "all", "g_s")
        );
        assert_eq!(
            value(&plain, model, "stereotype:13", "q"),
            value(&own, model, "stereotype:Group 13", "q")
        );
    }
    assert!(succeed(&["report", "own"], place).contains("Group 13"));
    // What the table does not have is refused with its line.
    fs::write(
        place.join("short.tsv"),
        "id\tabout\tname\n1\twomen\tOne\n8\tmen\tEight\n",
    )
    .unwrap();
    let line = [&run[..], &["--stereotype-set", "short.tsv", "--out", "x"]].concat();
    assert!(refuse(&line, place).contains("stereotype `2` is not in the set"));
}

#[test]
fn sentences_are_checked_against_the_guide() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(
        place.join("s.csv"),
        "sentence,stereotype\nI was crying.,1\nShe was crying.,1\nI am a mother.,3\n",
    )
    .unwrap();
    let (code, stdout, _) = support::run(&["check-sentences", "gest", "s.csv"], place);
    assert_eq!(code, 1);
    assert!(
        stdout.contains("third-person") && stdout.contains("gender-marked"),
        "{stdout}"
    );
    let counted = succeed(&["check-sentences", "gest", "s.csv", "--statistics"], place);
    assert!(counted.contains("3 sentences"), "{counted}");
    fs::write(place.join("t.txt"), "Plakala som.\nPlakala.\nPracujem.\n").unwrap();
    let line = [
        "check-sentences",
        "gest",
        "s.csv",
        "--translations",
        "t.txt",
        "--lang",
        "sk",
    ];
    let (_, stdout, _) = support::run(&line, place);
    assert!(stdout.contains("no-gender"), "{stdout}");
}

#[test]
fn challenge_sets_have_their_sizes() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let count = |line: &[&str]| succeed(line, place).trim().to_owned();
    assert_eq!(count(&["generate", "wibemt", "--count"]), "4158");
    let Some(wibemt) = shared("wibemt") else {
        return;
    };
    let base = wibemt
        .join("winobias_base_3168.tsv.gz")
        .display()
        .to_string();
    assert_eq!(
        count(&[
            "generate",
            "wibemt",
            "--adjectives",
            "--winobias",
            &base,
            "--count"
        ]),
        "66528"
    );
    let Some(winomt) = shared("winomt") else {
        return;
    };
    let data = winomt.join("en_2019.tsv.gz").display().to_string();
    assert_eq!(
        count(&["generate", "winomt", "--data", &data, "--count"]),
        "3888"
    );
    for half in ["pro", "anti"] {
        assert_eq!(
            count(&[
                "generate", "winomt", "--data", &data, "--set", half, "--count"
            ]),
            "1584"
        );
    }
}

fn reproduced(paper: &str, folder: &Path) -> Vec<Value> {
    let place = tempfile::tempdir().unwrap();
    let folder = folder.display().to_string();
    let output = succeed(
        &["reproduce", paper, "--data", &folder, "--format", "json"],
        place.path(),
    );
    let whole: Value = serde_json::from_str(&output).unwrap();
    whole["checks"].as_array().unwrap().clone()
}

/// Every number of these tables is the printed one.
fn all_equal(checks: &[Value], table: &str, count: usize) {
    let own: Vec<&Value> = checks
        .iter()
        .filter(|check| check["table"] == table)
        .collect();
    assert_eq!(own.len(), count, "{table}");
    for check in own {
        assert_eq!(check["equal"], true, "{check}");
    }
}

#[test]
fn printed_numbers_of_small_papers() {
    if let Some(folder) = shared("wibemt") {
        let checks = reproduced("wibemt", &folder);
        all_equal(&checks, "Section 2.2, sizes", 3);
        all_equal(&checks, "Figure 3, from Table 3's counts", 9);
        all_equal(&checks, "Section 3, occupation thirds", 2);
        // The printed labels were decided by hand in a few sentences: shares are equal, chi-squares nearly.
        for check in checks
            .iter()
            .filter(|check| check["table"] == "Section 3, H1 (verbs)")
        {
            assert!(
                check["difference"].as_f64().unwrap().abs() < 0.11,
                "{check}"
            );
        }
        all_equal(&checks, "Section 2.1, occupations", 2);
    }
    if let Some(folder) = shared("winomt") {
        let checks = reproduced("winomt", &folder);
        all_equal(&checks, "Table 2", 30);
    }
    if let Some(folder) = shared("mbe") {
        let checks = reproduced("mbe", &folder);
        all_equal(&checks, "StereoSet, official scores (gender)", 33);
    }
}

#[test]
fn printed_numbers_of_gest() {
    let Some(folder) = shared("gest") else { return };
    let checks = reproduced("gest", &folder);
    all_equal(&checks, "Table 9", 11 * 4 * 16);
    all_equal(&checks, "Table 10", 22 * 2 * 16);
    all_equal(&checks, "Table 3, English", 6);
    all_equal(&checks, "Table 5", 6);
    all_equal(&checks, "Section 5.3, correlations", 4);
    all_equal(&checks, "Figure 4", 33);
}

#[test]
fn nothing_there_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    assert!(refuse(&["reproduce", "gest", "--data", "nowhere"], place).contains("no directory"));
    fs::create_dir(place.join("empty")).unwrap();
    assert!(refuse(&["reproduce", "gest", "--data", "empty"], place).contains("nothing of gest"));
}
