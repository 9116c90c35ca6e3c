//! How fast this engine translates; the counterpart of `benches/mt/peer.py`, with the same sentences and output.
//!
//!     cargo run --release -p epicene-engine --example seq2seq_bench -- CHECKPOINT SENTENCES.txt
//!         [--threads N] [--limit N] [--rounds N] [--batch-rows N] [--beams N] [--length N] [--from L] [--to L]
//!         [--print] [--device cpu|cuda] [--dtype DTYPE] [--write-sources FILE]
//!
//! `--length` forces every translation to that many tokens. `--print` writes the translations, `--write-sources` the token
//! numbers of the sentences.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use epicene_engine::seq2seq::{Decoding, Seq2Seq, Seq2SeqOptions};

/// Processor time of all threads so far, where the system tells (Linux).
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks
        .filter_map(|field| field.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}

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
        placement: option("--device").map_or(Ok(defaults.placement), |device| device.parse())?,
        dtype: option("--dtype").map(|dtype| dtype.parse()).transpose()?,
        ..Seq2SeqOptions::default()
    };
    let threads = options.threads;
    let started = Instant::now();
    let model = Seq2Seq::open(Path::new(checkpoint), options)?;
    let load = started.elapsed().as_secs_f64();
    for line in model.loading() {
        println!("{line}");
    }
    let text = fs::read_to_string(file)?;
    let sentences: Vec<&str> = text
        .lines()
        .take(size("--limit")?.unwrap_or(usize::MAX))
        .collect();
    let from = option("--from").map_or("en", String::as_str);
    let to = option("--to").map_or("de", String::as_str);
    if let Some(path) = option("--write-sources") {
        let mut lines = String::new();
        for sentence in &sentences {
            let ids = model.encode(sentence, from, to)?;
            let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
            lines += &(ids.join(" ") + "\n");
        }
        fs::write(path, lines)?;
    }
    for _ in 0..size("--rounds")?.unwrap_or(1) {
        let (started, before) = (Instant::now(), cpu_seconds());
        let found = model.translate(&sentences, from, to)?;
        let wall = started.elapsed().as_secs_f64();
        let cpu = cpu_seconds() - before;
        let tokens: usize = found.iter().map(|found| found.ids.len()).sum();
        println!(
            "{{\"engine\": \"epicene\", \"dtype\": \"{}\", \"threads\": {threads}, \"sentences\": {}, \"tokens\": {tokens}, \"load_s\": {load:.2}, \"wall_s\": {wall:.3}, \"cpu_s\": {cpu:.3}, \"ms_per_sentence\": {:.2}, \"cpu_ms_per_sentence\": {:.2}, \"decoding\": \"{}\"}}",
            model.card().dtype.as_deref().unwrap_or_default(),
            sentences.len(),
            1000.0 * wall / sentences.len() as f64,
            1000.0 * cpu / sentences.len() as f64,
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
