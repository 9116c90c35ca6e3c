//! chrF: F2 of character n-grams up to 6, white space left out: sacrebleu's default.

use std::collections::BTreeMap;

use super::CorpusScore;
use crate::python;

const ORDER: usize = 6;
/// Recall weighs as much as precision times this, squared.
const BETA: f64 = 2.0;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Chrf {
    /// For each order: n-grams of the hypothesis, of the reference, and shared ones.
    counts: [[u64; 3]; ORDER],
}

impl CorpusScore for Chrf {
    const SIGNATURE: &'static str = "nrefs:1,case:mixed,eff:yes,nc:6,nw:0,space:no";

    fn of(hypothesis: &str, reference: &str) -> Chrf {
        let letters =
            |text: &str| -> Vec<char> { text.chars().filter(|c| !python::is_space(*c)).collect() };
        let (ours, theirs) = (letters(hypothesis), letters(reference));
        let mut chrf = Chrf::default();
        for order in 1..=ORDER {
            let (own, known) = (counts(&ours, order), counts(&theirs, order));
            let shared = own.iter().map(|(gram, count)| {
                let known = known.get(gram).copied().unwrap_or(0);
                known.min(*count)
            });
            // A hypothesis is not counted against a reference that has no such n-gram.
            let hypothesis = if known.is_empty() {
                0
            } else {
                own.values().sum()
            };
            chrf.counts[order - 1] = [hypothesis, known.values().sum(), shared.sum()];
        }
        chrf
    }

    fn add(&mut self, other: &Chrf) {
        for (sums, counts) in self.counts.iter_mut().zip(other.counts) {
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
        }
    }

    fn score(&self) -> f64 {
        let (mut precision, mut recall, mut orders) = (0.0, 0.0, 0.0);
        for [hypothesis, reference, shared] in self.counts {
            if hypothesis > 0 && reference > 0 {
                precision += shared as f64 / hypothesis as f64;
                recall += shared as f64 / reference as f64;
                orders += 1.0;
            }
        }
        if orders == 0.0 || precision + recall == 0.0 {
            return 0.0;
        }
        let (precision, recall, factor) = (precision / orders, recall / orders, BETA * BETA);
        100.0 * ((1.0 + factor) * precision * recall / (factor * precision + recall))
    }
}

fn counts(letters: &[char], order: usize) -> BTreeMap<&[char], u64> {
    let mut counts = BTreeMap::new();
    for gram in letters.windows(order) {
        *counts.entry(gram).or_insert(0) += 1;
    }
    counts
}
