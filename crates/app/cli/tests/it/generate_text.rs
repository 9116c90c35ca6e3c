//! `epicene complete`: prompts and conversations in, answers out.

use std::path::{Path, PathBuf};

use crate::support::{refuse, succeed};
use serde_json::Value;

fn tests_of_lm(part: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/engine/tests");
    tests.join(part).canonicalize().unwrap()
}

/// A tiny chat model in a directory of its own.
fn chat_model(directory: &Path) {
    let model = directory.join("chat");
    std::fs::create_dir(&model).unwrap();
    for file in std::fs::read_dir(tests_of_lm("checkpoints/llama")).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), model.join(file.file_name())).unwrap();
    }
    let template = tests_of_lm("chat_templates/llama3_dated.jinja");
    std::fs::copy(template, model.join("chat_template.jinja")).unwrap();
}

fn answers(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn prompts_and_conversations_are_answered_in_order() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    chat_model(here);
    let lines = [
        r#"{"id": "a", "prompt": "I like the garden", "options": ["the", "no-such-word"]}"#,
        "",
        r#"{"messages": [{"role": "user", "content": "Who said it?"}]}"#,
        r#"{"id": 7, "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who?"}]}"#,
    ];
    std::fs::write(here.join("in.jsonl"), lines.join("\n")).unwrap();
    let command = ["generate-text", "--model", "dir:chat", "--max-tokens", "12"];
    let greedy = [&command[..], &["--date", "2024-07-26", "in.jsonl"]].concat();
    let first = succeed(&greedy, here);
    let found = answers(&first);
    let ids: Vec<&Value> = found.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(
        ids,
        ["a".into(), Value::from(3), Value::from(7)]
            .iter()
            .collect::<Vec<_>>()
    );
    for answer in &found {
        let tokens = answer["tokens"].as_u64().unwrap();
        assert!((1..=12).contains(&tokens), "{answer}");
        assert!(answer["text"].is_string());
    }
    let options = &found[0]["options"];
    assert!(
        options["the"].as_f64().is_some_and(|log| log < 0.0),
        "{options}"
    );
    assert!(options["no-such-word"].is_null());
    // The same again, whatever the threads; another day is another prompt; draws follow the seed.
    assert_eq!(
        first,
        succeed(&[&["--threads", "1"][..], &greedy].concat(), here)
    );
    let drawn = |seed| {
        let drawn = ["--temperature", "1.5", "--seed", seed, "in.jsonl"];
        succeed(&[&command[..], &drawn].concat(), here)
    };
    assert_eq!(drawn("1"), drawn("1"));
    assert_ne!(drawn("1"), drawn("2"));
}

#[test]
fn what_cannot_be_answered_is_said_with_its_line() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    chat_model(here);
    let ask = |line: &str, model: &str| {
        let lines = format!("{{\"prompt\": \"I like\"}}\n{line}\n");
        std::fs::write(here.join("in.jsonl"), lines).unwrap();
        refuse(
            &[
                "generate-text",
                "--model",
                model,
                "--max-tokens",
                "2",
                "in.jsonl",
            ],
            here,
        )
    };
    for (line, said) in [
        ("[]", "no JSON object"),
        (r#"{"text": "hello"}"#, "unknown field `text`"),
        (r#"{"id": 1}"#, "either `prompt` or `messages`"),
        (r#"{"messages": []}"#, "either `prompt` or `messages`"),
    ] {
        let message = ask(line, "dir:chat");
        assert!(
            message.contains("line 2") && message.contains(said),
            "{message}"
        );
    }
    let plain = format!("dir:{}", tests_of_lm("checkpoints/llama").display());
    let chat = r#"{"messages": [{"role": "user", "content": "Hello"}]}"#;
    let message = ask(chat, &plain);
    assert!(message.contains("no chat template"), "{message}");
    assert!(ask(chat, "random:1").contains("cannot write texts"));
    assert!(ask(chat, "demo:mlm").contains("cannot write texts"));
}
