//! Every target over its seeds and a number of mutations of them: no panic, no more than a gigabyte.
//!
//! `EPICENE_FUZZ_CASES=N` tries N cases of each, `EPICENE_FUZZ_SECONDS=N` goes on for that long;
//! `EPICENE_FUZZ_CASE=N` tries case N alone.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use epicene_fuzz::memory::{Counting, peak};
use epicene_fuzz::{TARGETS, mutate, target};

// Counts what the whole process allocates, so that no other test may share it.
#[global_allocator]
static COUNTING: Counting = Counting;

const CASES: u64 = 3000;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn drive(name: &str) {
    let target = target(name).unwrap();
    let seeds = (target.seeds)();
    assert!(
        !seeds.is_empty() && seeds.iter().all(|seed| !seed.is_empty()),
        "no seeds"
    );
    let salt = name.bytes().fold(7, |salt: u64, byte| {
        salt.wrapping_mul(31).wrapping_add(byte.into())
    });
    if let Some(case) = number("EPICENE_FUZZ_CASE") {
        return (target.run)(&mutate::case(&seeds, case, salt));
    }
    let cases = number("EPICENE_FUZZ_CASES").unwrap_or(CASES);
    let time = number("EPICENE_FUZZ_SECONDS").map(Duration::from_secs);
    let start = Instant::now();
    let (mut case, mut slowest) = (0, (Duration::ZERO, 0));
    while match time {
        Some(time) => start.elapsed() < time,
        None => case < cases,
    } {
        let bytes = mutate::case(&seeds, case, salt);
        let begun = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(|| (target.run)(&bytes)));
        slowest = slowest.max((begun.elapsed(), case));
        if done.is_err() {
            let path = std::env::temp_dir().join(format!("epicene-fuzz-{name}-{case}"));
            std::fs::write(&path, &bytes).unwrap();
            panic!(
                "{name}: case {case} panics; its bytes are in {}",
                path.display()
            );
        }
        case += 1;
    }
    println!(
        "{name}: {case} cases, the slowest (case {}) took {:?}; at most {} MiB were held",
        slowest.1,
        slowest.0,
        peak() >> 20
    );
}

macro_rules! drive {
    ($($name:ident)*) => {
        $(#[test] fn $name() { drive(stringify!($name)); })*

        #[test]
        fn every_target_is_driven() {
            let driven = [$(stringify!($name)),*];
            let known: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(known, driven);
        }
    };
}

drive! {
    packed_input terminal_text http_headers log_line manifest benchmark_data benchmark_answers benchmark_inputs conllu
    links parallel_text grammar gate_expression first_person chat_answer completion exchange vectors safetensors pickle gguf
    model_config tokenizer tokenizer_config sentencepiece
}
