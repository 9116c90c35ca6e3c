//! Answers of chat models, and verdicts of `detect`: what people see in them corrects rates of wordings, of frames and of all.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

use super::formulas::own_labels_change_nothing;
use super::labels::Labels;
use crate::support::{Rows, epicene, refuse, succeed};

const ORDERS: [&str; 6] = ["mfn", "fnm", "nmf", "mnf", "fmn", "nfm"];

/// 160 sentences answered in four wordings. A third of the stories says `he` of somebody who is a woman.
fn answers(path: &Path) {
    let mut data = String::from("sentence,stereotype\n");
    for item in 0..160 {
        writeln!(data, "I did {item}.,{}", item % 16 + 1).unwrap();
    }
    std::fs::write(path.join("g.csv"), data).unwrap();
    let mut lines = String::new();
    let mut say = |item: usize, unit: &str, text: String| {
        writeln!(
            lines,
            "{}",
            json!({"id": item + 1, "unit": unit, "text": text})
        )
        .unwrap();
    };
    for item in 0..160 {
        let male = item % 16 >= 7;
        for (number, order) in ORDERS.iter().enumerate() {
            let chosen = match (item + number) % 7 {
                0 => 'n',
                1 | 2 => 'f',
                3 if !male => 'f',
                _ => 'm',
            };
            let place = order.find(chosen).unwrap();
            let text = match (item * 6 + number) % 29 {
                0 => "Who knows?".to_owned(),
                _ => format!("{}.", ["A", "B", "C"][place]),
            };
            say(item, &format!("choice:1+order:{order}"), text);
        }
        for (number, unit) in ["completion:1", "completion:3", "character:1"]
            .iter()
            .enumerate()
        {
            let text = match (item + 3 * number) % 6 {
                0 | 1 => "She smiled and went home. She was tired.",
                2 => "He smiled as women do, and he went home.",
                3 if male => "He smiled as women do, and he went home.",
                _ => "He smiled and went home. He was tired.",
            };
            say(item, unit, text.to_owned());
        }
    }
    std::fs::write(path.join("model.jsonl"), lines).unwrap();
}

#[test]
fn answers_of_chat_models_are_corrected() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    answers(here);
    let frames = "choice:1,completion:1,completion:3,character:1";
    let command = [
        "run",
        "gest-chat",
        "--data",
        "g.csv",
        "--model",
        "file:model.jsonl",
        "--frames",
        frames,
        "--choice",
        "sampled",
        "--bootstrap",
        "100",
        "--out",
        "r",
    ];
    succeed(&command, here);
    own_labels_change_nothing(here, "r", 1e-9, 60);

    // People see who it is; annotators are shown what was asked, with its options.
    let sample = ["audit", "sample", "r", "-n", "400", "-o", "labels.csv"];
    succeed(&sample, here);
    let path = here.join("labels.csv");
    let mut labels = Labels::read(&path);
    let (source, unit) = (labels.at("source"), labels.at("unit"));
    let choice = labels
        .rows
        .iter()
        .find(|row| row[unit] == "choice:1")
        .unwrap();
    assert!(choice[source].contains("A. "), "{}", choice[source]);
    labels.label(&path, |cells| {
        let text = cells["translation"];
        let options = cells["source"];
        let letter = text.chars().next().unwrap();
        let chosen = options
            .lines()
            .find(|line| line.starts_with(&format!("{letter}. ")));
        match (cells["unit"], chosen) {
            ("choice:1", Some(line)) if line.ends_with("A man") => "m",
            ("choice:1", Some(line)) if line.ends_with("A woman") => "f",
            ("choice:1", Some(_)) => "n",
            ("choice:1", None) => "u",
            _ if text.contains("women") || text.starts_with("She") => "f",
            _ => "m",
        }
        .to_owned()
    });
    let read = ["audit", "read", "r", "labels.csv", "--format", "json"];
    let rows = Rows::parse(&succeed(&read, here));
    // Half of the texts about women's stereotypes say `he`; of all texts a third and a sixth of them are of women.
    for unit in ["completion:1", "completion:3", "character:1", "completion"] {
        let judged = rows.value("model", unit, "all", "r");
        let row = rows.row("model", unit, "all", "r_corrected");
        let bounds = (row["low"].as_f64().unwrap(), row["high"].as_f64().unwrap());
        let truth = if unit == "completion" {
            (true_rate(0) + true_rate(1)) / 2.0
        } else {
            let units = ["completion:1", "completion:3", "character:1"];
            true_rate(units.iter().position(|name| *name == unit).unwrap())
        };
        assert!(
            bounds.0 < truth && truth < bounds.1,
            "{unit}: {truth} {row}"
        );
        assert!(judged > bounds.1, "{unit}: {judged} {row}");
    }
    let row = rows.row("model", "all", "all", "s_corrected");
    let [choice, first] = ["choice:1", "completion:1"]
        .map(|unit| rows.row("model", unit, "all", "s_corrected").clone());
    let width =
        |row: &serde_json::Value| row["high"].as_f64().unwrap() - row["low"].as_f64().unwrap();
    // Wordings were sampled, too: the pooled interval is no narrower than that of the surest.
    assert!(
        width(row) > width(&choice).min(width(&first)),
        "{row} {choice}"
    );
    let gate = [
        "report",
        "r",
        "--corrected",
        "--fail-if",
        "r[completion:1]>0.99",
    ];
    succeed(&gate, here);

    // Probabilities of options are no verdicts.
    let lines: String = (1..=160)
        .map(|item| {
            let line = json!({"id": item, "unit": "choice:1+order:mfn", "text": "A",
                "options": [-0.5, -1.5, -2.0]});
            format!("{line}\n")
        })
        .collect();
    std::fs::write(here.join("chances.jsonl"), lines).unwrap();
    let command = [
        "run",
        "gest-chat",
        "--data",
        "g.csv",
        "--model",
        "file:chances.jsonl",
        "--frames",
        "choice:1",
        "--orders",
        "6",
        "--choice",
        "logprob",
        "--bootstrap",
        "50",
        "--out",
        "p",
    ];
    succeed(&command, here);
    let message = refuse(&["audit", "sample", "p", "-o", "x.csv"], here);
    assert!(message.contains("no text"), "{message}");
}

/// The mean over stereotypes of the share of men among the texts of a wording.
fn true_rate(wording: usize) -> f64 {
    let rate = |stereotype: usize| {
        let items = (0..160).filter(|item| item % 16 == stereotype);
        let men = items.filter(|item| match (item + 3 * wording) % 6 {
            0..=2 => false,
            3 => stereotype < 7,
            _ => true,
        });
        men.count() as f64 / 10.0
    };
    (0..16).map(rate).sum::<f64>() / 16.0
}

#[test]
fn occupations_of_chat_models_are_corrected() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let (mut data, mut lines) = (String::from("occupation,women\n"), String::new());
    for item in 0..30 {
        writeln!(data, "worker{item},{}", 3 * item + 5).unwrap();
        for (number, unit) in ["completion:1", "character:1"].iter().enumerate() {
            let text = match (item + number) % 3 {
                0 => "She went home. She was tired.",
                _ => "He went home. He was tired.",
            };
            let line =
                json!({"id": format!("occupation:worker{item}"), "unit": unit, "text": text});
            writeln!(lines, "{line}").unwrap();
        }
    }
    std::fs::write(here.join("o.csv"), data).unwrap();
    std::fs::write(here.join("model.jsonl"), lines).unwrap();
    let command = [
        "run",
        "occupations-chat",
        "--data",
        "o.csv",
        "--model",
        "file:model.jsonl",
        "--frames",
        "completion:1,character:1",
        "--bootstrap",
        "50",
        "--out",
        "r",
    ];
    succeed(&command, here);
    own_labels_change_nothing(here, "r", 1e-9, 6);
}

/// Verdicts of `detect`, as JSON lines.
#[test]
fn verdicts_of_detect_are_corrected() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let text: String = (0..200)
        .map(|line| match line % 5 {
            0 => format!("Bola som unavená {line}.\n"),
            1 => format!("Bol som unavený {line} dnes.\n"),
            4 => format!("Prší {line}.\n"),
            _ => format!("Bol som unavený {line}.\n"),
        })
        .collect();
    let output = epicene()
        .args(["detect", "--lang", "sk", "--json"])
        .write_stdin(text)
        .output()
        .unwrap();
    assert!(output.status.success());
    std::fs::write(here.join("v.jsonl"), output.stdout).unwrap();
    let sample = ["audit", "sample", "v.jsonl", "-n", "100", "-o", "l.csv"];
    succeed(&sample, here);
    let path = here.join("l.csv");
    Labels::read(&path).label(&path, |cells| {
        let text = cells["translation"];
        match () {
            () if text.contains("dnes") || text.starts_with("Bola") => "f",
            () if text.starts_with("Bol ") => "m",
            () => "u",
        }
        .to_owned()
    });
    let rows = Rows::parse(&succeed(
        &["audit", "read", "v.jsonl", "l.csv", "--format", "json"],
        here,
    ));
    for (verdict, judged, truth) in [("m", 0.6, 0.4), ("f", 0.2, 0.4), ("u", 0.2, 0.2)] {
        let group = format!("verdict:{verdict}");
        assert!((rows.value("v", "all", &group, "share") - judged).abs() < 1e-9);
        let row = rows.row("v", "all", &group, "share_corrected");
        let (low, high) = (row["low"].as_f64().unwrap(), row["high"].as_f64().unwrap());
        assert!(low <= truth && truth <= high, "{verdict} {row}");
    }
}
