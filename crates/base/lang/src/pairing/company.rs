//! The company that words keep: those of a translation stand beside those of its source, and long
//! sentences stay long. Both are compared with chance (the same lines, shuffled) and with orders nearby.

use super::signs::Signs;
use super::{SHIFTS, Seen, further, shuffled};

const SHUFFLES: usize = 8;

/// How strongly words of two texts keep company, against shuffled lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Company {
    /// Excess over chance, in standard deviations of chance.
    pub score: f64,
    /// The same for the sources with themselves: what could be seen at most. Looked for where nothing else is seen.
    pub ceiling: Option<f64>,
    /// Correlation of the lengths of lines.
    pub lengths: f64,
    /// The neighbouring order that fits best, and how well.
    pub shifted: (isize, f64),
}

impl Company {
    pub(crate) fn seen(&self) -> Seen {
        let (by, shifted) = self.shifted;
        match () {
            () if shifted > 8.0 && shifted > 1.5 * self.score.max(1.0) => Seen::Moved(by),
            () if self.score > 6.0 || self.lengths > 0.5 => Seen::InOrder,
            // What could be seen at best would stand out by far.
            () if self.ceiling.is_some_and(|ceiling| ceiling > 20.0) => Seen::Unrelated,
            () => Seen::Unclear,
        }
    }
}

/// How strongly two texts of the same length belong together, line by line.
pub fn company(sources: &[&str], targets: &[&str]) -> Company {
    let ours = Signs::of(sources);
    let theirs = Signs::of(targets);
    let count = sources.len();
    let orders: Vec<Vec<usize>> = (0..SHUFFLES)
        .map(|seed| shuffled(count, seed as u64))
        .collect();
    let against_chance = |other: &Signs| {
        let chance: Vec<f64> = orders
            .iter()
            .map(|o| ours.company(other, |line| o[line]))
            .collect();
        let mean = chance.iter().sum::<f64>() / chance.len() as f64;
        let squares = chance
            .iter()
            .map(|value| (value - mean).powi(2))
            .sum::<f64>();
        let spread = (squares / (chance.len() - 1) as f64)
            .sqrt()
            .max(0.05 * mean.abs())
            .max(1e-3);
        move |value: f64| (value - mean) / spread
    };
    let judged = against_chance(&theirs);
    let shift = |by: isize| {
        // The target of a line is compared with the source `by` further on.
        judged(theirs.company(&ours, |line| further(line, by, count)))
    };
    let mut shifted = (0, f64::NEG_INFINITY);
    for by in SHIFTS {
        let score = shift(by);
        if score > shifted.1 {
            shifted = (by, score);
        }
    }
    let score = judged(ours.company(&theirs, |line| line));
    let lengths = correlation(&lengths(sources), &lengths(targets));
    let nothing_seen = score < 3.0 && lengths < 0.3;
    Company {
        score,
        ceiling: nothing_seen.then(|| against_chance(&ours)(ours.company(&ours, |line| line))),
        lengths,
        shifted,
    }
}

impl Signs {
    /// Sum over pairs of words of how often they meet, weighted by how much oftener than by chance.
    fn company(&self, other: &Signs, partner: impl Fn(usize) -> usize) -> f64 {
        let total = self.lines.len() as f64;
        let mut met = vec![0u32; other.counts.len()];
        let mut beside: Vec<u32> = Vec::new();
        let mut sum = 0.0;
        for (lines, &ours) in self.having.iter().zip(&self.counts) {
            for &line in lines {
                for &sign in &other.lines[partner(line as usize)] {
                    if met[sign as usize] == 0 {
                        beside.push(sign);
                    }
                    met[sign as usize] += 1;
                }
            }
            for sign in beside.drain(..) {
                let met = std::mem::take(&mut met[sign as usize]);
                if met >= 2 {
                    let apart = f64::from(ours) * f64::from(other.counts[sign as usize]);
                    let met = f64::from(met);
                    sum += met * (met * total / apart).ln().max(0.0);
                }
            }
        }
        sum
    }
}

fn lengths(lines: &[&str]) -> Vec<f64> {
    lines
        .iter()
        .map(|line| line.chars().count() as f64)
        .collect()
}

fn correlation(ours: &[f64], theirs: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (a, b) = (mean(ours), mean(theirs));
    let mut sums = (0.0, 0.0, 0.0);
    for (x, y) in ours.iter().zip(theirs) {
        sums.0 += (x - a) * (y - b);
        sums.1 += (x - a).powi(2);
        sums.2 += (y - b).powi(2);
    }
    if sums.1 * sums.2 > 0.0 {
        sums.0 / (sums.1 * sums.2).sqrt()
    } else {
        0.0
    }
}
