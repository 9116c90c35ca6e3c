//! Values of all kinds in every field: a model or an error, never a panic.

use std::fs;

use epicene_engine::seq2seq::{Decoding, Seq2Seq, Seq2SeqOptions};
use epicene_engine::{EngineOptions, TransformerModel};
use serde_json::{Map, Value, json};

use super::files::make;
use super::tests;
use crate::support::{self, text};

/// What can stand where a number, a flag or a name belongs.
fn nonsense() -> Vec<Value> {
    vec![
        json!(0),
        json!(-1),
        json!(1),
        json!(3),
        json!(1_000_000_000_000_000u64),
        json!(99_999_999),
        json!(1e30),
        json!(-0.5),
        json!(true),
        json!(false),
        json!("nonsense"),
        json!(""),
        json!([]),
        json!([1, "x"]),
        json!({}),
        json!({"rope_type": "linear"}),
        json!({"rope_type": "llama3", "factor": 0}),
        json!(null),
    ]
}

/// Whatever stands in a field, the answer is a model or an error, never a panic.
#[test]
fn no_value_of_any_field_stops_the_program() {
    let mut opened = 0;
    let mut refused = 0;
    let plain = support::checkpoints().into_iter().filter(|name| {
        !["f16", "bf16", "legacy", "sharded", "prefix", "encoder"]
            .iter()
            .any(|end| name.ends_with(end))
    });
    for (place, name) in plain.enumerate() {
        let directory = make(&json!({"base": name, "config": {}}));
        let path = directory.path().join("config.json");
        let config: Map<String, Value> =
            serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let all: Vec<(&String, Value)> = config
            .keys()
            .flat_map(|field| nonsense().into_iter().map(move |value| (field, value)))
            .collect();
        // A quarter of them, in every checkpoint another one: architectures share most fields.
        for (field, value) in all.into_iter().skip(place % 4).step_by(4) {
            let mut spoiled = config.clone();
            spoiled.insert(field.clone(), value.clone());
            fs::write(&path, Value::Object(spoiled).to_string()).unwrap();
            let options = EngineOptions {
                threads: 1,
                ..EngineOptions::default()
            };
            let model = match TransformerModel::open(directory.path(), options) {
                Ok(model) => model,
                Err(error) => {
                    assert!(!error.to_string().contains('\n'), "{error}");
                    refused += 1;
                    continue;
                }
            };
            opened += 1;
            if let Ok(tokens) = model.encode("He said: \"I cried.\"")
                && model.has_head()
            {
                let logits = model.all_logits(&tokens, &[1]);
                assert!(logits.is_ok(), "{name}: {field} = {value}");
            }
        }
    }
    println!("{opened} opened, {refused} refused");
    assert!(opened > 100 && refused > 1000);
}

#[test]
fn no_setting_of_a_translation_model_stops_the_program() {
    for name in ["m2m_100", "marian", "mbart50", "t5"] {
        let base = format!("seq2seq/{name}");
        let golden = fs::read_to_string(tests().join(&base).join("golden.json")).unwrap();
        let golden: Value = serde_json::from_str(&golden).unwrap();
        let directory = make(&json!({"base": base, "config": {}}));
        for file in [
            "config.json",
            "generation_config.json",
            "tokenizer_config.json",
        ] {
            let path = directory.path().join(file);
            let whole = fs::read_to_string(&path).unwrap();
            let fields: Map<String, Value> = serde_json::from_str(&whole).unwrap();
            for field in fields.keys() {
                for value in nonsense() {
                    let mut spoiled = fields.clone();
                    spoiled.insert(field.clone(), value.clone());
                    fs::write(&path, Value::Object(spoiled).to_string()).unwrap();
                    let options = Seq2SeqOptions {
                        threads: 1,
                        decoding: Decoding {
                            max_length: Some(6),
                            ..Default::default()
                        },
                        ..Seq2SeqOptions::default()
                    };
                    if let Ok(model) = Seq2Seq::open(directory.path(), options) {
                        // An error is an answer too.
                        let _ = model.translate(
                            &["I was tired."],
                            text(&golden["from"]),
                            text(&golden["to"]),
                        );
                    }
                }
            }
            fs::write(&path, whole).unwrap();
        }
    }
}
