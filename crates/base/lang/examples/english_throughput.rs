//! Measures how many English texts a second of one core's own time are read for the gender of a person.
//!
//! `cargo run --release --example english_throughput` reads the labelled translations of the tests, so it needs nothing but
//! the repository.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::error::Error;
use std::time::Instant;

use epicene_lang::english;

#[path = "support/processor.rs"]
mod processor;

const OUTPUTS: &str = include_str!("../tests/english/outputs.tsv");

/// Texts read in each round.
const TEXTS: usize = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let rows = OUTPUTS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1);
    let texts: Vec<&str> = rows.filter_map(|line| line.rsplit('\t').next()).collect();
    let characters: usize = texts.iter().map(|text| text.chars().count()).sum();
    println!(
        "{} texts, {} characters on average",
        texts.len(),
        characters / texts.len()
    );
    for round in 1..=3 {
        let start = Instant::now();
        let before = processor::seconds(start);
        let found = texts.iter().cycle().take(TEXTS);
        let found = found.filter(|text| english::detect(text).gender().is_some());
        let found = found.count();
        let taken = processor::seconds(start) - before;
        if found == 0 {
            return Err("no gender found at all".into());
        }
        println!(
            "round {round}: {:.0} texts a second and core",
            TEXTS as f64 / taken
        );
    }
    Ok(())
}
