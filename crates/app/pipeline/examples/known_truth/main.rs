//! Do intervals contain the truth when the detectors read real sentences? Translations with a known share of women are made
//! from sentences that exist for a man and for a woman; see benches/known_truth/README.md.
//!
//!     known_truth RUNS [BENCHMARK or LANGUAGE, joined by +]
//!
//! The results are JSON on standard output.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

#[allow(dead_code, reason = "only tests skip")]
#[path = "../../../../../tests/shared_data.rs"]
mod shared_data;
mod truth;
#[allow(dead_code, reason = "the coverage study uses the rest")]
#[path = "../coverage/world.rs"]
mod world;

use serde_json::json;
use truth::{Coverage, Reader};

fn main() {
    let runs: u64 = std::env::args()
        .nth(1)
        .map_or(200, |given| given.parse().unwrap());
    let only = std::env::args().nth(2);
    let data = shared_data::data();
    assert!(data.exists(), "{} is not there", data.display());
    let mut lines = Vec::new();
    for case in truth::cases(Some(&data)) {
        let (benchmark, language) = (case.benchmark, case.language());
        let named = |only: &str| {
            only.split('+')
                .any(|one| one == benchmark || one == language)
        };
        if !only.as_deref().is_none_or(named) {
            continue;
        }
        let perfect = case.run(runs, Reader::Perfect);
        for (read, known) in case.run(runs, Reader::Detector).iter().zip(&perfect) {
            let Coverage {
                group,
                metric,
                truth,
                mean,
                contained,
                ..
            } = read;
            let (found, possible) = (read.share(), known.share());
            eprintln!(
                "{benchmark} {language} {metric} {group}: truth {truth:.3}, mean {mean:.3}, contained {found:.3} ({possible:.3})"
            );
            let line = json!({
                "benchmark": benchmark, "language": language, "group": group, "metric": metric,
                "truth": rounded(*truth), "mean": rounded(*mean), "contained": contained,
                "contained_if_read_perfectly": known.contained, "runs": runs,
            });
            lines.push(line.to_string());
        }
    }
    println!("[\n{}\n]", lines.join(",\n"));
}

fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
