//! Occupations that do not exist (specification, section 7): words sampled from a character trigram
//! model of the real ones, so that no stereotype is attached to them.

use std::collections::{BTreeMap, BTreeSet};

use epicene_stats::draw::uniform_below;
use epicene_stats::stream_rng;

use super::words::words;

const START: char = '^';
const END: char = '$';
const ORDER: usize = 3;
const LENGTHS: std::ops::RangeInclusive<usize> = 4..=14;
/// Words drawn before giving up: far more than a model of forty words can need.
const MOST_DRAWS: u64 = 100_000;

/// What follows a context, with how often it did.
type Followers = BTreeMap<char, u64>;

/// Maximum-likelihood model of the letters of the forty occupations.
struct Trigrams {
    contexts: BTreeMap<String, Followers>,
}

impl Trigrams {
    fn train<'a>(words: impl Iterator<Item = &'a str>) -> Trigrams {
        let mut contexts: BTreeMap<String, Followers> = BTreeMap::new();
        for word in words {
            let padded: Vec<char> = std::iter::once(START)
                .chain(word.chars())
                .chain(std::iter::once(END))
                .collect();
            for (place, letter) in padded.iter().enumerate().skip(1) {
                for length in 0..ORDER.min(place + 1) {
                    let context: String = padded[place - length..place].iter().collect();
                    *contexts
                        .entry(context)
                        .or_default()
                        .entry(*letter)
                        .or_default() += 1;
                }
            }
        }
        Trigrams { contexts }
    }

    /// The longest end of what is written that was seen in training.
    fn followers(&self, written: &[char]) -> Option<&Followers> {
        let longest = written.len().min(ORDER - 1);
        (0..=longest).rev().find_map(|length| {
            let context: String = written[written.len() - length..].iter().collect();
            self.contexts.get(&context)
        })
    }

    fn sample(&self, mut below: impl FnMut(u64) -> u64) -> String {
        let mut written = vec![START];
        while let Some(followers) = self.followers(&written) {
            let total: u64 = followers.values().sum();
            let mut left = below(total);
            let mut next = END;
            for (letter, count) in followers {
                if left < *count {
                    next = *letter;
                    break;
                }
                left -= count;
            }
            if next == END || written.len() > 2 * LENGTHS.end() {
                break;
            }
            written.push(next);
        }
        written[1..].iter().collect()
    }
}

/// `count` words in the order in which they were drawn; fewer if there are no more. Words of
/// `known` are real ones and are left out, as are all words of the paper.
pub fn sample(count: usize, seed: u64, known: &BTreeSet<String>) -> Vec<String> {
    let lists = words();
    let singulars: BTreeSet<&str> = lists.occupations.values().map(String::as_str).collect();
    let model = Trigrams::train(singulars.iter().copied());
    let is_real = |word: &str| {
        lists.occupations.contains_key(word)
            || lists.adjectives.contains_key(word)
            || lists.verbs.iter().any(|verb| verb == word)
            || REAL.contains(&word)
            || known.contains(word)
    };
    let mut random = stream_rng(seed, "unambiguous/nonce");
    let mut found: Vec<String> = Vec::new();
    for _ in 0..MOST_DRAWS {
        if found.len() == count {
            break;
        }
        let word = model.sample(|bound| uniform_below(&mut random, bound));
        let fits = LENGTHS.contains(&word.chars().count());
        if fits && !is_real(&word) && !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

/// English words that the letters of the forty occupations make; `--words FILE` adds a dictionary of
/// one's own.
const REAL: [&str; 35] = [
    "super", "barber", "carter", "cash", "caster", "charter", "cheer", "clean", "cleaver",
    "cooker", "counter", "cover", "farm", "hair", "house", "keeper", "labor", "lawn", "lover",
    "manor", "matter", "over", "person", "plumb", "river", "rover", "sales", "secret", "teach",
    "tender", "tiger", "water", "writ", "mane", "deter",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_new_and_follow_from_the_seed() {
        let none = BTreeSet::new();
        let drawn = sample(22, 0, &none);
        assert_eq!(drawn.len(), 22);
        assert_eq!(drawn, sample(22, 0, &none));
        assert_ne!(drawn, sample(22, 1, &none));
        assert_eq!(drawn[..5], sample(5, 0, &none));
        for word in &drawn {
            assert!(LENGTHS.contains(&word.len()), "{word}");
            assert!(!words().occupations.contains_key(word), "{word}");
        }
        let known: BTreeSet<String> = drawn.iter().cloned().collect();
        assert!(
            sample(22, 0, &known)
                .iter()
                .all(|word| !known.contains(word))
        );
    }

    #[test]
    fn the_papers_examples_can_be_drawn() {
        let model = Trigrams::train(words().occupations.values().map(String::as_str));
        for word in ["nurson", "plumbervist", "farper"] {
            let letters: Vec<char> = std::iter::once(START)
                .chain(word.chars())
                .chain(std::iter::once(END))
                .collect();
            for place in 1..letters.len() {
                let followers = model.followers(&letters[..place]).unwrap();
                assert!(followers.contains_key(&letters[place]), "{word} at {place}");
            }
        }
    }
}
