//! Text to the encoder's tokens and back, for a pair of languages.
//!
//! Pieces come from `tokenizer.json` or from SentencePiece models with a vocabulary beside them; how a language is
//! asked for is another matter ([`scheme`]).

mod files;
mod scheme;
mod settings;
mod spm;

pub use files::Files;
pub use scheme::{Request, Scheme};

use tokenizers::Tokenizer;

use crate::checkpoint::CheckpointError;
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
    /// Spaces before punctuation are taken out of translations.
    pub clean_up: bool,
}

/// A sentence ready for the encoder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    pub ids: Vec<u32>,
    /// Whether tokens had to be left out.
    pub cut: bool,
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
        let mut inner = match &self.pieces {
            Pieces::Json(tokenizer) => {
                let whole = format!("{}{text}", request.text_before);
                let encoded = tokenizer.encode_fast(whole.as_str(), false);
                let encoded = encoded.map_err(|error| CheckpointError::Tokenizer {
                    file: "tokenizer.json".to_owned(),
                    problem: format!("`{text}`: {error}"),
                })?;
                encoded.get_ids().to_vec()
            }
            Pieces::Spm(vocabulary) => vocabulary.encode(text),
        };
        let around = request.before.len() + request.after.len();
        let room = longest.saturating_sub(around);
        let cut = inner.len() > room;
        inner.truncate(room);
        let mut ids = Vec::with_capacity(inner.len() + around);
        ids.extend(&request.before);
        ids.append(&mut inner);
        ids.extend(&request.after);
        Ok(Encoded { ids, cut })
    }

    /// The text that ids spell, without special tokens.
    pub fn decode(&self, ids: &[u32]) -> Result<String, CheckpointError> {
        let text = match &self.pieces {
            Pieces::Json(tokenizer) => {
                let plain: Vec<u32> = ids
                    .iter()
                    .filter(|id| !self.scheme.is_language(**id))
                    .copied()
                    .collect();
                let decoded = tokenizer.decode(&plain, true);
                decoded.map_err(|error| CheckpointError::Tokenizer {
                    file: "tokenizer.json".to_owned(),
                    problem: error.to_string(),
                })?
            }
            Pieces::Spm(vocabulary) => vocabulary.decode(ids),
        };
        let text = if self.clean_up { clean_up(&text) } else { text };
        Ok(text.trim().to_owned())
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
        use tokenizers::models::ModelWrapper;
        match &self.pieces {
            Pieces::Spm(vocabulary) => vocabulary.variant(),
            Pieces::Json(tokenizer) => match tokenizer.get_model() {
                ModelWrapper::BPE(_) => "bpe",
                ModelWrapper::WordPiece(_) => "wordpiece",
                ModelWrapper::WordLevel(_) => "wordlevel",
                ModelWrapper::Unigram(_) => "unigram",
            },
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
