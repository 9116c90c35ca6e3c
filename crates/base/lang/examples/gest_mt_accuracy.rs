//! Prints how far the detector is from the published GEST counts, per system-language pair.
//!
//! `cargo run --release --example gest_mt_accuracy` prints the table;
//! `-- dump SYSTEM LANG [extended|strict]` prints every verdict of one pair as TSV, and
//! `-- lines LANG [extended|strict]` judges lines from standard input.

#![allow(clippy::print_stdout, reason = "a program that prints")]

#[path = "../tests/it/support/gest.rs"]
mod gest;
#[path = "../../../../tests/shared_data.rs"]
#[allow(dead_code, reason = "only tests skip")]
mod shared_data;

use std::io::BufRead;
use std::time::{Duration, Instant};

use epicene_core::Language;
use epicene_lang::Verdict;
use epicene_lang::first_person::{Detector, Mode};
use gest::Distance;

fn main() -> gest::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mode = match arguments.last().map(String::as_str) {
        Some("extended") => Mode::Extended,
        Some("strict") => Mode::Strict,
        _ => Mode::Published,
    };
    match arguments.first().map(String::as_str) {
        Some("lines") => lines(
            Language::find(&arguments[1]).ok_or("an unknown language")?,
            mode,
        ),
        Some("dump") => dump(
            &arguments[1],
            Language::find(&arguments[2]).ok_or("an unknown language")?,
            mode,
        ),
        _ => table(mode),
    }
}

fn print(verdict: &Verdict, key: &str, text: &str) {
    let gender = verdict.gender().map_or('u', |gender| gender.letter());
    let words: Vec<&str> = verdict.evidence.iter().map(|span| span.of(text)).collect();
    println!(
        "{gender}\t{key}\t{}\t{}\t{text}",
        verdict.rule,
        words.join(" ")
    );
}

fn lines(language: Language, mode: Mode) -> gest::Result<()> {
    let detector = Detector::of(language, mode).expect("a language of the detector's");
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        print(&detector.judge(&line), "-", &line);
    }
    Ok(())
}

fn dump(system: &str, language: Language, mode: Mode) -> gest::Result<()> {
    let data = shared_data::data();
    let rows = gest::rows(&data)?;
    let detector = Detector::of(language, mode).expect("a language of the detector's");
    for pair in gest::pairs(&data, &rows)? {
        if pair.system == system && pair.language == language {
            for (row, translation) in rows.iter().zip(&pair.translations) {
                print(
                    &detector.judge(translation),
                    &row.stereotype.to_string(),
                    translation,
                );
            }
        }
    }
    Ok(())
}

fn table(mode: Mode) -> gest::Result<()> {
    let data = shared_data::data();
    let rows = gest::rows(&data)?;
    println!(
        "{:<20} {:>5} {:>5} {:>7} {:>7} {:>7} {:>8} {:>8}  m / f ours-published",
        "pair", "ours", "publ", "yield%", "mean", "worst", "f_s", "f_m"
    );
    let (mut sum, mut count) = (0.0, 0.0);
    let (mut time, mut judged) = (Duration::ZERO, 0);
    for pair in gest::pairs(&data, &rows)? {
        let start = Instant::now();
        let ours = gest::judge(&pair, &rows, mode);
        time += start.elapsed();
        judged += rows.len();
        let distance = Distance {
            ours,
            published: gest::published(&data, &pair)?,
        };
        if pair.language != Language::find("be").expect("a language of the detector's") {
            sum += distance.mean_cell();
            count += 1.0;
        }
        let change = |ours: &[u32; 16], published: &[u32; 16]| {
            i64::from(ours.iter().sum::<u32>()) - i64::from(published.iter().sum::<u32>())
        };
        println!(
            "{:<20} {:>5} {:>5} {:>+7.2} {:>7.4} {:>7.4} {:>+8.4} {:>+8.4}  {:+} / {:+}",
            format!("{}.{}", pair.system, pair.language),
            distance.ours.total(),
            distance.published.total(),
            distance.yield_change() * 100.0,
            distance.mean_cell(),
            distance.worst_cell(),
            distance.stereotype_rate(),
            distance.masculine_rate(),
            change(&distance.ours.masculine, &distance.published.masculine),
            change(&distance.ours.feminine, &distance.published.feminine),
        );
    }
    println!("mean |delta p_i| without Belarusian: {:.4}", sum / count);
    println!(
        "{:.0} sentences a second on one core",
        judged as f64 / time.as_secs_f64()
    );
    Ok(())
}
