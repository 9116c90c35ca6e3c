//! How long the classification of a whole WiBeMT run takes: 70,686 German translations, both judges.
//!
//!     cargo run --release -p epicene-bench --example wibemt_throughput -- verb_deepl_categorised.tsv
//!
//! The file (id, sentence, verb, occupation, translation, label; not packed) is repeated up to 4,158 verb sentences and
//! 66,528 sentences with adjectives.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::time::Instant;

use epicene_bench::options::DetectorRules;
use epicene_bench::wibemt::german::{ChallengePart, classify};
use epicene_core::Finding;

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let rows: Vec<(&str, &str)> = text
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            (cells[4], cells[3])
        })
        .collect();
    for judge in [DetectorRules::Published, DetectorRules::Epicene] {
        let start = Instant::now();
        let mut labelled = 0;
        for number in 0..70_686 {
            let (translation, occupation) = rows[number % rows.len()];
            let part = if number < 4158 {
                ChallengePart::Verb
            } else {
                ChallengePart::Adjective
            };
            let verdict = classify(translation, occupation, part, judge);
            labelled += usize::from(verdict.finding != Finding::Undecided);
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("{judge}: 70686 translations, {labelled} labelled, {seconds:.2} s on one thread");
    }
}
