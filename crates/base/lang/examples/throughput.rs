//! Measures how many sentences a second of one core's own time are judged, per language and over all.
//!
//! `cargo run --release --example throughput` reads the fixture sentences of the tests, so it
//! needs nothing but the repository; the sentences are those of the languages, long and short.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use epicene_lang::first_person::{Detector, Mode};

#[path = "support/processor.rs"]
mod processor;

/// Sentences judged per language and mode.
const SENTENCES: usize = 200_000;

const MODES: [(&str, Mode); 3] = [
    ("published/s", Mode::Published),
    ("extended/s", Mode::Extended),
    ("strict/s", Mode::Strict),
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/strict");
    let [published, extended, strict] = MODES.map(|(name, _)| name);
    println!(
        "{:<12} {published:>12} {extended:>12} {strict:>12}",
        "language"
    );
    let mut seconds = [0.0; MODES.len()];
    let mut judged = [0.0; MODES.len()];
    for language in Detector::languages() {
        let fixtures = fs::read_to_string(folder.join(format!("{language}.tsv")))?;
        let rows = fixtures.lines().filter(|line| !line.starts_with('#'));
        let texts: Vec<&str> = rows.filter_map(|line| line.rsplit('\t').next()).collect();
        let mut rates = [String::new(), String::new(), String::new()];
        for (place, (_, mode)) in MODES.into_iter().enumerate() {
            let detector = Detector::of(language, mode).expect("a language of the detector's");
            // A language without a published list has one mode only.
            if detector.mode() != mode {
                "-".clone_into(&mut rates[place]);
                continue;
            }
            let start = Instant::now();
            let before = processor::seconds(start);
            let found = texts.iter().cycle().take(SENTENCES);
            let found = found
                .filter(|text| detector.judge(text).gender().is_some())
                .count();
            let taken = processor::seconds(start) - before;
            if found == 0 {
                return Err(format!("{language}: no gender found at all").into());
            }
            rates[place] = format!("{:.0}", SENTENCES as f64 / taken);
            seconds[place] += taken;
            judged[place] += SENTENCES as f64;
        }
        let [published, extended, strict] = rates;
        println!(
            "{:<12} {published:>12} {extended:>12} {strict:>12}",
            language.name()
        );
    }
    let rate = |place: usize| judged[place] / seconds[place];
    println!(
        "{:<12} {:>12.0} {:>12.0} {:>12.0}",
        "all",
        rate(0),
        rate(1),
        rate(2)
    );
    Ok(())
}
