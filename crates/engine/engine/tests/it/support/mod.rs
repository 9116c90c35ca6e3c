//! Tiny checkpoints and what the reference says about them.

use std::fs;
use std::path::PathBuf;

use epicene_core::{Answer, Query, Question};
use epicene_engine::{EngineOptions, LmError, TransformerModel};
use serde_json::Value;

pub fn directory(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/checkpoints")
        .join(name)
}

/// The names of all checkpoints, in order.
pub fn checkpoints() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory(""))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What `transformers` computes. Files that hold the same weights under other names share the
/// numbers of the first.
pub fn golden(name: &str) -> Value {
    let mut path = directory(name).join("golden.json");
    if !path.exists() {
        let base = name.split('-').next().unwrap();
        path = directory(base).join("golden.json");
    }
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

pub fn model(name: &str) -> TransformerModel {
    open(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub fn open(name: &str) -> Result<TransformerModel, LmError> {
    let options = EngineOptions {
        threads: 1,
        batch_tokens: 480,
        ..EngineOptions::default()
    };
    TransformerModel::open(&directory(name), options)
}

pub fn model_with(name: &str, options: EngineOptions) -> TransformerModel {
    TransformerModel::open(&directory(name), options)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub fn query(question: Question) -> Query<'static> {
    Query {
        index: 0,
        item: "item:1",
        unit: "template:1",
        question,
    }
}

pub fn ratio(answer: &Answer) -> f64 {
    let Answer::Log10Ratio(ratio) = answer else {
        panic!("{answer:?} is not a ratio");
    };
    *ratio
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

pub fn ids(value: &Value) -> Vec<u32> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_u64().unwrap() as u32)
        .collect()
}

pub fn floats(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_f64().unwrap())
        .collect()
}
