//! Finds words in text of any script: whole words where words are separated, anywhere where they are
//! not (Chinese, Japanese, Thai…), the longest first, from left to right.

/// A set of words to look for; an index into the list names the one found.
pub struct Phrases {
    /// (characters, lower-cased if case does not matter; index), longest first.
    words: Vec<(Vec<char>, usize)>,
    ignore_case: bool,
}

/// A hit: bytes `start..end` of the text hold word `word`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    pub start: usize,
    pub end: usize,
    pub word: usize,
}

/// Letters of scripts that do not separate words.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// Whether a word may not go on here.
fn is_word_letter(c: char) -> bool {
    c.is_alphanumeric() && !is_unspaced(c)
}

fn lower(c: char) -> char {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

impl Phrases {
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>, ignore_case: bool) -> Phrases {
        let fold = |c: char| if ignore_case { lower(c) } else { c };
        let mut words: Vec<(Vec<char>, usize)> = words
            .into_iter()
            .enumerate()
            .map(|(index, word)| (word.trim().chars().map(fold).collect(), index))
            .filter(|(word, _): &(Vec<char>, usize)| !word.is_empty())
            .collect();
        words.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then(a.1.cmp(&b.1)));
        Phrases { words, ignore_case }
    }

    /// Hits that do not overlap, in the order of the text.
    pub fn find(&self, text: &str) -> Vec<Hit> {
        let letters: Vec<(usize, char)> = text.char_indices().collect();
        let fold = |c: char| if self.ignore_case { lower(c) } else { c };
        let byte = |place: usize| letters.get(place).map_or(text.len(), |(byte, _)| *byte);
        let mut hits = Vec::new();
        let mut at = 0;
        while at < letters.len() {
            let found = self.words.iter().find(|(word, _)| {
                let end = at + word.len();
                end <= letters.len()
                    && word
                        .iter()
                        .zip(&letters[at..end])
                        .all(|(w, (_, c))| *w == fold(*c))
                    && is_whole(&letters, at, end)
            });
            match found {
                Some((word, index)) => {
                    hits.push(Hit {
                        start: byte(at),
                        end: byte(at + word.len()),
                        word: *index,
                    });
                    at += word.len();
                }
                None => at += 1,
            }
        }
        hits
    }
}

/// A word of a script with separated words must not be a part of a longer one.
fn is_whole(letters: &[(usize, char)], start: usize, end: usize) -> bool {
    let begins_inside =
        start > 0 && is_word_letter(letters[start].1) && is_word_letter(letters[start - 1].1);
    let ends_inside =
        end < letters.len() && is_word_letter(letters[end - 1].1) && is_word_letter(letters[end].1);
    !begins_inside && !ends_inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_or_the_longest_string() {
        let words = |text: &str, ignore_case: bool| -> Vec<usize> {
            let phrases = Phrases::new(["彼", "彼女", "она", "Анна"], ignore_case);
            phrases.find(text).iter().map(|hit| hit.word).collect()
        };
        assert_eq!(words("彼女は彼を見た", false), [1, 0]);
        assert_eq!(words("Она и Анна, Жанна.", false), [3]);
        assert_eq!(words("Она и Анна, Жанна.", true), [2, 3]);
        assert_eq!(words("", true), Vec::<usize>::new());
    }
}
