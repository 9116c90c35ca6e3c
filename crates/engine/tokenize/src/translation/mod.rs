//! Text to the encoder's tokens and back, for a pair of languages.
//!
//! Pieces come from `tokenizer.json` or from SentencePiece models with a vocabulary beside them; how a language is
//! asked for is another matter ([`scheme`]).

#[cfg(test)]
mod bytes_judged;
mod files;
mod found;
#[cfg(test)]
mod judged;
mod rebuilt;
mod scheme;
mod settings;
mod spm;

pub use files::Files;
pub use scheme::{Request, Scheme};

use tokenizers::Tokenizer;

use epicene_io::quote::shown;

use crate::text::guarded;
use epicene_checkpoint::CheckpointError;
use found::is_blank;
use rebuilt::Blanks;
use spm::SpmVocabulary;

/// Where pieces come from.
#[derive(Debug)]
pub enum Pieces {
    Json(Box<Tokenizer>),
    Spm(Box<SpmVocabulary>),
}

#[derive(Debug)]
pub struct TranslationTokenizer {
    pub pieces: Pieces,
    pub scheme: Scheme,
    /// Ends every source sentence.
    pub end: u32,
    /// Where versions of `transformers` differ on blanks.
    pub blanks: Option<Blanks>,
    /// Spaces before punctuation are taken out of translations.
    pub clean_up: bool,
}

/// A sentence ready for the encoder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    pub ids: Vec<u32>,
    /// Whether tokens had to be left out.
    pub cut: bool,
    /// Whether versions 4 and 5 of `transformers` read blanks at its end, or beside special tokens, differently.
    pub blanks_in_doubt: bool,
}

impl TranslationTokenizer {
    /// Token ids of a sentence in the language of `request`, at most `longest`: where there are more, the last ones
    /// of the text are left out.
    pub fn encode(
        &self,
        text: &str,
        request: &Request,
        longest: usize,
    ) -> Result<Encoded, CheckpointError> {
        let whole = format!("{}{text}", request.text_before);
        let (mut inner, blanks_in_doubt) = match &self.pieces {
            Pieces::Json(tokenizer) => {
                let bad = |error: String| CheckpointError::Tokenizer {
                    file: "tokenizer.json".to_owned(),
                    problem: format!("`{}`: {error}", shown(text)),
                };
                let encoded = guarded(|| tokenizer.encode_fast(whole.as_str(), false));
                let blanks = self.blanks.as_ref();
                let blanks = blanks.map(|blanks| blanks.are_in_doubt(&whole, tokenizer));
                let blanks = blanks.transpose().map_err(bad)?.unwrap_or(false);
                (encoded.map_err(bad)?.get_ids().to_vec(), blanks)
            }
            Pieces::Spm(vocabulary) => (vocabulary.encode(&whole), false),
        };
        let around = request.before.len() + request.after.len();
        let room = longest.saturating_sub(around);
        let cut = inner.len() > room;
        inner.truncate(room);
        let mut ids = Vec::with_capacity(inner.len() + around);
        ids.extend(&request.before);
        ids.append(&mut inner);
        ids.extend(&request.after);
        Ok(Encoded {
            ids,
            cut,
            blanks_in_doubt,
        })
    }

    /// The text that ids spell, without special tokens, languages and blanks around it.
    pub fn decode(&self, ids: &[u32]) -> Result<String, CheckpointError> {
        let ids = ids.iter().filter(|id| !self.scheme.is_language(**id));
        let plain: Vec<u32> = ids.copied().collect();
        let text = match &self.pieces {
            // Some decoders do not take an empty list.
            Pieces::Json(_) if plain.is_empty() => String::new(),
            Pieces::Json(tokenizer) => {
                let decoded = guarded(|| tokenizer.decode(&plain, true));
                decoded.map_err(|problem| CheckpointError::Tokenizer {
                    file: "tokenizer.json".to_owned(),
                    problem,
                })?
            }
            Pieces::Spm(vocabulary) => vocabulary.decode(&plain),
        };
        let text = if self.clean_up { clean_up(&text) } else { text };
        Ok(text.trim_matches(is_blank).to_owned())
    }

    /// A token as the vocabulary spells it.
    pub fn spelling(&self, id: u32) -> String {
        let spelling = match &self.pieces {
            Pieces::Json(tokenizer) => tokenizer.id_to_token(id),
            Pieces::Spm(vocabulary) => vocabulary.spelling(id),
        };
        spelling.unwrap_or_else(|| id.to_string())
    }

    /// Tokens it can give out.
    pub fn size(&self) -> usize {
        let inner = match &self.pieces {
            Pieces::Json(tokenizer) => tokenizer.get_vocab_size(true),
            Pieces::Spm(vocabulary) => vocabulary.source_size(),
        };
        inner.max(self.scheme.highest().map_or(0, |id| id as usize + 1))
    }

    /// Tokens it can read back.
    pub fn target_size(&self) -> usize {
        match &self.pieces {
            Pieces::Json(_) => self.size(),
            Pieces::Spm(vocabulary) => vocabulary.target_size(),
        }
    }

    /// The file that `size` is about, for messages.
    pub fn file(&self) -> &'static str {
        match &self.pieces {
            Pieces::Json(_) => "tokenizer.json",
            Pieces::Spm(_) => "vocab.json",
        }
    }

    /// Model of the pieces, for the record.
    pub fn variant(&self) -> &'static str {
        self.pieces.variant()
    }
}

impl Pieces {
    fn id(&self, piece: &str) -> Option<u32> {
        match self {
            Pieces::Json(tokenizer) => tokenizer.token_to_id(piece),
            Pieces::Spm(vocabulary) => vocabulary.id(piece),
        }
    }

    /// The number of a piece in translations.
    #[cfg(test)]
    fn target_id(&self, piece: &str) -> Option<u32> {
        match self {
            Pieces::Spm(vocabulary) => vocabulary.target_id(piece),
            Pieces::Json(_) => self.id(piece),
        }
    }

    fn variant(&self) -> &'static str {
        match self {
            Pieces::Spm(vocabulary) => vocabulary.variant(),
            Pieces::Json(tokenizer) => crate::text::variant(tokenizer),
        }
    }
}

/// What `clean_up_tokenization_spaces` in `tokenizer_config.json` asks for.
fn clean_up(text: &str) -> String {
    const PAIRS: [(&str, &str); 10] = [
        (" .", "."),
        (" ?", "?"),
        (" !", "!"),
        (" ,", ","),
        (" ' ", "'"),
        (" n't", "n't"),
        (" 'm", "'m"),
        (" 's", "'s"),
        (" 've", "'ve"),
        (" 're", "'re"),
    ];
    PAIRS
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}
