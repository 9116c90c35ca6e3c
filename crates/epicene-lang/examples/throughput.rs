//! Measures how many sentences a second one core judges, per language and over all.
//!
//! `cargo run --release --example throughput` reads the fixture sentences of the tests, so it
//! needs nothing but the repository; the sentences are those of the languages, long and short.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use epicene_lang::first_person::{Detector, Language, Mode};

/// Sentences judged per language and mode.
const SENTENCES: usize = 200_000;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    println!(
        "{:<12} {:>12} {:>12}",
        "language", "published/s", "extended/s"
    );
    let mut seconds = [0.0; 2];
    let mut count = 0.0;
    for language in Language::ALL {
        // A language without a published list has its sentences among the strict ones.
        let file = folder.join(format!("{language}.tsv"));
        let strict = folder.join(format!("strict/{language}.tsv"));
        let fixtures = fs::read_to_string(if file.is_file() { file } else { strict })?;
        let rows = fixtures.lines().filter(|line| !line.starts_with('#'));
        let texts: Vec<&str> = rows.filter_map(|line| line.rsplit('\t').next()).collect();
        let mut rates = [0.0; 2];
        for (place, mode) in [Mode::Published, Mode::Extended].into_iter().enumerate() {
            let detector = Detector::new(language, mode);
            let start = Instant::now();
            let found = texts.iter().cycle().take(SENTENCES);
            let found = found
                .filter(|text| detector.judge(text).gender.is_some())
                .count();
            let taken = start.elapsed().as_secs_f64();
            if found == 0 {
                return Err(format!("{language}: no gender found at all").into());
            }
            rates[place] = SENTENCES as f64 / taken;
            seconds[place] += taken;
        }
        count += SENTENCES as f64;
        println!(
            "{:<12} {:>12.0} {:>12.0}",
            language.name(),
            rates[0],
            rates[1]
        );
    }
    println!(
        "{:<12} {:>12.0} {:>12.0}",
        "all",
        count / seconds[0],
        count / seconds[1]
    );
    Ok(())
}
