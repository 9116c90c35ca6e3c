//! What lines can be known by: the beginnings of their words, their numbers and marks.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use epicene_core::Script;

use super::further;
use crate::identify;
use crate::word_hash::WordHasher;

/// The words of lines as numbers, each line's once.
pub(super) struct Signs {
    pub lines: Vec<Vec<u32>>,
    /// How many lines have each.
    pub counts: Vec<u32>,
    /// Which lines have each that tells something.
    pub having: Vec<Vec<u32>>,
    /// Logarithms of the lengths of lines.
    pub lengths: Vec<f64>,
    numbers: HashMap<String, u32, BuildHasherDefault<WordHasher>>,
    names: Vec<String>,
}

impl Signs {
    pub fn of(texts: &[&str]) -> Signs {
        let mut numbers: HashMap<String, u32, BuildHasherDefault<WordHasher>> = HashMap::default();
        let (mut counts, mut names): (Vec<u32>, Vec<String>) = (Vec::new(), Vec::new());
        let lines = texts.iter().map(|text| {
            let mut seen: Vec<u32> = Vec::new();
            each_sign(&text.to_lowercase(), |sign| {
                let number = numbers.get(sign).copied().unwrap_or_else(|| {
                    let next = counts.len() as u32;
                    numbers.insert(sign.to_owned(), next);
                    names.push(sign.to_owned());
                    counts.push(0);
                    next
                });
                if !seen.contains(&number) {
                    seen.push(number);
                    counts[number as usize] += 1;
                }
            });
            seen
        });
        let mut lines: Vec<Vec<u32>> = lines.collect();
        // Words of half the lines tell nothing.
        let most = lines.len() / 2;
        for line in &mut lines {
            line.retain(|number| counts[*number as usize] as usize <= most);
        }
        let length = |text: &&str| (text.chars().count() as f64 + 3.0).ln();
        Signs {
            having: having(&lines, counts.len()),
            lines,
            counts,
            lengths: texts.iter().map(length).collect(),
            numbers,
            names,
        }
    }

    /// The same lines, each in the place of the one `by` before it.
    pub fn moved(&self, by: isize) -> Signs {
        let count = self.lines.len();
        let order = || (0..count).map(|line| further(line, by, count));
        let lines: Vec<Vec<u32>> = order().map(|line| self.lines[line].clone()).collect();
        Signs {
            having: having(&lines, self.counts.len()),
            lines,
            counts: self.counts.clone(),
            lengths: order().map(|line| self.lengths[line]).collect(),
            numbers: HashMap::default(),
            names: Vec::new(),
        }
    }

    /// The sign of another text that is written as each of these.
    pub fn same_in(&self, other: &Signs) -> Vec<Option<u32>> {
        let mut same = vec![None; self.counts.len()];
        for (number, name) in self.names.iter().enumerate() {
            same[number] = other.numbers.get(name).copied();
        }
        same
    }
}

fn having(lines: &[Vec<u32>], signs: usize) -> Vec<Vec<u32>> {
    let mut having = vec![Vec::new(); signs];
    for (line, signs) in (0..).zip(lines) {
        for &sign in signs {
            having[sign as usize].push(line);
        }
    }
    having
}

/// The signs of a line in small letters: beginnings of its words (endings change), its numbers and marks.
fn each_sign(lower: &str, mut found: impl FnMut(&str)) {
    let unspaced = |letter| {
        let script = Script::of(letter);
        matches!(
            script,
            Some(Script::Han | Script::Hiragana | Script::Katakana | Script::Thai)
        )
    };
    for word in identify::words(lower) {
        if word.chars().any(unspaced) {
            for (at, one) in word.char_indices() {
                found(&word[at..at + one.len_utf8()]);
            }
        } else {
            let end = word.char_indices().nth(5).map_or(word.len(), |(at, _)| at);
            found(&word[..end]);
        }
    }
    let digits = lower.split(|c: char| !c.is_ascii_digit());
    digits
        .filter(|digits| !digits.is_empty())
        .for_each(&mut found);
    lower.matches(['?', '!', ':', ';', '"']).for_each(found);
}
