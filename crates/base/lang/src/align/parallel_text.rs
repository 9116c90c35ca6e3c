//! Sentence pairs as numbers: every word is interned once, every side is one flat array.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Which side explains the other: in `Forward` every target word looks for its source word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Reverse,
}

/// The most words of a side. A longer one is no sentence and not even a document: its pair gets no links.
pub const MOST_WORDS: usize = 50_000;

/// Sentence pairs to be aligned.
#[derive(Debug, Clone, Default)]
pub struct ParallelText {
    pub(super) source: Side,
    pub(super) target: Side,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Side {
    words: Vec<u32>,
    ends: Vec<usize>,
    numbers: HashMap<Box<str>, u32, BuildHasherDefault<WordHasher>>,
}

/// FNV-1a on eight bytes at a time. Words come from translations, not from an adversary, and the map
/// is never iterated.
#[derive(Debug, Clone)]
struct WordHasher(u64);

impl Default for WordHasher {
    fn default() -> WordHasher {
        WordHasher(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0 ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            self.0 ^= self.0 >> 29;
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl ParallelText {
    /// Adds a pair whose words stand between spaces and tabs.
    pub fn push(&mut self, source: &str, target: &str) {
        fn words(text: &str) -> impl Iterator<Item = &str> {
            text.split([' ', '\t']).filter(|word| !word.is_empty())
        }
        self.push_words(words(source), words(target));
    }

    /// Adds a pair of tokenised sentences. A pair with an empty side gets no links and teaches
    /// nothing.
    pub fn push_words<S: AsRef<str>, T: AsRef<str>>(
        &mut self,
        source: impl IntoIterator<Item = S>,
        target: impl IntoIterator<Item = T>,
    ) {
        self.source.push(source);
        self.target.push(target);
        let pair = self.len() - 1;
        let sides = [&mut self.source, &mut self.target];
        if sides
            .iter()
            .any(|side| side.sentence(pair).len() > MOST_WORDS)
        {
            sides.into_iter().for_each(Side::forget_last);
        }
    }

    pub fn len(&self) -> usize {
        self.source.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the pair has words on both sides.
    pub fn has_words(&self, pair: usize) -> bool {
        !self.source.sentence(pair).is_empty() && !self.target.sentence(pair).is_empty()
    }
}

impl Side {
    fn push<W: AsRef<str>>(&mut self, words: impl IntoIterator<Item = W>) {
        for word in words {
            let word = word.as_ref();
            let number = match self.numbers.get(word) {
                Some(number) => *number,
                None => {
                    let number = self.numbers.len() as u32;
                    self.numbers.insert(word.into(), number);
                    number
                }
            };
            self.words.push(number);
        }
        self.ends.push(self.words.len());
    }

    /// Leaves the last sentence without words.
    fn forget_last(&mut self) {
        let count = self.ends.len();
        let start = match count {
            ..2 => 0,
            _ => self.ends[count - 2],
        };
        self.words.truncate(start);
        self.ends[count - 1] = start;
    }

    pub fn sentence(&self, pair: usize) -> &[u32] {
        let start = match pair {
            0 => 0,
            _ => self.ends[pair - 1],
        };
        &self.words[start..self.ends[pair]]
    }

    pub fn vocabulary(&self) -> usize {
        self.numbers.len()
    }
}
