//! Russian and Ukrainian: genders of all analyses a morphological dictionary has for the aligned words.

use std::collections::BTreeMap;

use epicene_core::{InputError, TextFile, Verdict};

use super::tokens::{Token, within};
use super::{Aligned, predicted};
use crate::winomt::prediction::Prediction;

/// Tokens with the gender of the word: feminine if any analysis is, else the most frequent, neutral if none has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lexicon {
    genders: BTreeMap<String, Prediction>,
}

impl Lexicon {
    /// Lines token, genders of its analyses separated by commas; further columns are ignored.
    pub fn read(file: &TextFile) -> Result<Lexicon, InputError> {
        let mut genders = BTreeMap::new();
        for (number, line) in (1u64..).zip(file.text.lines()) {
            if line.is_empty() || (number == 1 && line.starts_with("token\t")) {
                continue;
            }
            let complain = |message: String| InputError::new(&file.path, message).at_line(number);
            let mut cells = line.split('\t');
            let (Some(token), Some(analyses)) = (cells.next(), cells.next()) else {
                return Err(complain(
                    "expected a token and the genders of its analyses".to_owned(),
                ));
            };
            let mut seen = Vec::new();
            for name in analyses
                .split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty())
            {
                let gender = name
                    .parse()
                    .map_err(|()| complain(format!("`{name}` is not a gender")));
                seen.push(gender?);
            }
            let word = if seen.contains(&Prediction::Female) {
                Prediction::Female
            } else {
                Prediction::most_frequent(&seen).unwrap_or(Prediction::Neutral)
            };
            genders.insert(token.to_owned(), word);
        }
        if genders.is_empty() {
            Err(InputError::new(&file.path, "there are no words"))
        } else {
            Ok(Lexicon { genders })
        }
    }

    fn gender(&self, token: &str) -> Option<Prediction> {
        let exact = self.genders.get(token).copied();
        exact.or_else(|| self.genders.get(&token.to_lowercase()).copied())
    }

    pub fn predict(&self, aligned: &Aligned<'_>) -> Verdict {
        let words = words(aligned);
        let seen: Vec<Prediction> = words
            .iter()
            .map(|word| self.gender(word.text).unwrap_or(Prediction::Neutral))
            .collect();
        match Prediction::most_frequent(&seen) {
            Some(prediction) => {
                predicted(prediction, "dictionary", words.iter().map(|word| word.span))
            }
            None => predicted(Prediction::Unknown, "not-aligned", []),
        }
    }

    pub fn unknown(&self, aligned: &Aligned<'_>) -> Vec<String> {
        let unknown = words(aligned).into_iter();
        unknown
            .filter(|word| self.gender(word.text).is_none())
            .map(|word| word.text.to_owned())
            .collect()
    }
}

fn words<'a>(aligned: &Aligned<'a>) -> Vec<Token<'a>> {
    let words = aligned.words.iter();
    words
        .flat_map(|word| within(word.text, word.span, tokens))
        .collect()
}

/// Runs of letters, digits, underscores and hyphens; every other character by itself.
fn tokens(text: &str) -> Vec<&str> {
    let in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut tokens = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        if in_word(c) {
            start.get_or_insert(at);
            continue;
        }
        tokens.extend(start.take().map(|start| &text[start..at]));
        if !c.is_whitespace() {
            tokens.push(&text[at..at + c.len_utf8()]);
        }
    }
    tokens.extend(start.map(|start| &text[start..]));
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_hyphens() {
        assert_eq!(tokens("кто-то, врач!"), ["кто-то", ",", "врач", "!"]);
    }
}
