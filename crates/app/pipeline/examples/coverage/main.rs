//! Do intervals hold what they say, and do tests reject as rarely as they say? Systems are drawn whose true values are
//! known: occupations, verbs, terms and sentences are sampled as the benchmark's card says, answers come from them, and the
//! benchmark's own `measure` and `compare` are asked. Seeded; `benches/coverage/run.sh` writes the table of
//! docs/statistics.md.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::expect_used
)]

mod designs;
mod world;

use world::{Score, Study};

fn main() {
    let systems: u64 = std::env::args()
        .nth(1)
        .map_or(1000, |given| given.parse().unwrap());
    let only = std::env::args().nth(2);
    println!("| benchmark | design | what | nominal | found | systems |");
    println!("|---|---|---|---|---|---|");
    for study in designs::all() {
        let Study {
            benchmark, design, ..
        } = &study;
        let wanted = |only: &str| *benchmark == only || design.contains(only);
        if only
            .as_ref()
            .is_some_and(|only| !only.split('+').any(wanted))
        {
            continue;
        }
        let began = std::time::Instant::now();
        for (what, Score { nominal, hits, of }) in study.run(systems) {
            let found = hits as f64 / of as f64;
            println!("| {benchmark} | {design} | {what} | {nominal} | {found:.3} | {of} |");
        }
        eprintln!(
            "{benchmark}, {design}: {:.0} s",
            began.elapsed().as_secs_f64()
        );
    }
}
