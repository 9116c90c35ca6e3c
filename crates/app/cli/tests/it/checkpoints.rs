//! Checkpoints through the command line: the scores of `transformers`, whatever the batch, the
//! threads or the moment of a kill.

use std::path::{Path, PathBuf};

use crate::support::{Rows, lines, refuse, succeed};
use serde_json::Value;

fn checkpoint(name: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/engine/tests/checkpoints");
    tests.join(name).canonicalize().unwrap()
}

/// The golden sentences as a data file in GEST's layout.
fn data(golden: &Value, path: &Path) {
    let mut text = String::from("sentence,stereotype\n");
    for (index, sentence) in golden["sentences"].as_array().unwrap().iter().enumerate() {
        let sentence = sentence.as_str().unwrap().replace('"', "\"\"");
        text += &format!("\"{sentence}\",{}\n", index % 16 + 1);
    }
    std::fs::write(path, text).unwrap();
}

/// Every answer of a run: (sentence, unit, score).
fn answers(run: &str, directory: &Path) -> Vec<(String, String, f64)> {
    succeed(&["items", run], directory)
        .lines()
        .map(|line| {
            let item: Value = serde_json::from_str(line).unwrap();
            (
                item["text"].as_str().unwrap().to_owned(),
                item["unit"].as_str().unwrap().to_owned(),
                item["observation"]["log10_ratio"].as_f64().unwrap(),
            )
        })
        .collect()
}

#[test]
fn gest_scores_equal_those_of_transformers() {
    for (name, key, templates) in [
        ("bert", "masked", 4),
        ("roberta", "masked", 4),
        ("llama", "causal", 2),
        ("gpt2", "causal", 2),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        let model = checkpoint(name);
        let golden = std::fs::read_to_string(model.join("golden.json")).unwrap();
        let golden: Value = serde_json::from_str(&golden).unwrap();
        data(&golden, &path.join("g.csv"));
        let spec = format!("dir:{}", model.display());
        let json = succeed(
            &[
                "run", "gest", "--model", &spec, "--data", "g.csv", "--out", "r", "--format",
                "json",
            ],
            path,
        );
        let rows = Rows::parse(&json);
        assert!(
            rows.1.contains(&format!("|system:dir:{name}@")),
            "{}",
            rows.1
        );
        let tokenizer = if name == "bert" {
            ",f32,wordpiece|"
        } else {
            ",f32,bpe|"
        };
        assert!(rows.1.contains(tokenizer), "{}", rows.1);
        let found = answers("r", path);
        let expected = golden[key].as_array().unwrap();
        assert_eq!(
            found.len(),
            golden["sentences"].as_array().unwrap().len() * templates
        );
        let mut checked = 0;
        for golden in expected {
            let unit = format!("template:{}", golden["template"]);
            let text = golden[if key == "masked" {
                "masculine"
            } else {
                "prompt"
            }]
            .as_str()
            .unwrap();
            let hits: Vec<_> = found
                .iter()
                .filter(|(sentence, u, _)| *u == unit && text.contains(&format!("\"{sentence}\"")))
                .collect();
            for (sentence, _, score) in hits {
                let golden = golden["score"].as_f64().unwrap();
                assert!(
                    (score - golden).abs() < 1e-4,
                    "{name} {unit} `{sentence}`: {score} against {golden}"
                );
                checked += 1;
            }
        }
        assert!(
            checked >= expected.len(),
            "{name}: {checked} of {}",
            expected.len()
        );
    }
}

#[test]
fn batches_threads_and_interruptions_do_not_show() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let spec = format!("dir:{}", checkpoint("bert").display());
    let command = |out: &'static str, more: &[&'static str]| {
        let base = [
            "run",
            "gest",
            "--model",
            &spec,
            "--data",
            "epicene-mini",
            "--format",
            "json",
            "--out",
            out,
        ];
        succeed(&[&base[..], more].concat(), path)
    };
    let whole = command("whole", &[]);
    assert_eq!(
        command("small", &["--batch-tokens", "32", "--threads", "1"]),
        whole
    );
    let log = lines(&path.join("whole/log.jsonl"));
    let half: String = log[..log.len() / 2]
        .iter()
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(path.join("whole/log.jsonl"), half).unwrap();
    assert_eq!(command("whole", &[]), whole);
}

#[test]
fn what_cannot_be_scored_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let refused = |model: &str| {
        refuse(
            &["run", "gest", "--model", model, "--data", "epicene-mini"],
            path,
        )
    };
    let encoder = refused(&format!("dir:{}", checkpoint("bert-encoder").display()));
    assert!(
        encoder.contains("without its language-model head"),
        "{encoder}"
    );
    assert!(refused("dir:nowhere").contains("nowhere"));
    std::fs::create_dir(path.join("empty")).unwrap();
    assert!(refused("dir:empty").contains("config.json"));
    assert!(!path.join("epicene-runs").exists(), "nothing was begun");
}

/// Slavic pairs: one token must differ, the first letter must be the same, repeats count once.
#[test]
fn pairs_are_asked_where_one_token_differs() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let header = "translator,language,original,stereotype,male,female\n";
    let rows = [
        "t,sk,I said.,1,he said.,she said.",
        "t,sk,I said.,9,the woman said.,the was said.",
        "t,sk,I said.,9,the man said.,the man was there and said.",
        "t,sk,I said.,9,the woman said.,the was said.",
    ];
    std::fs::write(
        path.join("pairs.csv"),
        format!("{header}{}\n", rows.join("\n")),
    )
    .unwrap();
    let spec = format!("dir:{}", checkpoint("bert").display());
    let command = [
        "run",
        "gest",
        "--pairs",
        "pairs.csv",
        "--model",
        &spec,
        "--out",
        "r",
    ];
    let stdout = succeed(&command, path);
    assert!(stdout.contains("3 of 4 pairs do not count"), "{stdout}");
    assert!(
        stdout.contains("do not differ in exactly one of its tokens and were not asked"),
        "{stdout}"
    );
    let log = lines(&path.join("r/log.jsonl"));
    assert_eq!(log.len(), 4);
    assert!(log[2].contains("\"answer\":\"missing\""), "{}", log[2]);
}
