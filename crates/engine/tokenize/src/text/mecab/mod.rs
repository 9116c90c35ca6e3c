//! Japanese words by MeCab's lattice (Kudo et al. 2004), from a dictionary in its binary form: what `ipadic`, `unidic-lite` and
//! Debian's `mecab-ipadic-utf8` install. Every word of the dictionary that begins somewhere in the text, and guesses by kinds of
//! letters, become nodes; the cheapest way through them is the split. Ties fall as MeCab's lists make them fall, since another
//! word is another token.

mod dictionary;

use dictionary::{Characters, Kind, Lexicon, Matrix, Word};
use std::path::Path;

use epicene_checkpoint::CheckpointError;

/// Longest run of letters of one kind that is taken for a word.
const LONGEST_GROUP: usize = 24;

/// An opened dictionary.
#[derive(Debug)]
pub struct Mecab {
    system: Lexicon,
    matrix: Matrix,
    characters: Characters,
    /// For each kind of letter the ways to guess a word.
    guesses: Vec<Vec<Word>>,
    space: Kind,
}

/// A word at its place in the lattice.
struct Node {
    word: Word,
    start: usize,
    end: usize,
    cost: i64,
    previous: usize,
}

impl Mecab {
    pub fn open(directory: &Path) -> Result<Mecab, CheckpointError> {
        let characters = Characters::open(directory)?;
        let unknown = Lexicon::open(directory, "unk.dic")?;
        let guesses = characters
            .names()
            .iter()
            .map(|name| unknown.exactly(name.as_bytes()))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| dictionary::bad("unk.dic", "has no entry for a kind of letters"))?;
        let space = characters.of_char(' ');
        Ok(Mecab {
            system: Lexicon::open(directory, "sys.dic")?,
            matrix: Matrix::open(directory)?,
            guesses,
            characters,
            space,
        })
    }

    /// The words of a text as ranges of its bytes; blanks are in none. What is behind a NUL is not read, as in MeCab.
    pub fn words(&self, text: &str) -> Vec<std::ops::Range<usize>> {
        let text = text.split('\0').next().unwrap_or_default();
        // The text begins and ends with a node of context 0.
        let edge = |start: usize| Node {
            word: Word::default(),
            start,
            end: start,
            cost: 0,
            previous: 0,
        };
        let mut nodes = vec![edge(0)];
        // Nodes by where they end, blanks before them included; the latest first, as MeCab's lists have them.
        let mut ending: Vec<Vec<usize>> = vec![Vec::new(); text.len() + 1];
        ending[0].push(0);
        for place in 0..text.len() {
            if ending[place].is_empty() {
                continue;
            }
            let before: Vec<usize> = ending[place].iter().rev().copied().collect();
            for (word, start, end) in self.beginning(text, place).into_iter().rev() {
                let (cost, previous) = self.cheapest(&nodes, &before, &word);
                ending[end].push(nodes.len());
                nodes.push(Node {
                    word,
                    start,
                    end,
                    cost,
                    previous,
                });
            }
        }
        // Blanks at the end belong to no word.
        let last = ending.iter().rev().find(|nodes| !nodes.is_empty());
        let last: Vec<usize> = last.into_iter().flatten().rev().copied().collect();
        let (_, mut at) = self.cheapest(&nodes, &last, &Word::default());
        let mut words = Vec::new();
        while at != 0 {
            words.push(nodes[at].start..nodes[at].end);
            at = nodes[at].previous;
        }
        words.reverse();
        words
    }

    /// The cheapest of several nodes to come from, the first of equals.
    fn cheapest(&self, nodes: &[Node], before: &[usize], word: &Word) -> (i64, usize) {
        let mut best = (i64::MAX, 0);
        for number in before {
            let node = &nodes[*number];
            let step = self.matrix.cost(node.word.right, word.left);
            let cost = node.cost + i64::from(step) + i64::from(word.cost);
            if cost < best.0 {
                best = (cost, *number);
            }
        }
        best
    }

    /// Words that begin at a place, behind blanks: each with its first byte and its end, in the order they are found.
    fn beginning(&self, text: &str, place: usize) -> Vec<(Word, usize, usize)> {
        let (start, _) = self.run(text, place, self.space);
        let Some(first) = text[start..].chars().next() else {
            return Vec::new();
        };
        let kind = self.characters.of_char(first);
        let mut found: Vec<(Word, usize, usize)> = Vec::new();
        for (length, words) in self.system.prefixes(&text.as_bytes()[start..]) {
            found.extend(words.map(|word| (word, start, start + length)));
        }
        if !found.is_empty() && !kind.invoked() {
            return found;
        }
        let guess = |end: usize, found: &mut Vec<(Word, usize, usize)>| {
            let words = self.guesses[kind.main()].iter();
            found.extend(words.map(|word| (*word, start, end)));
        };
        let behind = start + first.len_utf8();
        let mut grouped = None;
        if kind.grouped() {
            let (end, count) = self.run(text, behind, kind);
            if count <= LONGEST_GROUP {
                guess(end, &mut found);
            }
            grouped = Some(end);
        }
        let mut end = behind;
        for _ in 0..kind.length() {
            if grouped == Some(end) {
                continue;
            }
            guess(end, &mut found);
            let Some(next) = text[end..].chars().next() else {
                break;
            };
            if !kind.is_like(self.characters.of_char(next)) {
                break;
            }
            end += next.len_utf8();
        }
        if found.is_empty() {
            guess(end, &mut found);
        }
        found
    }

    /// Where a run of like letters ends, each like the one before it, and how many they are.
    fn run(&self, text: &str, from: usize, mut kind: Kind) -> (usize, usize) {
        let (mut end, mut count) = (from, 0);
        for letter in text[from..].chars() {
            let next = self.characters.of_char(letter);
            if !kind.is_like(next) {
                break;
            }
            kind = next;
            end += letter.len_utf8();
            count += 1;
        }
        (end, count)
    }
}
