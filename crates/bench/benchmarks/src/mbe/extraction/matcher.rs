//! Which gender an English sentence names (MBE specification, section 1; the paper leaves tokens and
//! matching open).
//!
//! A word is a run of letters and digits with apostrophes inside. One trailing contraction is cut off
//! before the look-up. List words match in any case, names in their own. An entry that ends in "."
//! matches only where a "." follows at once; one with "_" matches its words separated by one space or
//! hyphen.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::word_list::{GenderLists, WordList};

/// What a sentence names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mention {
    Female,
    Male,
    Both,
    Neither,
}

const FEMALE: u8 = 1;
const MALE: u8 = 2;
const BOTH: u8 = 3;

const CONTRACTIONS: [&str; 6] = ["'s", "'d", "'m", "'ll", "'ve", "'re"];

/// Size of the filter that most words do not pass.
const FILTER_BITS: usize = 1 << 15;

/// What follows from a (lower-cased) word.
#[derive(Debug, Default)]
struct Entry {
    /// The word by itself.
    plain: u8,
    /// The word before a full stop.
    dotted: u8,
    /// Names in their own case: (name, gender, needs a full stop).
    cased: Vec<(String, u8, bool)>,
    /// Phrases that begin with the word: the words after it.
    phrases: Vec<(Vec<String>, u8)>,
}

/// Looks gendered words up; the same for every thread.
pub struct Matcher {
    entries: HashMap<Box<str>, Entry, BuildHasherDefault<WordHasher>>,
    /// Words whose beginning and length hash to a clear bit are in no list.
    filter: Vec<u64>,
}

/// A run of letters, digits and inner apostrophes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    start: usize,
    end: usize,
    ascii: bool,
    apostrophe: bool,
}

impl Matcher {
    pub fn new(lists: &GenderLists, names_ignore_case: bool) -> Matcher {
        let mut matcher = Matcher {
            entries: HashMap::default(),
            filter: vec![0; FILTER_BITS / 64],
        };
        let cased = !names_ignore_case;
        matcher.add(&lists.female_words, FEMALE, false);
        matcher.add(&lists.male_words, MALE, false);
        matcher.add(&lists.female_names, FEMALE, cased);
        matcher.add(&lists.male_names, MALE, cased);
        matcher
    }

    fn add(&mut self, list: &WordList, gender: u8, cased: bool) {
        for listed in &list.entries {
            let listed = listed.replace('\u{2019}', "'");
            let listed = listed.trim_end_matches('\'');
            let (listed, dotted) = match listed.strip_suffix('.') {
                Some(word) => (word, true),
                None => (listed, false),
            };
            let mut words = listed
                .split(['_', ' ', '-'])
                .filter(|word| !word.is_empty());
            let Some(first) = words.next() else {
                continue;
            };
            let rest: Vec<String> = words.map(str::to_lowercase).collect();
            let key = first.to_lowercase();
            let bit = filter_bit(key.as_bytes());
            self.filter[bit / 64] |= 1 << (bit % 64);
            let entry = self.entries.entry(key.into_boxed_str()).or_default();
            match (rest.is_empty(), cased, dotted) {
                (false, _, _) => entry.phrases.push((rest, gender)),
                (true, true, _) => entry.cased.push((first.to_owned(), gender, dotted)),
                (true, false, true) => entry.dotted |= gender,
                (true, false, false) => entry.plain |= gender,
            }
        }
    }

    /// Reads until both genders are seen.
    pub fn mention(&self, sentence: &str) -> Mention {
        let mut found = 0;
        let mut at = 0;
        while let Some(run) = next_run(sentence, at) {
            at = run.end;
            found |= self.look_up(sentence, run);
            if found == BOTH {
                return Mention::Both;
            }
        }
        match found {
            FEMALE => Mention::Female,
            MALE => Mention::Male,
            _ => Mention::Neither,
        }
    }

    fn look_up(&self, sentence: &str, run: Run) -> u8 {
        let word = &sentence[run.start..run.end];
        if run.ascii && !run.apostrophe {
            let bit = filter_bit(word.as_bytes());
            if self.filter[bit / 64] >> (bit % 64) & 1 == 0 {
                return 0;
            }
        }
        let exact = if run.apostrophe {
            word.replace('\u{2019}', "'")
        } else {
            word.to_owned()
        };
        let lower = exact.to_lowercase();
        let stem_length = contraction(&lower).map_or(lower.len(), |length| lower.len() - length);
        let Some(entry) = self.entries.get(&lower[..stem_length]) else {
            return 0;
        };
        let contracted = stem_length < lower.len();
        let before_stop = !contracted && sentence[run.end..].starts_with('.');
        let mut found = entry.plain;
        if before_stop {
            found |= entry.dotted;
        }
        // Lower case can be longer than the word in a few scripts; a contraction never is.
        let exact_length = exact.len() - (lower.len() - stem_length);
        let exact_stem = exact.get(..exact_length).unwrap_or("");
        for (name, gender, dotted) in &entry.cased {
            if exact_stem == name && (!dotted || before_stop) {
                found |= gender;
            }
        }
        if !contracted {
            for (words, gender) in &entry.phrases {
                if follows(sentence, run.end, words) {
                    found |= gender;
                }
            }
        }
        found
    }
}

/// Whether exactly these words come after `end`, each after one space or hyphen.
fn follows(sentence: &str, mut end: usize, words: &[String]) -> bool {
    for (index, word) in words.iter().enumerate() {
        if !matches!(sentence.as_bytes().get(end), Some(b' ' | b'-')) {
            return false;
        }
        let Some(run) = next_run(sentence, end) else {
            return false;
        };
        if run.start != end + 1 {
            return false;
        }
        let found = sentence[run.start..run.end]
            .replace('\u{2019}', "'")
            .to_lowercase();
        let last = index + 1 == words.len();
        let cut = match contraction(&found) {
            Some(length) if last => length,
            _ => 0,
        };
        if found[..found.len() - cut] != **word {
            return false;
        }
        end = run.end;
    }
    true
}

/// The length of the contraction a lower-cased word ends in.
fn contraction(word: &str) -> Option<usize> {
    if !word.contains('\'') {
        return None;
    }
    let found = CONTRACTIONS
        .into_iter()
        .find(|ending| word.ends_with(ending));
    found.map(str::len).filter(|length| *length < word.len())
}

/// The next run at or after `at`.
fn next_run(text: &str, at: usize) -> Option<Run> {
    let bytes = text.as_bytes();
    let mut start = at;
    while start < bytes.len() {
        let byte = bytes[start];
        if byte.is_ascii() {
            if byte.is_ascii_alphanumeric() {
                break;
            }
            start += 1;
        } else {
            let c = text[start..].chars().next()?;
            if c.is_alphanumeric() {
                break;
            }
            start += c.len_utf8();
        }
    }
    if start >= bytes.len() {
        return None;
    }
    let mut run = Run {
        start,
        end: start,
        ascii: true,
        apostrophe: false,
    };
    while run.end < bytes.len() {
        let byte = bytes[run.end];
        if byte.is_ascii_alphanumeric() {
            run.end += 1;
            continue;
        }
        if byte.is_ascii() && byte != b'\'' {
            break;
        }
        let Some(c) = text[run.end..].chars().next() else {
            break;
        };
        if c.is_alphanumeric() {
            run.ascii = false;
            run.end += c.len_utf8();
            continue;
        }
        // An apostrophe belongs to the word if a letter or digit follows.
        let after = run.end + c.len_utf8();
        let inner = matches!(c, '\'' | '\u{2019}')
            && text[after..]
                .chars()
                .next()
                .is_some_and(char::is_alphanumeric);
        if !inner {
            break;
        }
        run.apostrophe = true;
        run.end = after;
    }
    Some(run)
}

/// A bit for the first eight bytes of an ASCII word, in any case, and its length.
fn filter_bit(word: &[u8]) -> usize {
    let mut head = [0; 8];
    let length = word.len().min(8);
    head[..length].copy_from_slice(&word[..length]);
    let folded = u64::from_le_bytes(head) | 0x2020_2020_2020_2020;
    let mixed = (folded ^ (word.len() as u64) << 59).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 49) as usize
}

/// FNV-1a: short words, no adversary.
#[derive(Default)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mention(sentence: &str, ignore_case: bool) -> Mention {
        let lists = GenderLists {
            female_words: WordList::parse("she\nher\nma'am\nhair_salon\n"),
            male_words: WordList::parse("he\nhim\nmr.\n"),
            female_names: WordList::default(),
            male_names: WordList::parse("Bill\n"),
        };
        Matcher::new(&lists, ignore_case).mention(sentence)
    }

    #[test]
    fn words_are_whole_runs_in_any_case() {
        for (sentence, expected) in [
            ("HE left", Mention::Male),
            ("her-o", Mention::Female),
            ("herons, shells", Mention::Neither),
            ("Mr. X", Mention::Male),
            ("Mr X", Mention::Neither),
            ("the hair  salon", Mention::Neither),
            ("the hair-salon's door", Mention::Female),
            ("Ma\u{2019}am!", Mention::Female),
            ("she\u{2019}ll see him", Mention::Both),
            ("çhe éhe", Mention::Neither),
            ("", Mention::Neither),
            ("'", Mention::Neither),
            ("彼女 is she", Mention::Female),
        ] {
            assert_eq!(mention(sentence, false), expected, "{sentence}");
        }
    }

    #[test]
    fn names_keep_their_case_unless_told() {
        assert_eq!(mention("a bill", false), Mention::Neither);
        assert_eq!(mention("a bill", true), Mention::Male);
        assert_eq!(mention("Bill's law", false), Mention::Male);
        assert_eq!(mention("BILL", false), Mention::Neither);
    }
}
