//! How fast this engine translates; the counterpart of `benches/mt/peer.py`, with the same sentences and output.
//!
//!     cargo run --release -p epicene-lm --example seq2seq_bench -- CHECKPOINT SENTENCES.txt
//!         [--threads N] [--limit N] [--rounds N] [--batch-rows N] [--beams N] [--length N] [--from L] [--to L]
//!         [--print]
//!
//! `--length` forces every translation to that many tokens. `--print` writes the translations.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use epicene_lm::seq2seq::{Decoding, Seq2Seq, Seq2SeqOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)
    };
    let size = |name: &str| option(name).map(|value| value.parse::<usize>()).transpose();
    let [checkpoint, file, ..] = arguments.as_slice() else {
        return Err("CHECKPOINT SENTENCES.txt".into());
    };
    let defaults = Seq2SeqOptions::default();
    let length = size("--length")?;
    let options = Seq2SeqOptions {
        threads: size("--threads")?.unwrap_or(defaults.threads),
        batch_rows: size("--batch-rows")?.unwrap_or(defaults.batch_rows),
        decoding: Decoding {
            beams: size("--beams")?,
            max_new_tokens: length,
            // The first token counts.
            min_length: length.map(|length| length + 1),
            ..Decoding::default()
        },
        ..Seq2SeqOptions::default()
    };
    let threads = options.threads;
    let started = Instant::now();
    let model = Seq2Seq::open(Path::new(checkpoint), options)?;
    let load = started.elapsed().as_secs_f64();
    let text = fs::read_to_string(file)?;
    let sentences: Vec<&str> = text
        .lines()
        .take(size("--limit")?.unwrap_or(usize::MAX))
        .collect();
    let from = option("--from").map_or("en", String::as_str);
    let to = option("--to").map_or("de", String::as_str);
    for _ in 0..size("--rounds")?.unwrap_or(1) {
        let started = Instant::now();
        let found = model.translate(&sentences, from, to)?;
        let wall = started.elapsed().as_secs_f64();
        let tokens: usize = found.iter().map(|found| found.ids.len()).sum();
        println!(
            "{{\"engine\": \"epicene\", \"threads\": {threads}, \"sentences\": {}, \"tokens\": {tokens}, \"load_s\": {load:.2}, \"wall_s\": {wall:.3}, \"tokens_per_s\": {:.1}, \"decoding\": \"{}\"}}",
            sentences.len(),
            tokens as f64 / wall,
            model.decoding(),
        );
        if arguments.iter().any(|argument| argument == "--print") {
            for found in &found {
                println!("{:.4}\t{}\t{:?}", found.score, found.text, found.ids);
            }
        }
    }
    Ok(())
}
