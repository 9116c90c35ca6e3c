//! How fast this engine writes; the counterpart of `benches/gpu/decode.py`, with the same prompts.
//!
//!     cargo run --release -p epicene-engine --example generation_bench -- CHECKPOINT PROMPTS.txt
//!         [--max-tokens N] [--limit N] [--rounds N] [--threads N] [--device cpu|cuda] [--dtype DTYPE] [--print]
//!
//! A prompt is a line of token numbers. `--print` writes the numbers of what was written.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use epicene_engine::EngineOptions;
use epicene_engine::generate::{Prompt, TextGenerator, Told};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)
    };
    let size = |name: &str| option(name).map(|value| value.parse::<usize>()).transpose();
    let [checkpoint, file, ..] = arguments.as_slice() else {
        return Err("CHECKPOINT PROMPTS.txt".into());
    };
    let defaults = EngineOptions::default();
    let options = EngineOptions {
        threads: size("--threads")?.unwrap_or(defaults.threads),
        placement: option("--device").map_or(Ok(defaults.placement), |device| device.parse())?,
        dtype: option("--dtype").map(|dtype| dtype.parse()).transpose()?,
        ..defaults
    };
    let started = Instant::now();
    let generator = TextGenerator::open_directory(Path::new(checkpoint), options, &[])?;
    let load = started.elapsed().as_secs_f64();
    for line in generator.loading() {
        println!("{line}");
    }
    let told = Told {
        max_tokens: size("--max-tokens")?,
        temperature: Some(0.0),
        ..Told::default()
    };
    let manner = generator.manner(&told)?;
    let mut prompts = Vec::new();
    for line in fs::read_to_string(file)?.lines() {
        let ids = line.split_whitespace().map(str::parse);
        prompts.push(Prompt {
            id: prompts.len().to_string(),
            ids: ids.collect::<Result<Vec<u32>, _>>()?,
            first: Vec::new(),
        });
    }
    prompts.truncate(size("--limit")?.unwrap_or(usize::MAX));
    for _ in 0..size("--rounds")?.unwrap_or(1) {
        let started = Instant::now();
        let found = generator.write(&prompts, &manner)?;
        let wall = started.elapsed().as_secs_f64();
        let tokens: usize = found.iter().map(|found| found.ids.len()).sum();
        println!(
            "{{\"engine\": \"epicene\", \"texts\": {}, \"tokens\": {tokens}, \"load_s\": {load:.2}, \"wall_s\": {wall:.3}, \"ms_per_text\": {:.3}, \"tokens_per_s\": {:.0}}}",
            prompts.len(),
            1000.0 * wall / prompts.len() as f64,
            tokens as f64 / wall,
        );
        if arguments.iter().any(|argument| argument == "--print") {
            for found in &found {
                println!("{:?}", found.ids);
            }
        }
    }
    Ok(())
}
