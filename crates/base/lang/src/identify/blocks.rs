//! Lines of another language within a file that is in the claimed one as a whole: a block of them, or many that are scattered.

use std::collections::HashMap;
use std::sync::OnceLock;

use epicene_core::Script;

use super::profile::{Seen, profiles};
use super::{base, words};

/// What one line can weigh.
const CAP: f64 = 8.0;
/// How much likelier a line must be in another language to speak for it.
const SPEAKS: f64 = 4.0;
/// What a line of a block has to weigh at least, so that noise does not add up.
const MARGIN: f64 = 1.0;
/// Sum over a block that is not noise.
const LEAST_BLOCK: f64 = 150.0;
/// Share of scattered lines that is not noise, and the least number of them.
const LEAST_SHARE: f64 = 0.05;
const LEAST_LINES: usize = 8;

/// Lines of another language, counted from 0 among those given.
#[derive(Debug, Clone, PartialEq)]
pub struct Foreign {
    /// Codes of the languages they may be.
    pub codes: Vec<&'static str>,
    /// How many lines speak for these.
    pub lines: usize,
    /// The first of them.
    pub first: usize,
    /// The heaviest block of them, without its end, and how many are in it.
    pub block: (usize, usize),
    pub in_block: usize,
    /// Whether they are another of Croatian, Bosnian and Serbian.
    pub is_variety: bool,
}

impl Foreign {
    /// `Croatian, Bosnian or Serbian`.
    pub fn languages(&self) -> String {
        super::joined(&self.codes)
    }
}

/// The run of lines whose sum is largest, and the lines that speak.
#[derive(Debug, Clone, Default)]
struct Tally {
    sum: f64,
    block: (usize, usize),
    running: f64,
    start: usize,
    speak_for: usize,
    /// Those since the start, and those of the heaviest block.
    since: usize,
    in_block: usize,
    first: usize,
}

impl Tally {
    fn add(&mut self, line: usize, weight: f64, margin: f64, speaks: f64) {
        if self.running <= 0.0 {
            (self.running, self.start, self.since) = (0.0, line, 0);
        }
        self.running += weight - margin;
        if weight > speaks {
            if self.speak_for == 0 {
                self.first = line;
            }
            self.speak_for += 1;
            self.since += 1;
        }
        if self.running > self.sum {
            (self.sum, self.block) = (self.running, (self.start, line + 1));
            self.in_block = self.since;
        }
    }

    fn found(self, codes: Vec<&'static str>, is_variety: bool) -> Foreign {
        Foreign {
            codes,
            is_variety,
            lines: self.speak_for,
            first: self.first,
            in_block: self.in_block,
            block: self.block,
        }
    }
}

/// Looks for lines of another language; `None` where there are none to speak of, or no profile of the claimed one.
pub fn foreign_lines<'a>(
    lines: impl Iterator<Item = &'a str> + Clone,
    claimed: &str,
) -> Option<Foreign> {
    let code = base(claimed);
    let known = profiles();
    let own: Vec<usize> = (0..known.len())
        .filter(|&at| known[at].stands_for(code))
        .collect();
    if own.is_empty() {
        return None;
    }
    let mut tallies = vec![Tally::default(); known.len()];
    let mut seen = Seen::default();
    let mut scores = vec![0.0; known.len()];
    let mut all = 0;
    for (number, line) in lines.clone().enumerate() {
        let lower = line.to_lowercase();
        scores.fill(0.0);
        let mut is_empty = true;
        for word in words(&lower) {
            is_empty = false;
            for (score, of_word) in scores.iter_mut().zip(seen.of_word(word)) {
                *score += of_word;
            }
        }
        if is_empty {
            continue;
        }
        all += 1;
        let ours = own
            .iter()
            .map(|&at| scores[at])
            .fold(f64::NEG_INFINITY, f64::max);
        for ((tally, score), rival) in tallies.iter_mut().zip(&scores).zip(known) {
            let mut weight = (score - ours).clamp(-CAP, CAP);
            // A few words that were left in another script do not make a line foreign.
            let writes = |script: Script| own.iter().any(|&at| known[at].scripts.contains(&script));
            if weight > MARGIN && !rival.scripts.iter().any(|script| writes(*script)) {
                let letters = || line.chars().filter_map(Script::of);
                if 3 * letters().filter(|script| writes(*script)).count() > letters().count() {
                    weight = 0.0;
                }
            }
            tally.add(number, weight, MARGIN, SPEAKS);
        }
    }
    let rivals = tallies
        .into_iter()
        .enumerate()
        .filter(|(at, _)| !own.contains(at));
    let least = LEAST_LINES.max((LEAST_SHARE * all as f64).ceil() as usize);
    let is_many = |tally: &Tally| tally.sum > LEAST_BLOCK || tally.speak_for >= least;
    let found = rivals.filter(|(_, tally)| is_many(tally));
    // The rival that most lines speak for is the language; its relatives have fewer.
    let best = found.max_by(|a, b| {
        (a.1.speak_for, a.1.sum)
            .partial_cmp(&(b.1.speak_for, b.1.sum))
            .expect("sums are numbers")
    });
    match best {
        Some((at, tally)) => Some(tally.found(known[at].codes.clone(), false)),
        None => other_variety(lines, code),
    }
}

/// The words that tell Croatian, Bosnian and Serbian apart, with the codes of those that write them.
fn varieties() -> &'static HashMap<&'static str, Vec<&'static str>> {
    static TABLE: OnceLock<HashMap<&'static str, Vec<&'static str>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = HashMap::new();
        let rows = include_str!("../../data/identify/varieties.txt").lines();
        for (codes, list) in rows.filter_map(|row| row.split_once(": ")) {
            if !codes.starts_with('#') {
                for word in list.split_whitespace() {
                    table.insert(word, codes.split_whitespace().collect());
                }
            }
        }
        table
    })
}

/// Lines of another of Croatian, Bosnian and Serbian, which one profile stands for.
fn other_variety<'a>(lines: impl Iterator<Item = &'a str>, code: &str) -> Option<Foreign> {
    const CODES: [&str; 3] = ["hr", "bs", "sr"];
    if !CODES.contains(&code) {
        return None;
    }
    let mut tallies = vec![Tally::default(); CODES.len()];
    let mut told = 0;
    for (number, line) in lines.enumerate() {
        let lower = latin(&line.to_lowercase());
        let mut weights = [0.0; CODES.len()];
        let mut is_told = false;
        for codes in words(&lower).filter_map(|word| varieties().get(word)) {
            is_told = true;
            let ours = codes.contains(&code);
            for (weight, other) in weights.iter_mut().zip(CODES) {
                *weight += match (codes.contains(&other), ours) {
                    (true, false) => 1.0,
                    (false, true) => -1.0,
                    _ => 0.0,
                };
            }
        }
        if is_told {
            told += 1;
            for (tally, weight) in tallies.iter_mut().zip(weights) {
                tally.add(number, f64::clamp(weight, -2.0, 2.0), 0.0, 0.5);
            }
        }
    }
    let is_many = |tally: &Tally| tally.sum >= 8.0 || tally.speak_for >= LEAST_LINES.max(told / 20);
    let each = CODES
        .into_iter()
        .zip(tallies)
        .filter(|(_, tally)| is_many(tally));
    let best = each.max_by(|a, b| {
        (a.1.speak_for, a.1.sum)
            .partial_cmp(&(b.1.speak_for, b.1.sum))
            .expect("sums are numbers")
    });
    best.map(|(code, tally)| tally.found(vec![code], true))
}

/// Serbian Cyrillic in Latin letters.
fn latin(lower: &str) -> String {
    if !lower
        .chars()
        .any(|letter| Script::of(letter) == Some(Script::Cyrillic))
    {
        return lower.to_owned();
    }
    let mut text = String::with_capacity(lower.len());
    for letter in lower.chars() {
        let at = "абвгдђежзијклљмнњопрстћуфхцчџш"
            .chars()
            .position(|one| one == letter);
        let latin = [
            "a", "b", "v", "g", "d", "đ", "e", "ž", "z", "i", "j", "k", "l", "lj", "m", "n", "nj",
            "o", "p", "r", "s", "t", "ć", "u", "f", "h", "c", "č", "dž", "š",
        ];
        match at {
            Some(at) => text.push_str(latin[at]),
            None => text.push(letter),
        }
    }
    text
}
