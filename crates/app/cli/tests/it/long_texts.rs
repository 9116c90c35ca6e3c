//! Texts that a system cannot read cost only themselves: a checkpoint past its positions, a translator past its limits.

use crate::support::vendors::Vendors;
use crate::support::{epicene, run};
use serde_json::{Value, json};

fn lines(output: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(output).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// 256 positions; more would be computed, and servers refuse it.
#[test]
fn a_checkpoint_is_not_asked_past_its_positions() {
    let long = "very ".repeat(400) + "long.";
    let next = |text: &str| json!({"prompt": format!("\"{text}\","), "masculine": "he", "feminine": "she", "task": "next-word"});
    let questions = [next("I ran."), next(&long), next("I slept.")];
    let input: String = questions.iter().map(|line| format!("{line}\n")).collect();
    let ask = |arguments: &[&str]| {
        let mut command = epicene();
        command
            .args(arguments)
            .args(["--model", "demo:clm"])
            .write_stdin(input.clone());
        let output = command.output().unwrap();
        assert!(output.status.success());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains("1 question is longer than the model reads; it counts as missing"),
            "{said}"
        );
        lines(&output.stdout)
    };
    let scored = ask(&["score", "--task", "next-word"]);
    assert!(scored[0]["next-word"].is_f64() && scored[2]["next-word"].is_f64());
    assert!(scored[1]["next-word"].is_null(), "{}", scored[1]);
    let streamed = ask(&["score", "--stream"]);
    assert_eq!(streamed.len(), 4);
    assert_eq!(streamed[1]["answer"]["log10_ratio"], scored[0]["next-word"]);
    assert!(streamed[2].get("error").is_none() && streamed[2]["answer"] != streamed[1]["answer"]);

    let here = tempfile::tempdir().unwrap();
    let data = format!("sentence,stereotype\nI ran.,1\n{long},8\nI slept.,9\n");
    std::fs::write(here.path().join("three.csv"), data).unwrap();
    let arguments = [
        "run",
        "gest",
        "--data",
        "three.csv",
        "--model",
        "demo:clm",
        "--out",
        "r",
    ];
    let (code, table, said) = run(&arguments, here.path());
    assert_eq!(code, 0, "{said}");
    assert!(table.contains("1 of 3 questions have no answer"), "{table}");
    assert!(
        said.contains("2 questions are longer than the model reads"),
        "{said}"
    );
}

#[test]
fn a_translators_long_text_is_an_error_of_its_own_line() {
    let here = tempfile::tempdir().unwrap();
    let vendors = Vendors::good();
    let line =
        |id: u32, text: &str| json!({"id": id, "task": "translate", "text": text, "to": "sk"});
    let long = "word ".repeat(20_000);
    let input: String = [line(1, "I ran."), line(2, &long), line(3, "I slept.")]
        .iter()
        .map(|line| format!("{line}\n"))
        .collect();
    let output = epicene()
        .args([
            "score", "--stream", "--mt", "deepl:", "--lang", "sk", "--yes",
        ])
        .env("EPICENE_CACHE", here.path())
        .env("EPICENE_DEEPL_URL", &vendors.url)
        .env("DEEPL_AUTH_KEY", "k:fx")
        .write_stdin(input)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let answers = lines(&output.stdout);
    assert_eq!(answers.len(), 4, "{answers:?}");
    assert!(answers[1].get("answer").is_some() && answers[3].get("answer").is_some());
    let error = answers[2]["error"].as_str().unwrap();
    assert!(error.contains("characters is over its limit"), "{error}");
}
