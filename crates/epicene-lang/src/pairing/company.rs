//! The company that words keep: those of a translation stand beside those of its source, and long
//! sentences stay long. Both are compared with chance (the same lines, shuffled) and with orders nearby.

use std::collections::BTreeMap;

use super::{SHIFTS, Seen, further, shuffled};
use epicene_core::Script;

use crate::identify;

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

/// The words of lines as numbers, each line's once.
struct Signs {
    lines: Vec<Vec<u32>>,
    /// Lines that have each.
    counts: Vec<u32>,
}

impl Signs {
    fn of(lines: &[&str]) -> Signs {
        let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
        let mut counts: Vec<u32> = Vec::new();
        let lines = lines
            .iter()
            .map(|line| {
                let mut seen: Vec<u32> = Vec::new();
                for sign in signs(line) {
                    let next = counts.len() as u32;
                    let number = *numbers.entry(sign).or_insert(next);
                    if number == next {
                        counts.push(0);
                    }
                    if !seen.contains(&number) {
                        seen.push(number);
                        counts[number as usize] += 1;
                    }
                }
                seen
            })
            .collect::<Vec<_>>();
        // Words of half the lines, or of one alone, tell nothing.
        let telling = |number: &u32| {
            let count = counts[*number as usize] as usize;
            count >= 2 && 2 * count <= lines.len()
        };
        let lines = lines
            .iter()
            .map(|line| line.iter().copied().filter(telling).collect())
            .collect();
        Signs { lines, counts }
    }

    /// Sum over pairs of words of how often they meet, weighted by how much oftener than by chance.
    fn company(&self, other: &Signs, partner: impl Fn(usize) -> usize) -> f64 {
        // Both words in one number: the same order, and quicker to sort.
        let mut meetings: Vec<u64> = Vec::new();
        for (line, ours) in self.lines.iter().enumerate() {
            for &a in ours {
                let theirs = other.lines[partner(line)].iter();
                meetings.extend(theirs.map(|&b| u64::from(a) << 32 | u64::from(b)));
            }
        }
        meetings.sort_unstable();
        let total = self.lines.len() as f64;
        let mut sum = 0.0;
        for same in meetings.chunk_by(|one, next| one == next) {
            if same.len() >= 2 {
                let (a, b) = ((same[0] >> 32) as usize, same[0] as u32 as usize);
                let apart = f64::from(self.counts[a]) * f64::from(other.counts[b]);
                let met = same.len() as f64;
                sum += met * (met * total / apart).ln().max(0.0);
            }
        }
        sum
    }
}

/// What a line can be known by: beginnings of its words (endings change), its numbers and marks.
fn signs(line: &str) -> Vec<String> {
    let mut signs: Vec<String> = Vec::new();
    for word in identify::words(line) {
        let unspaced = |letter| {
            let script = Script::of(letter);
            matches!(
                script,
                Some(Script::Han | Script::Hiragana | Script::Katakana | Script::Thai)
            )
        };
        if word.chars().any(unspaced) {
            signs.extend(word.chars().map(String::from))
        } else {
            signs.push(word.chars().take(5).collect())
        }
    }
    let digits = line.split(|c: char| !c.is_ascii_digit());
    signs.extend(
        digits
            .filter(|digits| !digits.is_empty())
            .map(str::to_owned),
    );
    signs.extend(
        line.chars()
            .filter(|c| "?!:;\"".contains(*c))
            .map(String::from),
    );
    signs
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
