//! Tokens that the classes of Marian and M2M-100 find in a text before SentencePiece sees the rest: special ones, and those that files
//! beside the vocabulary add. Versions 4 and 5 of `transformers` agree on what is found, save for tokens stated as objects.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tokenizers::AddedToken;

use crate::text::{AddedSources, LISTED, Stated};
use epicene_checkpoint::{CheckpointError, Writer};

/// By their texts, with their numbers.
#[derive(Debug, PartialEq)]
pub struct FoundFirst {
    tokens: BTreeMap<String, (u32, AddedToken)>,
    by_id: BTreeMap<u32, String>,
    /// Texts of those that are no text of a translation.
    special: BTreeSet<String>,
    special_ids: BTreeSet<u32>,
}

/// A segment of a text: an added token, or what is between them.
#[derive(Debug, PartialEq)]
pub enum Segment {
    Token(u32),
    Text(String),
}

/// What Python takes for a blank.
pub fn is_blank(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

impl FoundFirst {
    /// As a version finds them. Tokens that neither the files nor the vocabulary number get the next numbers.
    pub fn of(
        sources: &AddedSources<'_>,
        vocabulary: &HashMap<String, u32>,
        writer: Writer,
    ) -> Result<FoundFirst, CheckpointError> {
        let specials = sources.specials(writer)?;
        let texts: BTreeSet<&str> = specials.iter().map(|s| s.token.content.as_str()).collect();
        let numbered = sources.numbered(&BTreeMap::new(), &texts)?;
        let mut tokens: BTreeMap<String, (u32, AddedToken)> = numbered
            .into_iter()
            .map(|(id, token)| (token.content.clone(), (id, token)))
            .collect();
        let new = tokens.keys().filter(|text| !vocabulary.contains_key(*text));
        let mut next = (vocabulary.len() + new.count()) as u32;
        let mut seen = BTreeSet::new();
        for Stated {
            token,
            whole,
            further,
        } in &specials
        {
            let text = &token.content;
            let is_there = tokens.contains_key(text);
            let overrules = *whole && *further && writer == Writer::Four;
            if text.is_empty() || !seen.insert(text) || (is_there && !overrules) {
                continue;
            }
            let known = tokens.get(text).map(|(id, _)| *id);
            let id = known.or_else(|| vocabulary.get(text).copied());
            let id = id.unwrap_or_else(|| {
                next += 1;
                next - 1
            });
            // Version 5 knows its special tokens by their texts alone.
            let token = match writer {
                Writer::Four => token.clone(),
                Writer::Five => AddedToken::from(text.as_str(), true),
            };
            tokens.insert(text.clone(), (id, token));
        }
        let mut by_id: BTreeMap<u32, String> = BTreeMap::new();
        for (text, (id, _)) in &tokens {
            if let Some(other) = by_id.insert(*id, text.clone()) {
                return Err(CheckpointError::Tokenizer {
                    file: LISTED.to_owned(),
                    problem: format!("`{other}` and `{text}` share the number {id}"),
                });
            }
        }
        let special: BTreeSet<String> = texts.into_iter().map(str::to_owned).collect();
        let special_ids = special.iter().filter_map(|text| tokens.get(text));
        Ok(FoundFirst {
            special_ids: special_ids.map(|(id, _)| *id).collect(),
            by_id,
            special,
            tokens,
        })
    }

    pub fn id(&self, text: &str) -> Option<u32> {
        self.tokens.get(text).map(|(id, _)| *id)
    }

    pub fn text(&self, id: u32) -> Option<&str> {
        self.by_id.get(&id).map(String::as_str)
    }

    pub fn highest(&self) -> Option<u32> {
        self.by_id.keys().next_back().copied()
    }

    pub fn is_special(&self, text: &str) -> bool {
        self.special.contains(text)
    }

    pub fn is_special_id(&self, id: u32) -> bool {
        self.special_ids.contains(&id)
    }

    /// Whether there is one that is text.
    pub fn has_plain(&self) -> bool {
        self.tokens.keys().any(|text| !self.is_special(text))
    }

    /// The longest token that a text begins with.
    fn beginning(&self, text: &str) -> Option<&str> {
        let first = text.chars().next()?.to_string();
        let from = self.tokens.range(first.clone()..);
        let alike = from.take_while(|(token, _)| token.starts_with(&first));
        let fitting = alike.filter(|(token, _)| text.starts_with(token.as_str()));
        let longest = fitting.max_by_key(|(token, _)| token.len());
        longest.map(|(token, _)| token.as_str())
    }

    /// Cuts a text at its tokens, the leftmost and longest first, and sees to the blanks around them.
    pub fn split(&self, text: &str) -> Vec<Segment> {
        let mut parts: Vec<String> = Vec::new();
        let (mut begin, mut at) = (0, 0);
        while let Some(character) = text[at..].chars().next() {
            let Some(token) = self.beginning(&text[at..]) else {
                at += character.len_utf8();
                continue;
            };
            if at > begin {
                parts.push(text[begin..at].to_owned());
            }
            parts.push(token.to_owned());
            at += token.len();
            begin = at;
        }
        if at > begin {
            parts.push(text[begin..].to_owned());
        }
        for place in 0..parts.len() {
            let Some((_, token)) = self.tokens.get(&parts[place]) else {
                continue;
            };
            let left = match place.checked_sub(1) {
                Some(left) => parts[left].clone(),
                None => String::new(),
            };
            let right = parts.get(place + 1).cloned().unwrap_or_default();
            if token.rstrip && !right.is_empty() {
                parts[place + 1] = right.trim_start_matches(is_blank).to_owned();
            }
            if token.lstrip && !left.is_empty() {
                parts[place - 1] = left.trim_end_matches(is_blank).to_owned();
            }
            if token.single_word {
                let word = &token.content;
                if !left.is_empty() && !left.ends_with(' ') {
                    parts[place - 1].push_str(word);
                    parts[place].clear();
                } else if !right.is_empty() && !right.starts_with(' ') {
                    parts[place + 1].insert_str(0, word);
                    parts[place].clear();
                }
            }
        }
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts
            .map(|part| match self.id(&part) {
                Some(id) => Segment::Token(id),
                None => Segment::Text(part),
            })
            .collect()
    }
}
