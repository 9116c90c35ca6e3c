//! Labels of a run correct its numbers in every format, gate and comparison.

use serde_json::Value;

use super::labels::{Labels, truth, workshop};
use crate::support::{Rows, refuse, run, succeed};

#[test]
fn a_run_is_sampled_labelled_and_corrected_everywhere() {
    let directory = workshop();
    let here = directory.path();
    let path = here.join("labels.csv");
    for name in ["r", "s"] {
        let sample = ["audit", "sample", name, "-n", "160", "-o", "labels.csv"];
        succeed(&sample, here);
        let mut labels = Labels::read(&path);
        // Blind: neither system nor verdict.
        assert_eq!(
            labels.columns,
            [
                "id",
                "unit",
                "source",
                "translation",
                "question",
                "label",
                "comment"
            ]
        );
        assert!(
            !labels.head.contains("good") && !labels.head.contains("poor"),
            "{}",
            labels.head
        );
        assert_eq!(labels.rows.len(), 160);
        assert!(labels.head.contains("# seed: 0\n") && labels.head.contains(" of "));
        labels.label(&path, truth);
        let json = succeed(
            &["audit", "read", name, "labels.csv", "--format", "json"],
            here,
        );
        let rows = Rows::parse(&json);
        let system = if name == "r" { "good" } else { "poor" };
        // p of the judge and of people, over all sentences.
        let judged = rows.row(system, "lang:sk", "all", "f_m");
        let corrected = rows.row(system, "lang:sk", "all", "f_m_corrected");
        let value = |row: &Value, name: &str| row[name].as_f64().unwrap();
        let true_share = if name == "r" { 0.375 } else { 0.8 - 0.1 };
        let (low, high) = (value(corrected, "low"), value(corrected, "high"));
        assert!(
            low < true_share && true_share < high,
            "{true_share} in {corrected}"
        );
        assert!(value(judged, "value") > high, "{judged} {corrected}");
        assert_eq!(corrected["n"], 160);
        let lean = rows.row("judge", "all", "lean:masculine/feminine", "p_value");
        assert!(value(lean, "value") < 0.05, "{lean}");
        let accuracy = rows.row("judge", "all", "all", "accuracy");
        assert!((value(accuracy, "value") - 0.9).abs() < 0.06, "{accuracy}");
    }
    // Every format and gate knows the corrected number.
    let both = Rows::parse(&succeed(&["report", "r", "--format", "json"], here));
    let first = Rows::parse(&succeed(
        &["report", "r", "--corrected", "--format", "json"],
        here,
    ));
    let place = |rows: &Rows, metric: &str| rows.value("good", "lang:sk", "all", metric);
    assert_eq!(place(&both, "f_m_corrected"), place(&first, "f_m"));
    assert_eq!(place(&both, "f_m"), place(&first, "f_m_judged"));
    assert!(
        both.1.contains("|labels:") && both.1.contains("-n160|estimator:ppi++-stratified-t"),
        "{}",
        both.1
    );
    assert!(first.1.contains("|headline:corrected"), "{}", first.1);
    let stored = std::fs::read_to_string(here.join("r/measures.json")).unwrap();
    assert!(stored.contains("f_m_corrected"));
    for (gate, code) in [
        ("f_m_corrected<0.45", 1),
        ("f_m<0.45", 0),
        ("f_m_judged<0.45", 0),
    ] {
        let (found, ..) = run(&["report", "r", "--fail-if", gate], here);
        assert_eq!(found, code, "{gate}");
    }
    assert_eq!(
        run(
            &["report", "r", "--corrected", "--fail-if", "f_m<0.45"],
            here
        )
        .0,
        1
    );
    assert!(succeed(&["report", "r", "--format", "latex"], here).contains("f\\_s\\_corrected"));
    assert!(succeed(&["report", "r", "--corrected"], here).contains("f_s_judged"));
    succeed(&["report", "r", "--corrected", "-o", "page.html"], here);

    // Two systems.
    let compared = Rows::parse(&succeed(&["compare", "r", "s", "--format", "json"], here));
    let row = |metric: &str| {
        compared
            .0
            .iter()
            .find(|row| row["metric"] == metric)
            .cloned()
    };
    let judged = row("delta_f_m").unwrap();
    let corrected = row("delta_f_m_corrected").unwrap();
    let difference = corrected["value"].as_f64().unwrap();
    assert!((difference - (0.7 - 0.375)).abs() < 0.1, "{corrected}");
    assert!(
        corrected["low"].as_f64().unwrap() < difference && judged["value"] != corrected["value"]
    );
    let headline = Rows::parse(&succeed(
        &["compare", "r", "s", "--corrected", "--format", "json"],
        here,
    ));
    let headline = headline
        .0
        .iter()
        .find(|row| row["metric"] == "delta_f_m")
        .unwrap();
    assert_eq!(headline["value"], corrected["value"]);

    // What cannot be corrected says so.
    std::fs::remove_file(here.join("s/audit.json")).unwrap();
    assert!(refuse(&["report", "s", "--corrected"], here).contains("no human labels"));
}
