//! Text to token ids, as the checkpoint's tokenizer does it.
//!
//! Templates, special tokens, casing and the marks of spaces are in `tokenizer.json`, overruled by
//! `tokenizer_config.json` ([`settings`]); nothing is normalised here. What is decided here: the mask
//! token, and which token stands for a word that follows a prompt. Older checkpoints have other files ([`old`]).

mod added;
mod classes;
mod growth;
mod japanese;
mod library;
mod longest;
mod mecab;
mod moses;
mod old;
mod settings;

use std::path::Path;
use std::sync::Arc;

use epicene_io::limits::{ENCODING, GROWN_TEXT};
use epicene_io::quote::shown;
use serde_json::Value;
use tokenizers::Tokenizer;

pub(crate) use added::is_read as says_tokens;
pub(crate) use added::{LISTED, Sources as AddedSources, Stated, agree_on_list, merged};
pub(crate) use classes::is_parameter;
use epicene_checkpoint::{CheckpointError, Config, OLD_TOKENIZER_FILES, read_file};
use japanese::Words;
pub(crate) use library::{guarded, library_tokenizer, variant};
use library::{measured_tokenizer, within};
use moses::Pieces;
pub(crate) use old::{OldFiles, tokenizer_json};
pub(crate) use settings::{probe, probe_with};

const SPECIAL: &str = "special_tokens_map.json";

#[derive(Debug)]
pub struct TextTokenizer {
    inner: Arc<Tokenizer>,
    /// How much longer a text may become before it is split.
    growth: f64,
    mask: Option<u32>,
    /// What stands for text the vocabulary has no token for.
    unknown: Option<u32>,
    /// Where texts are split by more than the library knows.
    front: Option<Front>,
}

/// What stands in front of the library.
#[derive(Debug)]
enum Front {
    /// Words by a dictionary, which the library splits further.
    Words(Words),
    /// All the pieces.
    Pieces(Box<Pieces>),
}

/// What a user says about texts, beside the files.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// The directory of MeCab's dictionary that splits Japanese words.
    pub dictionary: Option<&'a Path>,
    /// The language of the texts of an XLM.
    pub language: Option<&'a str>,
}

/// What a word becomes after a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WordToken {
    One(u32),
    /// The pieces it is split into.
    Split(Vec<String>),
}

impl TextTokenizer {
    /// Files that one is made of where there is no `tokenizer.json`.
    pub const OLDER_FILES: &[&str] = OLD_TOKENIZER_FILES;

    /// The tokenizer of a directory: `tokenizer.json`, or what older files amount to ([`old`]).
    pub fn open(
        directory: &Path,
        config: &Config,
        ignored: &[String],
    ) -> Result<TextTokenizer, CheckpointError> {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let (dictionary, language) = (set(japanese::VARIABLE), set(moses::VARIABLE));
        let language = language.map(|language| language.to_string_lossy().into_owned());
        let surroundings = Surroundings {
            dictionary: dictionary.as_deref().map(Path::new),
            language: language.as_deref(),
        };
        TextTokenizer::open_with(directory, config, ignored, surroundings)
    }

    /// As `open`, with settings that otherwise come from the environment.
    pub fn open_with(
        directory: &Path,
        config: &Config,
        ignored: &[String],
        surroundings: Surroundings<'_>,
    ) -> Result<TextTokenizer, CheckpointError> {
        let read = |name: &str| read_file(directory, name);
        let text = |name: &str| -> Result<Option<String>, CheckpointError> {
            let bytes = read(name)?;
            Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
        };
        let settings = text(settings::FILE)?;
        let special = text(SPECIAL)?;
        let parse = |file, text: &Option<String>| -> Result<Config, CheckpointError> {
            let parsed = Config::parse_file(file, text.as_deref().unwrap_or("{}"))?;
            Ok(parsed.remarking(config).ignoring(ignored))
        };
        let files = OldFiles {
            read: &read,
            settings: &parse(settings::FILE, &settings)?,
            special: &parse(SPECIAL, &special)?,
            config,
        };
        let missing = || CheckpointError::Missing {
            directory: directory.display().to_string(),
            wanted: old::wanted(&files),
        };
        if files.class() == Some(japanese::CLASS) {
            let (tokenizer, words) = japanese::open(&files, surroundings.dictionary)?;
            let parsed = TextTokenizer::assemble(&tokenizer, None, &files, None)?;
            return Ok(TextTokenizer {
                front: Some(Front::Words(words)),
                ..parsed
            });
        }
        if moses::is_meant(&files)? {
            let opened = moses::open(&files, surroundings.language)?;
            let (tokenizer, pieces) = opened.ok_or_else(missing)?;
            let parsed = TextTokenizer::assemble(&tokenizer, None, &files, None)?;
            return Ok(TextTokenizer {
                mask: pieces.mask(),
                unknown: Some(pieces.unknown()),
                front: Some(Front::Pieces(Box::new(pieces))),
                ..parsed
            });
        }
        match read("tokenizer.json")? {
            Some(tokenizer) => {
                let listed = text(LISTED)?;
                let listed = Config::parse_file(LISTED, listed.as_deref().unwrap_or("{}"))?;
                TextTokenizer::assemble(&tokenizer, Some(files.settings), &files, Some(&listed))
            }
            None => {
                let tokenizer = tokenizer_json(&files)?;
                let tokenizer =
                    tokenizer.ok_or_else(|| old::not_read(&files).unwrap_or_else(missing))?;
                TextTokenizer::assemble(&tokenizer, Some(files.settings), &files, None)
            }
        }
    }

    /// `settings` is `tokenizer_config.json`, `special` is `special_tokens_map.json`, `config` the model's
    /// configuration; settings named in `ignored` are left out.
    pub fn parse(
        tokenizer: &[u8],
        settings: Option<&str>,
        special: Option<&str>,
        config: &Config,
        ignored: &[String],
    ) -> Result<TextTokenizer, CheckpointError> {
        let read = |file, text: Option<&str>| -> Result<Config, CheckpointError> {
            let settings = Config::parse_file(file, text.unwrap_or("{}"))?;
            Ok(settings.remarking(config).ignoring(ignored))
        };
        let settings = read(settings::FILE, settings)?;
        let files = OldFiles {
            read: &|_| Ok(None),
            settings: &settings,
            special: &read(SPECIAL, special)?,
            config,
        };
        let listed = Config::parse_file(LISTED, "{}")?;
        TextTokenizer::assemble(tokenizer, Some(&settings), &files, Some(&listed))
    }

    /// A tokenizer with its settings, where they are to be followed, and the tokens that other files add, where it is not made of
    /// these files already.
    fn assemble(
        tokenizer: &[u8],
        settings: Option<&Config>,
        files: &OldFiles<'_>,
        listed: Option<&Config>,
    ) -> Result<TextTokenizer, CheckpointError> {
        let config = files.config;
        let (mut inner, growth) = measured_tokenizer(tokenizer)?;
        let empty = Config::parse_file(settings::FILE, "{}")?;
        let settings = settings.unwrap_or(&empty);
        let tokens = merged(settings, files.special);
        let named = |field: &str| tokens.get(field).and_then(content);
        if listed.is_some() {
            agree_on_list(files.special, &tokens, listed, config.writer(), config)?;
        }
        settings::apply(&mut inner, settings, config, &tokens, listed)?;
        let known = ["[MASK]", "<mask>", "<special1>"];
        let mask = match (named("mask_token"), config.model_type()) {
            // Blanks are sentinels there.
            (_, Some("t5" | "mt5")) => inner.token_to_id(&sentinel(0)),
            (Some(mask), _) => inner.token_to_id(mask),
            (None, _) => known.iter().find_map(|mask| inner.token_to_id(mask)),
        };
        let known = ["[UNK]", "<unk>"];
        let unknown = match named("unk_token") {
            Some(unknown) => inner.token_to_id(unknown),
            None => known.iter().find_map(|unknown| inner.token_to_id(unknown)),
        };
        Ok(TextTokenizer {
            inner: Arc::new(inner),
            growth,
            mask,
            unknown,
            front: None,
        })
    }

    /// One that was not read from `tokenizer.json`; its own template puts special tokens around a
    /// text.
    pub fn from_tokenizer(inner: Tokenizer) -> TextTokenizer {
        TextTokenizer {
            inner: Arc::new(inner),
            growth: 1.0,
            mask: None,
            unknown: None,
            front: None,
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

    /// A token as the vocabulary spells it.
    pub fn spelling(&self, id: u32) -> String {
        self.inner.id_to_token(id).unwrap_or_else(|| id.to_string())
    }

    pub fn unknown(&self) -> Option<u32> {
        self.unknown
    }

    /// The tokens of a text by itself, without special ones.
    pub fn parts(&self, text: &str) -> Result<Vec<u32>, CheckpointError> {
        Ok(self.encode_with(text, false)?.get_ids().to_vec())
    }

    /// The token that is spelled like this.
    pub fn id_of(&self, spelling: &str) -> Option<u32> {
        self.inner.token_to_id(spelling)
    }

    /// One token as the text it adds to what stands before it; nothing for a part of a character.
    pub fn shown(&self, id: u32) -> Result<String, CheckpointError> {
        self.decode_with(&[id], true)
    }

    /// Tokens as text, special ones left out.
    pub fn decode_plain(&self, ids: &[u32]) -> Result<String, CheckpointError> {
        self.decode_with(ids, true)
    }

    /// Tokens as text, special ones included.
    pub fn decode(&self, ids: &[u32]) -> Result<String, CheckpointError> {
        self.decode_with(ids, false)
    }

    fn decode_with(&self, ids: &[u32], plain: bool) -> Result<String, CheckpointError> {
        // Some decoders do not take an empty list.
        if ids.is_empty() {
            return Ok(String::new());
        }
        guarded(|| self.inner.decode(ids, plain)).map_err(|problem| CheckpointError::Tokenizer {
            file: "tokenizer.json".to_owned(),
            problem: format!("`{}`: {problem}", shown(&format!("{ids:?}"))),
        })
    }

    /// Ids with the special tokens the checkpoint puts around a text.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, CheckpointError> {
        Ok(self.encode_with(text, true)?.get_ids().to_vec())
    }

    fn encode_with(
        &self,
        text: &str,
        special: bool,
    ) -> Result<tokenizers::Encoding, CheckpointError> {
        let encoded = match &self.front {
            None if self.growth * text.len() as f64 > GROWN_TEXT => {
                let (inner, text) = (self.inner.clone(), text.to_owned());
                within(ENCODING, move || inner.encode_fast(text, special))
            }
            None => guarded(|| self.inner.encode_fast(text, special)),
            Some(Front::Pieces(pieces)) => {
                guarded(|| (self.inner).post_process(pieces.encoding(text), None, special))
            }
            Some(Front::Words(words)) => {
                let words: Vec<String> = words.of(text).into_iter().map(|(word, _)| word).collect();
                guarded(|| self.inner.encode_fast(words, special))
            }
        };
        encoded.map_err(|problem| about(text, &problem))
    }

    /// The tokens of a text with special ones, and where each stands in it.
    fn placed(
        &self,
        text: &str,
    ) -> Result<(tokenizers::Encoding, Vec<(usize, usize)>), CheckpointError> {
        let Some(Front::Words(words)) = &self.front else {
            let encoded = match &self.front {
                Some(_) => self.encode_with(text, true)?,
                None => {
                    let encoded = if self.growth * text.len() as f64 > GROWN_TEXT {
                        let (inner, text) = (self.inner.clone(), text.to_owned());
                        within(ENCODING, move || inner.encode(text, true))
                    } else {
                        guarded(|| self.inner.encode(text, true))
                    };
                    encoded.map_err(|problem| about(text, &problem))?
                }
            };
            let places = encoded.get_offsets().to_vec();
            return Ok((encoded, places));
        };
        let (words, places): (Vec<String>, Vec<_>) = words.of(text).into_iter().unzip();
        let encoded = guarded(|| self.inner.encode(words, true));
        let encoded = encoded.map_err(|problem| about(text, &problem))?;
        let word_ids = encoded.get_word_ids().to_vec();
        // A piece stands where its word does; a word is never split by a blank.
        let places = word_ids.iter().map(|word| match word {
            Some(word) => (places[*word as usize].start, places[*word as usize].end),
            None => (0, 0),
        });
        let places = places.collect();
        Ok((encoded, places))
    }

    /// For the tokens of a text that are no special ones: place among all tokens, and the word of
    /// `words` (joined by single spaces they are the text) in which the token ends.
    pub fn words_of(
        &self,
        text: &str,
        words: &[String],
    ) -> Result<Vec<(usize, usize)>, CheckpointError> {
        let (encoded, offsets) = self.placed(text)?;
        let mut ends = Vec::with_capacity(words.len());
        let mut end = 0;
        for word in words {
            end += word.len();
            ends.push(end);
            end += 1;
        }
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
                found.push((token, word));
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

    /// Model of the tokenizer, for the record.
    pub fn variant(&self) -> &'static str {
        variant(&self.inner)
    }
}

fn about(text: &str, problem: &str) -> CheckpointError {
    CheckpointError::Tokenizer {
        file: "tokenizer.json".to_owned(),
        problem: format!("`{}`: {problem}", shown(text)),
    }
}

/// A special token is a string or an object with its `content`.
pub(crate) fn content(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.get("content")?.as_str())
}

/// The name of T5's sentinel of this number: the token that stands for a blank.
pub fn sentinel(number: usize) -> String {
    format!("<extra_id_{number}>")
}
