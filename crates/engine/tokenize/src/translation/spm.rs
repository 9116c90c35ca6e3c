//! Pieces of SentencePiece models, numbered by a vocabulary of its own (Marian, M2M-100).

use std::collections::HashMap;

use super::found::{FoundFirst, Segment, is_blank};
use crate::sentencepiece::{SPACE, SentencePiece};
use epicene_checkpoint::Writer;

/// Models and vocabularies as the files hold them.
#[derive(Debug)]
pub struct Models {
    pub source: SentencePiece,
    /// Where the target has a model of its own.
    pub target: Option<SentencePiece>,
    pub source_ids: HashMap<String, u32>,
    /// Where the target has a vocabulary of its own.
    pub target_ids: Option<HashMap<String, u32>>,
    /// Marian's: `>>deu<<` in front of a text is one token.
    pub code_in_front: bool,
}

impl Models {
    /// The model that spells a translation: in version 5 the source's, where the languages share a vocabulary.
    pub fn spelling(&self, writer: Writer) -> &SentencePiece {
        match (&self.target, writer) {
            (Some(_), Writer::Five) if self.target_ids.is_none() => &self.source,
            (target, _) => target.as_ref().unwrap_or(&self.source),
        }
    }
}

#[derive(Debug)]
pub struct SpmVocabulary {
    models: Models,
    found: FoundFirst,
    unknown: (String, u32),
    /// The piece of each target id.
    target_pieces: Vec<Option<String>>,
    writer: Writer,
}

impl SpmVocabulary {
    /// `None` if the vocabulary has no token `unknown`.
    pub fn new(
        models: Models,
        found: FoundFirst,
        unknown: &str,
        writer: Writer,
    ) -> Option<SpmVocabulary> {
        let number = *models.source_ids.get(unknown)?;
        let ids = models.target_ids.as_ref().unwrap_or(&models.source_ids);
        let highest = ids.values().max().copied().unwrap_or(0);
        let mut target_pieces = vec![None; highest as usize + 1];
        let mut sorted: Vec<(&String, &u32)> = ids.iter().collect();
        sorted.sort();
        for (piece, id) in sorted {
            target_pieces[*id as usize] = Some(piece.clone());
        }
        Some(SpmVocabulary {
            unknown: (unknown.to_owned(), number),
            models,
            found,
            target_pieces,
            writer,
        })
    }

    pub fn id(&self, piece: &str) -> Option<u32> {
        let found = self.found.id(piece);
        found.or_else(|| self.models.source_ids.get(piece).copied())
    }

    /// The number of a piece in translations.
    #[cfg(test)]
    pub fn target_id(&self, piece: &str) -> Option<u32> {
        match &self.models.target_ids {
            Some(ids) => ids.get(piece).copied(),
            None => self.id(piece),
        }
    }

    /// The token of a number that is found before pieces are.
    pub fn added(&self, id: u32) -> Option<&str> {
        self.found.text(id)
    }

    /// A token as the source's vocabulary spells it.
    pub fn spelling(&self, id: u32) -> Option<String> {
        let own = || {
            let pieces = self.pieces().into_iter();
            let mut named = pieces.filter(|(_, own)| *own == id);
            named.next().map(|(piece, _)| piece)
        };
        self.found.text(id).or_else(own).map(str::to_owned)
    }

    /// Pieces of the vocabulary, in alphabetical order.
    pub fn pieces(&self) -> Vec<(&str, u32)> {
        let ids = self.models.source_ids.iter();
        let mut all: Vec<(&str, u32)> = ids.map(|(piece, id)| (piece.as_str(), *id)).collect();
        all.sort_unstable();
        all
    }

    /// Without tokens that other files add.
    pub fn own_size(&self) -> usize {
        self.models.source_ids.len()
    }

    pub fn source_size(&self) -> usize {
        let highest = self.models.source_ids.values().max().copied();
        let highest = highest.max(self.found.highest());
        highest.map_or(0, |id| id as usize + 1)
    }

    pub fn target_size(&self) -> usize {
        self.target_pieces.len()
    }

    pub fn variant(&self) -> &'static str {
        self.models.source.variant()
    }

    pub fn encode(&self, text: &str) -> Vec<u32> {
        let id = |piece: &str| self.id(piece).unwrap_or(self.unknown.1);
        let mut ids = Vec::new();
        for part in self.found.split(text) {
            let text = match part {
                Segment::Token(id) => {
                    ids.push(id);
                    continue;
                }
                Segment::Text(text) => text,
            };
            let mut rest = text.as_str();
            if self.models.code_in_front
                && text.starts_with(">>")
                && let Some(end) = text.find("<<")
            {
                let (code, behind) = text.split_at(end + 2);
                ids.push(id(code));
                rest = behind;
            }
            let pieces = self.models.source.encode(rest);
            ids.extend(pieces.iter().map(|(piece, _)| id(piece)));
        }
        ids
    }

    /// The text of a translation, without special tokens. Version 4 puts blanks around tokens that other files add.
    pub fn decode(&self, ids: &[u32]) -> String {
        let shown = ids.iter().filter(|id| !self.found.is_special_id(**id));
        let tokens = shown.map(|id| match self.found.text(*id) {
            Some(token) => token,
            None => {
                let piece = self.target_pieces.get(*id as usize);
                piece.and_then(Option::as_deref).unwrap_or(&self.unknown.0)
            }
        });
        let mut parts: Vec<String> = Vec::new();
        let mut pieces: Vec<&str> = Vec::new();
        match self.writer {
            Writer::Four => {
                for token in tokens.filter(|token| !self.found.is_special(token)) {
                    if self.found.id(token).is_none() {
                        pieces.push(token);
                        continue;
                    }
                    parts.push(self.text_of(std::mem::take(&mut pieces)));
                    parts.push(token.to_owned());
                }
                parts.push(self.text_of(pieces));
                parts.retain(|part| !part.is_empty());
                parts.join(" ")
            }
            Writer::Five => {
                let behind = if self.models.code_in_front { " " } else { "" };
                for token in tokens {
                    if !self.found.is_special(token) {
                        pieces.push(token);
                        continue;
                    }
                    parts.push(self.spelled(std::mem::take(&mut pieces)));
                    parts.push(format!("{token}{behind}"));
                }
                parts.push(self.spelled(pieces));
                self.blanks(&parts.concat())
            }
        }
    }

    fn spelled(&self, pieces: Vec<&str>) -> String {
        self.models.spelling(self.writer).decode(pieces.into_iter())
    }

    fn blanks(&self, text: &str) -> String {
        let text = text.trim_matches(|c| is_blank(c) || (self.models.code_in_front && c == SPACE));
        if self.models.code_in_front {
            text.replace(SPACE, " ")
        } else {
            text.to_owned()
        }
    }

    fn text_of(&self, pieces: Vec<&str>) -> String {
        self.blanks(&self.spelled(pieces))
    }
}
