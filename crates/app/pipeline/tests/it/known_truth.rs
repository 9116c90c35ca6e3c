//! Intervals contain the truth when the detectors read real sentences: a small version of `benches/known_truth`, on our own
//! sentences alone.

use std::collections::{BTreeMap, BTreeSet};

use crate::truth::{self, Case, Reader};

const RUNS: u64 = 20;
/// Of 20 intervals of 95 %, fewer than 16 contain the truth once in 400 times.
const LEAST: u64 = 16;

fn some() -> impl Iterator<Item = Case> {
    let cases = truth::cases(None).into_iter();
    cases.filter(|case| case.language() == "ru")
}

#[test]
fn intervals_contain_the_known_truth() {
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for case in some() {
        for known in case.run(RUNS, Reader::Detector) {
            seen.insert((case.benchmark, case.language()));
            if known.contained < LEAST {
                faults.push(format!(
                    "{} {} {}: {} of {RUNS} contain {:.3}, mean {:.3}",
                    case.benchmark,
                    case.language(),
                    known.metric,
                    known.contained,
                    known.truth,
                    known.mean
                ));
            }
        }
    }
    assert_eq!(seen.len(), 5, "{seen:?}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_reader_that_overlooks_women_is_noticed() {
    let mut noticed: BTreeMap<&str, bool> = BTreeMap::new();
    for case in some() {
        let known = case.run(RUNS, Reader::Overlooking);
        *noticed.entry(case.benchmark).or_default() |=
            known.iter().any(|known| known.contained < LEAST);
    }
    assert_eq!(noticed.len(), 5);
    assert!(noticed.values().all(|noticed| *noticed), "{noticed:?}");
}
