//! Chat templates and tokenizers made to end the process: by stack, by memory, by time. Each is an error with a message,
//! and the process goes on. The program and the Python package are tested with the same ones.

#[path = "../hostile/inputs.rs"]
mod inputs;

use std::collections::BTreeMap;

use epicene_checkpoint::{CheckpointError, Config};
use epicene_engine::generate::{ChatTemplate, Message, Moment};
use epicene_io::bounded::BoundedAllocator;
use epicene_tokenize::TextTokenizer;
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: BoundedAllocator = BoundedAllocator;

fn render(source: &str) -> Result<String, String> {
    let template = ChatTemplate::new(source, BTreeMap::new())?;
    let messages = [Message::new("user", "Hello. How are you?\nFine.")];
    template.render(
        &messages,
        &BTreeMap::new(),
        Moment::of_day("2024-07-26").unwrap(),
    )
}

#[test]
fn hostile_templates_are_errors_and_the_process_goes_on() {
    let all = inputs::templates();
    assert!(all.len() >= 60, "{}", all.len());
    let mut refused = 0;
    for source in &all {
        let start: String = source.chars().take(120).collect();
        match render(source) {
            Err(problem) => {
                refused += 1;
                assert!(
                    !problem.is_empty() && problem.len() < 2000,
                    "{start}: {problem}"
                );
            }
            // The parser may fold what is nested: a short text does no harm.
            Ok(text) => assert!(text.len() < 100, "{start}: {} bytes", text.len()),
        }
    }
    assert!(refused >= 60, "{refused}");
    assert_eq!(
        render("{{ messages[0].content }}!").unwrap(),
        "Hello. How are you?\nFine.!"
    );
    assert_eq!(render("{{ [1]|tojson(indent=2) }}").unwrap(), "[\n  1\n]");
}

/// A small tokenizer with some of its parts replaced.
fn tokenizer(parts: Value) -> Vec<u8> {
    let mut json = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": null, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1, "[UNK]": 2}, "unk_token": "[UNK]"},
    });
    for (name, part) in parts.as_object().unwrap() {
        json[name] = part.clone();
    }
    serde_json::to_vec(&json).unwrap()
}

fn open(json: &[u8]) -> Result<TextTokenizer, CheckpointError> {
    let config = Config::parse(r#"{"model_type": "bert"}"#).unwrap();
    TextTokenizer::parse(json, None, None, &config, &[])
}

fn replace(pattern: Value, content: &str) -> Value {
    json!({"type": "Replace", "pattern": pattern, "content": content})
}

#[test]
fn hostile_tokenizers_are_errors_and_the_process_goes_on() {
    let base: Value = serde_json::from_slice(&tokenizer(json!({}))).unwrap();
    let all = inputs::tokenizers(&base);
    assert!(all.len() >= 40, "{}", all.len());
    for (number, json) in all.iter().enumerate() {
        let start = String::from_utf8_lossy(&json[..json.len().min(300)]).into_owned();
        let error = open(json).and_then(|tokenizer| tokenizer.encode("a b a".repeat(20).as_str()));
        let error = error.expect_err(&format!("{number}: {start}")).to_string();
        assert!(error.len() < 3000, "{number}: {error}");
    }
    let plain = open(&tokenizer(json!({}))).unwrap();
    assert_eq!(plain.encode("a b c").unwrap(), [0, 1, 2]);
}

#[test]
fn a_long_text_that_grows_is_given_up() {
    // Allowed for what it may do, refused for what it does with this text.
    let grows =
        tokenizer(json!({"normalizer": replace(json!({"String": "a"}), &"a ".repeat(1000))}));
    let tokenizer = open(&grows).unwrap();
    assert_eq!(tokenizer.encode("a").unwrap().len(), 1000);
    let error = tokenizer
        .encode(&"a".repeat(1_000_000))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("memory") || error.contains("takes more"),
        "{error}"
    );
}
