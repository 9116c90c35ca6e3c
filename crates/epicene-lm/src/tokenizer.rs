//! Text to token ids, as the checkpoint's tokenizer does it.
//!
//! Templates, special tokens, casing and the marks of spaces are all in `tokenizer.json`; nothing
//! is normalised here. What is decided here: the mask token, and which token stands for a word that
//! follows a prompt.

use epicene_io::guard;
use epicene_io::quote::shown;
use serde_json::Value;
use tokenizers::Tokenizer;

use crate::checkpoint::CheckpointError;

#[derive(Debug)]
pub struct TextTokenizer {
    inner: Tokenizer,
    mask: Option<u32>,
    /// What stands for text the vocabulary has no token for.
    unknown: Option<u32>,
    /// Put in front where `tokenizer.json`'s own template does not.
    first: Option<u32>,
}

/// What a word becomes after a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WordToken {
    One(u32),
    /// The pieces it is split into.
    Split(Vec<String>),
}

impl TextTokenizer {
    /// `settings` is `tokenizer_config.json`, `special` is `special_tokens_map.json`.
    pub fn parse(
        tokenizer: &[u8],
        settings: Option<&str>,
        special: Option<&str>,
    ) -> Result<TextTokenizer, CheckpointError> {
        let bad = |problem: String| CheckpointError::Tokenizer {
            file: "tokenizer.json".to_owned(),
            problem,
        };
        // The library panics on some files that are not what they should be.
        let mut inner = guarded(|| Tokenizer::from_bytes(tokenizer)).map_err(bad)?;
        inner.with_padding(None);
        inner
            .with_truncation(None)
            .map_err(|error| bad(error.to_string()))?;
        let settings = [
            ("tokenizer_config.json", settings),
            ("special_tokens_map.json", special),
        ]
        .into_iter()
        .filter_map(|(file, text)| Some((file, text?)))
        .map(|(file, text)| {
            serde_json::from_str(text).map_err(|error| CheckpointError::Tokenizer {
                file: file.to_owned(),
                problem: error.to_string(),
            })
        })
        .collect::<Result<Vec<Value>, _>>()?;
        let named = |field: &str| {
            settings
                .iter()
                .find_map(|settings| content(settings.get(field)?))
        };
        let known = ["[MASK]", "<mask>", "<special1>"];
        let mask = match named("mask_token") {
            Some(mask) => inner.token_to_id(mask),
            None => known.iter().find_map(|mask| inner.token_to_id(mask)),
        };
        let known = ["[UNK]", "<unk>"];
        let unknown = match named("unk_token") {
            Some(unknown) => inner.token_to_id(unknown),
            None => known.iter().find_map(|unknown| inner.token_to_id(unknown)),
        };
        let wants_first = settings
            .iter()
            .find_map(|settings| settings.get("add_bos_token")?.as_bool())
            .unwrap_or(false);
        let mut first = None;
        if wants_first
            && let Some(id) = named("bos_token").and_then(|token| inner.token_to_id(token))
        {
            let encoded = guarded(|| inner.encode_fast("a", true)).map_err(bad)?;
            first = (encoded.get_ids().first() != Some(&id)).then_some(id);
        }
        Ok(TextTokenizer {
            inner,
            mask,
            unknown,
            first,
        })
    }

    /// One that was not read from `tokenizer.json`; its own template puts special tokens around a
    /// text.
    pub fn from_tokenizer(inner: Tokenizer) -> TextTokenizer {
        TextTokenizer {
            inner,
            mask: None,
            unknown: None,
            first: None,
        }
    }

    /// Tokens it can give out.
    pub fn size(&self) -> usize {
        self.inner.get_vocab_size(true)
    }

    pub fn mask(&self) -> Option<u32> {
        self.mask
    }

    /// The mask token as it is written in a text.
    pub fn mask_text(&self) -> Option<String> {
        self.inner.id_to_token(self.mask?)
    }

    pub fn unknown(&self) -> Option<u32> {
        self.unknown
    }

    /// The tokens of a text by itself, without special ones.
    pub fn parts(&self, text: &str) -> Result<Vec<u32>, CheckpointError> {
        Ok(self.encode_with(text, false)?.get_ids().to_vec())
    }

    /// Tokens as text, special ones included.
    pub fn decode(&self, ids: &[u32]) -> Result<String, CheckpointError> {
        // Some decoders do not take an empty list.
        if ids.is_empty() {
            return Ok(String::new());
        }
        guarded(|| self.inner.decode(ids, false)).map_err(|problem| CheckpointError::Tokenizer {
            file: "tokenizer.json".to_owned(),
            problem: format!("`{}`: {problem}", shown(&format!("{ids:?}"))),
        })
    }

    /// Ids with the special tokens the checkpoint puts around a text.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, CheckpointError> {
        let encoded = self.encode_with(text, true)?;
        let mut ids = Vec::with_capacity(encoded.get_ids().len() + 1);
        ids.extend(self.first);
        ids.extend_from_slice(encoded.get_ids());
        Ok(ids)
    }

    fn encode_with(
        &self,
        text: &str,
        special: bool,
    ) -> Result<tokenizers::Encoding, CheckpointError> {
        guarded(|| self.inner.encode_fast(text, special)).map_err(|problem| about(text, &problem))
    }

    /// For the tokens of a text that are no special ones: place among all tokens, and the word of
    /// `words` (joined by single spaces they are the text) in which the token ends.
    pub fn words_of(
        &self,
        text: &str,
        words: &[String],
    ) -> Result<Vec<(usize, usize)>, CheckpointError> {
        let encoded =
            guarded(|| self.inner.encode(text, true)).map_err(|problem| about(text, &problem))?;
        let mut ends = Vec::with_capacity(words.len());
        let mut end = 0;
        for word in words {
            end += word.len();
            ends.push(end);
            end += 1;
        }
        let shift = usize::from(self.first.is_some());
        let offsets = encoded.get_offsets();
        let mut found = Vec::with_capacity(offsets.len());
        for (token, special) in encoded.get_special_tokens_mask().iter().enumerate() {
            let (start, end) = offsets[token];
            // Marks of spaces alone stand for no word.
            let is_blank = text
                .get(start..end)
                .is_none_or(|part| part.trim().is_empty());
            if *special == 1 || is_blank {
                continue;
            }
            let word = ends.partition_point(|word_end| *word_end < end);
            if word < words.len() {
                found.push((token + shift, word));
            }
        }
        Ok(found)
    }

    /// How many special tokens stand before and after a text.
    pub fn frame(&self) -> Result<(usize, usize), CheckpointError> {
        let inside = self.encode_with("a", false)?.get_ids().len();
        let all = self.encode("a")?;
        let plain = self.encode_with("a", false)?;
        let before = (0..=all.len().saturating_sub(inside))
            .find(|start| all[*start..].starts_with(plain.get_ids()))
            .unwrap_or(0);
        Ok((before, all.len() - before - inside))
    }

    /// The token of a word as the continuation of a text (GEST, section 2.3): space-marked where
    /// the vocabulary marks spaces.
    pub fn word(&self, word: &str) -> Result<WordToken, CheckpointError> {
        let spaced = self.encode_with(&format!(" {word}"), false)?;
        if let [id] = spaced.get_ids() {
            return Ok(WordToken::One(*id));
        }
        // SentencePiece tokenizers that put a mark in front of every text see two spaces above.
        let plain = self.encode_with(word, false)?;
        match plain.get_ids() {
            [id] => Ok(WordToken::One(*id)),
            _ => Ok(WordToken::Split(plain.get_tokens().to_vec())),
        }
    }

    /// Model and template of the tokenizer, for the record.
    pub fn variant(&self) -> &'static str {
        use tokenizers::models::ModelWrapper;
        match self.inner.get_model() {
            ModelWrapper::BPE(_) => "bpe",
            ModelWrapper::WordPiece(_) => "wordpiece",
            ModelWrapper::WordLevel(_) => "wordlevel",
            ModelWrapper::Unigram(_) => "unigram",
        }
    }
}

fn about(text: &str, problem: &str) -> CheckpointError {
    CheckpointError::Tokenizer {
        file: "tokenizer.json".to_owned(),
        problem: format!("`{}`: {problem}", shown(text)),
    }
}

/// Calls the library, which may fail or panic.
fn guarded<T>(work: impl FnOnce() -> tokenizers::Result<T>) -> Result<T, String> {
    guard::catch(work)?.map_err(|error| error.to_string())
}

/// A special token is a string or an object with its `content`.
fn content(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.get("content")?.as_str())
}
