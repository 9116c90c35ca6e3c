//! BLEU with mteval's tokenisation (13a), mixed case, exponential smoothing and no effective order: sacrebleu's default.

use std::collections::BTreeMap;

use super::CorpusScore;
use crate::python;

const ORDER: usize = 4;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bleu {
    hypothesis: u64,
    reference: u64,
    correct: [u64; ORDER],
    total: [u64; ORDER],
}

impl CorpusScore for Bleu {
    const SIGNATURE: &'static str = "nrefs:1,case:mixed,eff:no,tok:13a,smooth:exp";

    fn of(hypothesis: &str, reference: &str) -> Bleu {
        let (ours, theirs) = (tokenize_13a(hypothesis), tokenize_13a(reference));
        let mut bleu = Bleu {
            hypothesis: ours.len() as u64,
            reference: theirs.len() as u64,
            ..Bleu::default()
        };
        for order in 1..=ORDER {
            let (own, known) = (counts(&ours, order), counts(&theirs, order));
            for (gram, count) in &own {
                let shared = known.get(gram).map_or(0, |known| *count.min(known));
                bleu.correct[order - 1] += shared;
                bleu.total[order - 1] += count;
            }
        }
        bleu
    }

    fn add(&mut self, other: &Bleu) {
        self.hypothesis += other.hypothesis;
        self.reference += other.reference;
        for order in 0..ORDER {
            self.correct[order] += other.correct[order];
            self.total[order] += other.total[order];
        }
    }

    fn score(&self) -> f64 {
        if self.correct.iter().all(|count| *count == 0) {
            return 0.0;
        }
        let brevity = match (self.hypothesis, self.reference) {
            (ours, theirs) if ours >= theirs => 1.0,
            (ours, theirs) => (1.0 - theirs as f64 / ours as f64).exp(),
        };
        let mut smoothing = 1.0;
        let mut logs = 0.0;
        for (correct, total) in self.correct.into_iter().zip(self.total) {
            // No n-gram of this order, and so none of a higher one: the score is 0.
            if total == 0 {
                return 0.0;
            }
            let precision = if correct == 0 {
                smoothing *= 2.0;
                100.0 / (smoothing * total as f64)
            } else {
                100.0 * correct as f64 / total as f64
            };
            logs += precision.ln();
        }
        brevity * (logs / ORDER as f64).exp()
    }
}

fn counts(tokens: &[String], order: usize) -> BTreeMap<&[String], u64> {
    let mut counts = BTreeMap::new();
    for gram in tokens.windows(order) {
        *counts.entry(gram).or_insert(0) += 1;
    }
    counts
}

/// mteval-v13a: punctuation stands by itself, but full stops and commas between digits do not.
pub fn tokenize_13a(line: &str) -> Vec<String> {
    let line = line.trim_end_matches(python::is_space);
    let mut line = line.replace("<skipped>", "").replace("-\n", "");
    line = line.replace('\n', " ");
    for (entity, character) in [
        ("&quot;", "\""),
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
    ] {
        line = line.replace(entity, character);
    }
    let mut spaced = String::with_capacity(line.len() + 16);
    spaced.push(' ');
    for c in line.chars() {
        match c {
            '{'..='~' | '['..='`' | ' '..='&' | '('..='+' | ':'..='@' | '/' => {
                spaced.extend([' ', c, ' ']);
            }
            _ => spaced.push(c),
        }
    }
    spaced.push(' ');
    let digit = |c: char| c.is_ascii_digit();
    let point = |c: char| matches!(c, '.' | ',');
    let before = pairwise(&spaced, |a, b| {
        (!digit(a) && point(b)).then_some([a, ' ', b, ' '])
    });
    let behind = pairwise(&before, |a, b| {
        (point(a) && !digit(b)).then_some([' ', a, ' ', b])
    });
    let dashes = pairwise(&behind, |a, b| {
        (digit(a) && b == '-').then_some([a, ' ', b, ' '])
    });
    python::split(&dashes).map(str::to_owned).collect()
}

/// Replaces pairs of neighbours from left to right; a character belongs to one pair at most.
fn pairwise(text: &str, replace: impl Fn(char, char) -> Option<[char; 4]>) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len() + 16);
    let mut place = 0;
    while let Some(&first) = characters.get(place) {
        let pair = characters
            .get(place + 1)
            .and_then(|second| replace(first, *second));
        match pair {
            Some(four) => {
                out.extend(four);
                place += 2;
            }
            None => {
                out.push(first);
                place += 1;
            }
        }
    }
    out
}
