//! How well files are told apart, by language and by order.
//!
//!     cargo run -p epicene-lang --example identify -- languages < LIST
//!     cargo run -p epicene-lang --example identify -- order < LIST
//!
//! `languages` reads lines `CODE<TAB>FILE`, one text a line in FILE, and prints what pieces of 5, 20 and 200 lines
//! are found to be when they are said to be in each of the languages. `order` reads lines
//! `LANG SOURCE<TAB>TARGET`, two files with one text a line, and prints how they are found as they are, shuffled,
//! and moved.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a tool for developers"
)]

use std::collections::BTreeMap;
use std::io::Read;

use epicene_lang::identify::{Finding, identify};
use epicene_lang::pairing::{company, pairing};

fn main() {
    let mut list = String::new();
    std::io::stdin().read_to_string(&mut list).unwrap();
    let rows = list.lines().filter_map(|line| line.split_once('\t'));
    match std::env::args().nth(1).as_deref() {
        Some("order") => rows.for_each(|(source, target)| order(source, target)),
        _ => languages(&rows.collect::<Vec<_>>()),
    }
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).expect(path)
}

fn languages(files: &[(&str, &str)]) {
    let mut codes: Vec<&str> = files.iter().map(|(code, _)| *code).collect();
    codes.sort_unstable();
    codes.dedup();
    println!("piece\tpieces\tagrees\tunclear\trefused\tothers\tothers-refused\tothers-agree");
    for size in [5, 20, 200] {
        let mut own: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
        let mut other = [0usize; 3];
        let mut confused: BTreeMap<(String, String), usize> = BTreeMap::new();
        let mut missed: BTreeMap<(String, String), [usize; 2]> = BTreeMap::new();
        for (code, path) in files {
            let text = read(path);
            let lines: Vec<&str> = text
                .lines()
                .filter(|line| !line.trim().is_empty())
                .collect();
            for piece in lines.chunks_exact(size).take(12) {
                for claimed in &codes {
                    let latin = |c: &str| {
                        ![
                            "ar", "be", "bg", "el", "fa", "he", "hi", "mk", "ru", "sr", "uk", "ur",
                        ]
                        .contains(&c)
                    };
                    if latin(claimed) != latin(code)
                        && *claimed != "en"
                        && !(*code == "sr" || *claimed == "sr")
                    {
                        continue;
                    }
                    let finding = identify(piece.iter().copied(), claimed).finding;
                    let place = match &finding {
                        Finding::Agrees => 0,
                        Finding::Other(_) => 2,
                        _ => 1,
                    };
                    let group = |c: &str| ["hr", "bs", "sr"].contains(&c);
                    if claimed == code || group(claimed) && group(code) {
                        own.entry(code).or_default()[place] += 1;
                        if let Finding::Other(evidence) = finding {
                            *confused
                                .entry((code.to_string(), evidence.languages()))
                                .or_default() += 1;
                        }
                    } else {
                        other[place] += 1;
                        if place < 2 {
                            missed
                                .entry((code.to_string(), claimed.to_string()))
                                .or_default()[place] += 1;
                        }
                    }
                }
            }
        }
        let sum = |place: usize| own.values().map(|counts| counts[place]).sum::<usize>();
        let all: usize = other.iter().sum();
        println!(
            "{size}\t{}\t{}\t{}\t{}\t{all}\t{}\t{}",
            sum(0) + sum(1) + sum(2),
            sum(0),
            sum(1),
            sum(2),
            other[2],
            other[0]
        );
        for (code, counts) in &own {
            if counts[1] + counts[2] > 0 {
                println!("  {code}: agrees, unclear, refused {counts:?}");
            }
        }
        println!("  wrongly refused {confused:?}");
        println!("  not refused (agrees, unclear) {missed:?}");
    }
}

fn order(source: &str, target: &str) {
    let (language, source) = source.split_once(' ').expect("LANG SOURCE");
    let (sources, targets) = (read(source), read(target));
    let sources: Vec<&str> = sources.lines().collect();
    let targets: Vec<&str> = targets.lines().collect();
    println!("{target}: {} lines", targets.len());
    for size in [50, 100, 400, targets.len().min(sources.len())] {
        if targets.len() < size || sources.len() < size {
            continue;
        }
        let (s, t) = (&sources[..size], &targets[..size]);
        let mut reversed = t.to_vec();
        reversed.reverse();
        let mut shuffled = t.to_vec();
        shuffled.sort_by_key(|line| line.bytes().rev().collect::<Vec<u8>>());
        let mut moved = t.to_vec();
        moved.rotate_left(1);
        let mut late = t.to_vec();
        late[size / 2..].rotate_left(1);
        for (what, lines) in [
            ("as is", t),
            ("reversed", &reversed),
            ("sorted", &shuffled),
            ("moved", &moved),
            ("from half on", &late),
        ] {
            println!(
                "  {size:>6} {what:<13}{:?} {:?}",
                pairing(s, lines, language, &[]),
                company(s, lines)
            );
        }
    }
}
