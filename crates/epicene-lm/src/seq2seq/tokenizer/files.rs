//! Which files make up a checkpoint's tokenizer: `tokenizer.json` where there is one, else SentencePiece models and
//! vocabularies.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde_json::Value;
use tokenizers::Tokenizer;

use super::spm::SpmVocabulary;
use super::{Pieces, Scheme, TranslationTokenizer, settings};
use crate::checkpoint::{CheckpointError, Config};
use crate::seq2seq::languages::{self, Language};
use crate::seq2seq::sentencepiece::SentencePiece;
use crate::tokenizer::{OldFiles, tokenizer_json};

/// The directory of a checkpoint, file by file.
#[derive(Debug, Clone, Copy)]
pub struct Files<'a>(pub &'a Path);

impl Files<'_> {
    pub fn has(self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    pub fn missing(self, name: &str) -> CheckpointError {
        CheckpointError::Missing {
            directory: self.0.display().to_string(),
            wanted: name.to_owned(),
        }
    }

    pub fn bytes(self, name: &str) -> Result<Vec<u8>, CheckpointError> {
        if !self.has(name) {
            return Err(self.missing(name));
        }
        std::fs::read(self.0.join(name)).map_err(|error| CheckpointError::Unreadable {
            file: name.to_owned(),
            problem: error.to_string(),
        })
    }

    /// A JSON file, if it is there.
    pub fn json(self, name: &str) -> Result<Option<Value>, CheckpointError> {
        if !self.has(name) {
            return Ok(None);
        }
        let parsed = serde_json::from_slice(&self.bytes(name)?);
        parsed.map(Some).map_err(|error| bad(name, error))
    }

    fn sentence_piece(self, name: &str) -> Result<SentencePiece, CheckpointError> {
        SentencePiece::parse(&self.bytes(name)?).map_err(|error| bad(name, error.0))
    }

    fn vocabulary(self, name: &str) -> Result<HashMap<String, u32>, CheckpointError> {
        let ids: HashMap<String, u32> =
            serde_json::from_slice(&self.bytes(name)?).map_err(|error| bad(name, error))?;
        match ids.values().max() {
            // A stray number must not make a table of billions.
            Some(highest) if (*highest as usize) < 4 * ids.len() + 1024 => Ok(ids),
            _ => Err(bad(name, "the numbers of its pieces are not consecutive")),
        }
    }
}

fn bad(file: &str, problem: impl ToString) -> CheckpointError {
    CheckpointError::Tokenizer {
        file: file.to_owned(),
        problem: problem.to_string(),
    }
}

/// A special token is a string or an object with its `content`.
fn content(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.get("content")?.as_str())
}

impl TranslationTokenizer {
    /// `name` is what the checkpoint is called, which may tell the languages of a Marian model.
    pub fn open(
        files: Files<'_>,
        config: &Config,
        name: &str,
        ignored: &[String],
    ) -> Result<TranslationTokenizer, CheckpointError> {
        let mut settings = files.json("tokenizer_config.json")?.unwrap_or_default();
        settings::check(&mut settings, config, ignored)?;
        let flag = |field: &str| {
            settings
                .get(field)
                .and_then(Value::as_bool)
                .unwrap_or(false)
        };
        let end_token = settings.get("eos_token").and_then(content);
        let end_token = end_token.unwrap_or("</s>");
        let family = config.model_type().unwrap_or_default();
        let json = files.has("tokenizer.json");
        let pieces = match family {
            "marian" if files.has("source.spm") || !json => marian(files, flag("separate_vocabs"))?,
            _ if json => Pieces::Json(Box::new(read_json(files)?)),
            "m2m_100" if files.has("vocab.json") => with_vocabulary(files)?,
            "mbart" => {
                let model = files.sentence_piece("sentencepiece.bpe.model")?;
                let vocabulary = SpmVocabulary::fairseq(model);
                let vocabulary =
                    vocabulary.ok_or_else(|| bad("sentencepiece.bpe.model", "no unknown piece"))?;
                Pieces::Spm(Box::new(vocabulary))
            }
            "t5" | "mt5" | "umt5" if files.has("spiece.model") => old_t5(files, config)?,
            _ => return Err(files.missing("tokenizer.json")),
        };
        let end = match &pieces {
            Pieces::Json(tokenizer) => tokenizer.token_to_id(end_token),
            Pieces::Spm(vocabulary) => vocabulary.id(end_token),
        };
        let file = match &pieces {
            Pieces::Json(_) => "tokenizer.json",
            Pieces::Spm(_) => "vocab.json",
        };
        let end = end.ok_or_else(|| bad(file, format!("no token `{end_token}`")))?;
        let scheme = match family {
            "marian" => marian_scheme(&pieces, &settings, name, flag("separate_vocabs")),
            "t5" | "mt5" | "umt5" => words(&pieces, config),
            _ => Scheme::Tokens {
                codes: language_tokens(&pieces, &settings, family),
                legacy: flag("legacy_behaviour"),
            },
        };
        if let Scheme::Tokens { codes, .. } = &scheme
            && codes.is_empty()
        {
            return Err(bad(file, "no language tokens"));
        }
        Ok(TranslationTokenizer {
            pieces,
            scheme,
            end,
            clean_up: flag("clean_up_tokenization_spaces"),
        })
    }
}

fn read_json(files: Files<'_>) -> Result<Tokenizer, CheckpointError> {
    const FILE: &str = "tokenizer.json";
    let tokenizer = Tokenizer::from_bytes(files.bytes(FILE)?);
    let mut tokenizer = tokenizer.map_err(|error| bad(FILE, error))?;
    tokenizer.with_padding(None);
    let untruncated = tokenizer.with_truncation(None);
    untruncated.map_err(|error| bad(FILE, error))?;
    Ok(tokenizer)
}

/// T5's vocabulary without `tokenizer.json`.
fn old_t5(files: Files<'_>, config: &Config) -> Result<Pieces, CheckpointError> {
    let read = |name: &str| crate::tokenizer::read_file(files.0, name);
    let parse = |name| {
        let text = read(name)?.unwrap_or_else(|| b"{}".to_vec());
        Config::parse_file(name, &String::from_utf8_lossy(&text))
    };
    let old = OldFiles {
        read: &read,
        settings: &parse("tokenizer_config.json")?,
        special: &parse("special_tokens_map.json")?,
        config,
    };
    let json = tokenizer_json(&old)?.ok_or_else(|| files.missing("spiece.model"))?;
    let tokenizer = Tokenizer::from_bytes(json).map_err(|error| bad("spiece.model", error))?;
    Ok(Pieces::Json(Box::new(tokenizer)))
}

fn marian(files: Files<'_>, separate: bool) -> Result<Pieces, CheckpointError> {
    let source = files.sentence_piece("source.spm")?;
    let target = files.sentence_piece("target.spm")?;
    let source_ids = files.vocabulary("vocab.json")?;
    let target_ids = if separate {
        Some(files.vocabulary("target_vocab.json")?)
    } else {
        None
    };
    let vocabulary = SpmVocabulary::new(source, Some(target), source_ids, target_ids.as_ref());
    let vocabulary = vocabulary.ok_or_else(|| bad("vocab.json", "no token `<unk>`"))?;
    Ok(Pieces::Spm(Box::new(vocabulary)))
}

fn with_vocabulary(files: Files<'_>) -> Result<Pieces, CheckpointError> {
    let model = files.sentence_piece("sentencepiece.bpe.model")?;
    let ids = files.vocabulary("vocab.json")?;
    let vocabulary = SpmVocabulary::new(model, None, ids, None);
    let vocabulary = vocabulary.ok_or_else(|| bad("vocab.json", "no token `<unk>`"))?;
    Ok(Pieces::Spm(Box::new(vocabulary)))
}

fn marian_scheme(pieces: &Pieces, settings: &Value, name: &str, separate: bool) -> Scheme {
    let code = |piece: &str| Some(piece.strip_prefix(">>")?.strip_suffix("<<")?.to_owned());
    let codes: BTreeMap<String, u32> = match pieces {
        Pieces::Spm(vocabulary) if !separate => vocabulary
            .pieces()
            .into_iter()
            .filter_map(|(piece, id)| Some((code(piece)?, id)))
            .collect(),
        _ => BTreeMap::new(),
    };
    // `opus-mt-en-de`, `opus-mt-tc-big-en-fi`; groups of languages (`mul`, `roa`) are no language.
    let mut parts = name.rsplit('-');
    let (last, before) = (parts.next(), parts.next());
    let language = |field: &str, named: Option<&str>| {
        let stated = settings.get(field).and_then(Value::as_str);
        match stated {
            Some(stated) => Language::of(stated),
            None if name.starts_with("opus-mt") => named.and_then(Language::of),
            None => None,
        }
    };
    let from = language("source_lang", before);
    if codes.is_empty() {
        Scheme::Fixed {
            from,
            to: language("target_lang", last),
        }
    } else {
        Scheme::TargetInFront { from, codes }
    }
}

/// Tokens such as `deu_Latn`, `de_DE` and `__de__`, by what they say.
fn language_tokens(pieces: &Pieces, settings: &Value, family: &str) -> BTreeMap<String, u32> {
    match pieces {
        Pieces::Json(tokenizer) => {
            let added = tokenizer.get_added_tokens_decoder();
            added
                .iter()
                .filter_map(|(id, token)| Some((code_of(&token.content)?, *id)))
                .collect()
        }
        Pieces::Spm(vocabulary) => {
            let (list, first) = match family {
                "mbart" => ("mbart50", vocabulary.pieces_of_model() + 1),
                _ => {
                    let stated = settings.get("language_codes").and_then(Value::as_str);
                    (stated.unwrap_or("m2m100"), vocabulary.source_size())
                }
            };
            let codes = languages::list(list).enumerate();
            codes
                .map(|(index, code)| (code.to_owned(), (first + index) as u32))
                .collect()
        }
    }
}

fn code_of(token: &str) -> Option<String> {
    if let Some(code) = token.strip_prefix("__").and_then(|t| t.strip_suffix("__")) {
        return Some(code.to_owned());
    }
    let (language, place) = token.split_once('_')?;
    let small = |text: &str| text.chars().all(|c| c.is_ascii_lowercase());
    let country = place.len() == 2 && place.chars().all(|c| c.is_ascii_uppercase());
    let script = place.len() == 4
        && place.starts_with(|c: char| c.is_ascii_uppercase())
        && small(&place[1..]);
    let plausible = (2..=3).contains(&language.len()) && small(language) && (country || script);
    plausible.then(|| token.to_owned())
}

/// MADLAD's `<2de>`, or T5's words from the configuration.
fn words(pieces: &Pieces, config: &Config) -> Scheme {
    if let Pieces::Json(tokenizer) = pieces {
        let codes: BTreeMap<String, u32> = tokenizer
            .get_vocab(true)
            .into_iter()
            .filter_map(|(piece, id)| {
                let code = piece.strip_prefix("<2")?.strip_suffix('>')?;
                Some((code.to_owned(), id))
            })
            .collect();
        if !codes.is_empty() {
            return Scheme::SpelledInFront { codes };
        }
    }
    let tasks = config
        .get("task_specific_params")
        .and_then(Value::as_object);
    let pairs = tasks.into_iter().flatten().filter_map(|(task, settings)| {
        let (from, to) = task.strip_prefix("translation_")?.split_once("_to_")?;
        let words = settings.get("prefix")?.as_str()?.to_owned();
        Some(((languages::common(from), languages::common(to)), words))
    });
    Scheme::Words {
        pairs: pairs.collect(),
    }
}
