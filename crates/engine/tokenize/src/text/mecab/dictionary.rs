//! MeCab's binary files: a trie of words with their costs (`sys.dic`, `unk.dic`), costs of neighbours (`matrix.bin`), kinds of
//! letters (`char.bin`). Every number that leads to another place is checked before it is followed.

use std::path::Path;

use memmap2::Mmap;

use epicene_checkpoint::CheckpointError;

/// What a dictionary's first number is, once its length is taken out.
const MAGIC: u32 = 0xef71_8f77;
const VERSION: u32 = 102;
const HEADER: usize = 10 * 4 + 32;
const TOKEN: usize = 16;

pub fn bad(file: &str, problem: &str) -> CheckpointError {
    CheckpointError::Tokenizer {
        file: file.to_owned(),
        problem: format!("no dictionary of MeCab: it {problem}"),
    }
}

/// Maps a file; dictionaries are large, and a text touches little of them.
fn map(directory: &Path, name: &str) -> Result<Mmap, CheckpointError> {
    let io = |error: std::io::Error| CheckpointError::Unreadable {
        file: directory.join(name).display().to_string(),
        problem: error.to_string(),
    };
    let file = std::fs::File::open(directory.join(name)).map_err(io)?;
    // SAFETY: read-only and private to this value, as in gguf/file.rs.
    #[allow(unsafe_code)]
    unsafe { Mmap::map(&file) }.map_err(io)
}

fn word_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

fn half_at(bytes: &[u8], at: usize) -> Option<u16> {
    let two = bytes.get(at..at + 2)?;
    Some(u16::from_le_bytes([two[0], two[1]]))
}

/// What a word costs, and what it is beside others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Word {
    pub left: u16,
    pub right: u16,
    pub cost: i16,
}

/// A trie (double array) of words, and their tokens.
#[derive(Debug)]
pub struct Lexicon {
    bytes: Mmap,
    trie: std::ops::Range<usize>,
    tokens: std::ops::Range<usize>,
}

impl Lexicon {
    pub fn open(directory: &Path, name: &str) -> Result<Lexicon, CheckpointError> {
        let bytes = map(directory, name)?;
        let field = |number: usize| word_at(&bytes, 4 * number).map(|value| value as usize);
        let parts = (|| {
            let magic = word_at(&bytes, 0)? ^ MAGIC;
            let (version, trie, tokens) = (field(1)?, field(6)?, field(7)?);
            let trie = HEADER..HEADER.checked_add(trie)?;
            let tokens = trie.end..trie.end.checked_add(tokens)?;
            let whole = magic as usize == bytes.len() && version == VERSION as usize;
            (whole && tokens.end <= bytes.len()).then_some((trie, tokens))
        })();
        let (trie, tokens) = parts.ok_or_else(|| bad(name, "has another header, or is cut off"))?;
        let charset = &bytes[40..HEADER];
        let charset = charset.split(|byte| *byte == 0).next().unwrap_or_default();
        let charset = String::from_utf8_lossy(charset).to_lowercase();
        if charset != "utf-8" && charset != "utf8" {
            return Err(bad(name, &format!("is in {charset}, not in UTF-8")));
        }
        Ok(Lexicon {
            bytes,
            trie,
            tokens,
        })
    }

    /// Base and check of a place of the double array.
    fn unit(&self, place: usize) -> Option<(i32, u32)> {
        let at = self.trie.start + place.checked_mul(8)?;
        if at + 8 > self.trie.end {
            return None;
        }
        let base = word_at(&self.bytes, at)? as i32;
        Some((base, word_at(&self.bytes, at + 4)?))
    }

    /// Every word that the bytes begin with: its length and its tokens.
    pub fn prefixes(&self, key: &[u8]) -> Vec<(usize, impl Iterator<Item = Word> + '_)> {
        let mut found = Vec::new();
        let Some((mut base, _)) = self.unit(0) else {
            return found;
        };
        for length in 0..=key.len() {
            let Ok(place) = usize::try_from(base) else {
                return found;
            };
            if let Some((value, check)) = self.unit(place)
                && check as usize == place
                && value < 0
            {
                found.push((length, self.words(value)));
            }
            let Some(byte) = key.get(length) else {
                return found;
            };
            match self.unit(place + usize::from(*byte) + 1) {
                Some((next, check)) if check as usize == place => base = next,
                _ => return found,
            }
        }
        found
    }

    /// The tokens of a word by itself.
    pub fn exactly(&self, key: &[u8]) -> Option<Vec<Word>> {
        let (_, words) = self
            .prefixes(key)
            .into_iter()
            .find(|(length, _)| *length == key.len())?;
        Some(words.collect())
    }

    /// A value is the number of tokens and the place of the first.
    fn words(&self, value: i32) -> impl Iterator<Item = Word> + '_ {
        let value = !value as usize;
        let (first, count) = (value >> 8, value & 0xff);
        (first..first + count).filter_map(|number| {
            let at = self.tokens.start + number * TOKEN;
            if at + TOKEN > self.tokens.end {
                return None;
            }
            Some(Word {
                left: half_at(&self.bytes, at)?,
                right: half_at(&self.bytes, at + 2)?,
                cost: half_at(&self.bytes, at + 6)? as i16,
            })
        })
    }
}

/// The costs of two words side by side.
#[derive(Debug)]
pub struct Matrix {
    bytes: Mmap,
    rows: usize,
}

impl Matrix {
    pub fn open(directory: &Path) -> Result<Matrix, CheckpointError> {
        const FILE: &str = "matrix.bin";
        let bytes = map(directory, FILE)?;
        match (half_at(&bytes, 0), half_at(&bytes, 2)) {
            (Some(rows), Some(columns))
                if bytes.len() == 4 + 2 * usize::from(rows) * usize::from(columns) =>
            {
                Ok(Matrix {
                    rows: rows.into(),
                    bytes,
                })
            }
            _ => Err(bad(FILE, "has another size than it says")),
        }
    }

    /// Contexts that the matrix does not have cost as much as anything can.
    pub fn cost(&self, right_of_first: u16, left_of_second: u16) -> i16 {
        let place = usize::from(right_of_first) + self.rows * usize::from(left_of_second);
        half_at(&self.bytes, 4 + 2 * place).map_or(i16::MAX, |cost| cost as i16)
    }
}

/// The kinds a letter is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind(u32);

impl Kind {
    /// Whether two letters have a kind in common.
    pub fn is_like(self, other: Kind) -> bool {
        self.0 & other.0 & 0x3ffff != 0
    }

    /// The kind by which words are guessed.
    pub fn main(self) -> usize {
        (self.0 >> 18) as usize & 0xff
    }

    /// Guesses of up to so many letters.
    pub fn length(self) -> u32 {
        (self.0 >> 26) & 15
    }

    /// Whether letters of a kind are guessed to be one word.
    pub fn grouped(self) -> bool {
        (self.0 >> 30) & 1 == 1
    }

    /// Whether there are guesses beside the dictionary's words.
    pub fn invoked(self) -> bool {
        self.0 >> 31 == 1
    }
}

/// The kinds of all letters of the basic plane.
#[derive(Debug)]
pub struct Characters {
    names: Vec<String>,
    kinds: Vec<Kind>,
}

impl Characters {
    pub fn open(directory: &Path) -> Result<Characters, CheckpointError> {
        const FILE: &str = "char.bin";
        const LETTERS: usize = 0xffff;
        let bytes = map(directory, FILE)?;
        let count = word_at(&bytes, 0).unwrap_or(0) as usize;
        if count == 0 || count > 256 || bytes.len() != 4 + 32 * count + 4 * LETTERS {
            return Err(bad(FILE, "has another size than it says"));
        }
        let names = (0..count)
            .map(|number| {
                let name = &bytes[4 + 32 * number..36 + 32 * number];
                let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
                String::from_utf8_lossy(name).into_owned()
            })
            .collect();
        let kinds: Vec<Kind> = (0..LETTERS)
            .filter_map(|letter| word_at(&bytes, 4 + 32 * count + 4 * letter))
            .map(Kind)
            .collect();
        if kinds.iter().any(|kind| kind.main() >= count) {
            return Err(bad(FILE, "has a letter of no kind"));
        }
        Ok(Characters { names, kinds })
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Letters beyond the basic plane are like the first of all.
    pub fn of_char(&self, letter: char) -> Kind {
        let place = letter as usize;
        *self.kinds.get(place).unwrap_or(&self.kinds[0])
    }
}
