//! Logits of checkpoints, asked by `tools/reference/random_checkpoints.py` on standard input: a line of JSON with `folder`,
//! `ids` (a list of texts) and `at` (the positions read in each); a line comes back with `logits`, or with the refusal.
//!
//! ```text
//! cargo run -p epicene-engine --example logits < questions.jsonl
//! ```
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use epicene_engine::{EngineOptions, LmError, TransformerModel};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Asked {
    folder: String,
    ids: Vec<Vec<u32>>,
    at: Vec<Vec<usize>>,
}

fn logits(asked: &Asked) -> Result<Vec<Vec<Vec<f32>>>, LmError> {
    let options = EngineOptions {
        threads: 1,
        ..EngineOptions::default()
    };
    let model = TransformerModel::open(Path::new(&asked.folder), options)?;
    let texts = asked.ids.iter().zip(&asked.at);
    texts
        .map(|(ids, at)| match model.longest() {
            Some(longest) if ids.len() > longest => Ok(Vec::new()),
            _ => model.all_logits(ids, at),
        })
        .collect()
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let asked: Asked = serde_json::from_str(&line.unwrap()).unwrap();
        let answer = match catch_unwind(AssertUnwindSafe(|| logits(&asked))) {
            Ok(Ok(logits)) => json!({ "logits": logits }),
            Ok(Err(refused)) => json!({ "refused": refused.to_string() }),
            Err(_) => json!({ "panicked": true }),
        };
        println!("{answer}");
    }
}
