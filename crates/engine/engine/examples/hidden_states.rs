//! Last hidden states of the sentences on standard input, one JSON array of rows a line: to compare an
//! encoder with its peer (`tools/reference/encoder.py`).
//!
//! ```text
//! cargo run --release -p epicene-engine --example hidden_states -- CHECKPOINT < sentences.txt
//! ```
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::io::BufRead;
use std::path::Path;

use epicene_engine::{EngineOptions, TransformerModel, Wanted};

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let model = TransformerModel::open(Path::new(&path), EngineOptions::default()).unwrap();
    let wanted = Wanted {
        hidden: true,
        ..Wanted::default()
    };
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let reading = model.look(&[&line], wanted).unwrap().remove(0);
        let rows: Vec<&[f32]> = (0..reading.hidden.rows)
            .map(|row| reading.hidden.row(row))
            .collect();
        println!("{}", serde_json::to_string(&rows).unwrap());
    }
}
