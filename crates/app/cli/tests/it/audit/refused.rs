//! What is not of the sample is refused, by its line.

use super::labels::{Labels, truth, workshop};
use crate::support::{refuse, succeed};

#[test]
fn foreign_edited_and_doubled_labels_are_refused_by_line() {
    let directory = workshop();
    let here = directory.path();
    let path = here.join("labels.csv");
    succeed(
        &[
            "audit",
            "sample",
            "r",
            "-n",
            "40",
            "--seed",
            "5",
            "-o",
            "labels.csv",
        ],
        here,
    );
    let mut good = Labels::read(&path);
    good.label(&path, truth);
    let head = good.head.lines().count();
    let refused = |labels: &Labels, words: &[&str]| {
        labels.write(&path);
        let message = refuse(&["audit", "read", "r", "labels.csv"], here);
        for word in words {
            assert!(message.contains(word), "{word}: {message}");
        }
        assert!(!here.join("r/audit.json").exists());
    };
    let line = |row: usize| format!("line {}", head + 2 + row);
    let mut bad = Labels::read(&path);
    bad.rows[3][0] = "0123456789ab".to_owned();
    refused(&bad, &[&line(3), "not in the sample"]);
    let mut bad = Labels {
        rows: good.rows.clone(),
        columns: good.columns.clone(),
        ..good
    };
    let translation = bad.at("translation");
    bad.rows[4][translation] = "Urobila som to.".to_owned();
    refused(&bad, &[&line(4), "edited"]);
    let mut bad = Labels::read(&path);
    let again = bad.rows[0].clone();
    bad.rows[4] = bad.rows[5].clone();
    bad.rows.push(again);
    refused(&bad, &[&line(5)]);
    succeed(
        &[
            "audit",
            "sample",
            "r",
            "-n",
            "40",
            "--seed",
            "5",
            "-o",
            "labels.csv",
        ],
        here,
    );
    let mut bad = Labels::read(&path);
    bad.label(&path, truth);
    bad.head = bad.head.replace(" of ", " of 9");
    refused(&bad, &["line 2", "edited"]);
    // Labels of another run, and of nothing.
    succeed(
        &["audit", "sample", "s", "-n", "40", "-o", "labels.csv"],
        here,
    );
    let mut other = Labels::read(&path);
    other.label(&path, truth);
    refused(&other, &["another run"]);
    succeed(
        &["audit", "sample", "r", "-n", "40", "-o", "labels.csv"],
        here,
    );
    let empty = Labels::read(&path);
    refused(&empty, &["no label"]);
    let mut wrong = Labels::read(&path);
    wrong.label(&path, |_| "male?".to_owned());
    refused(&wrong, &[&line(0), "male?"]);

    // What cannot be sampled.
    for (arguments, words) in [
        (
            &["audit", "sample", "r", "--by", "mood", "-o", "x.csv"][..],
            "stereotype",
        ),
        (
            &["audit", "sample", "r", "--only", "lang:pl", "-o", "x.csv"],
            "lang:sk",
        ),
        (
            &[
                "audit",
                "sample",
                "r",
                "-n",
                "20",
                "--by",
                "verdict,stereotype",
                "-o",
                "x.csv",
            ],
            "strata",
        ),
        (&["audit", "sample", "r", "-o", "x.txt"], ".csv or .html"),
        (&["audit", "plan", "r", "--width", "0.02"], "--error"),
        (&["audit", "read", "r", "g.csv"], "line 1"),
    ] {
        let message = refuse(arguments, here);
        assert!(message.contains(words), "{arguments:?}: {message}");
    }
    let models = [
        "run", "gest", "--data", "g.csv", "--model", "random:1", "--out", "m",
    ];
    succeed(&models, here);
    assert!(refuse(&["audit", "sample", "m", "-o", "x.csv"], here).contains("no text"));
}
