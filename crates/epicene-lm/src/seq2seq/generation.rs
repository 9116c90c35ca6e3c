//! How a translation is searched for: `generation_config.json` (or, in older checkpoints, `config.json`), with
//! what the user says instead.
//!
//! The fields mean what they mean to `transformers`' `generate`. A field that would change a translation and is
//! not known here is refused, not ignored; sampling is left out on purpose: a benchmark wants the same answer twice.

use std::fmt;

use serde_json::Value;

use crate::checkpoint::{CheckpointError, Config};

/// When a beam search ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarlyStopping {
    /// As soon as there are as many finished hypotheses as beams.
    Yes,
    /// When no running hypothesis is better than the worst finished one at the present length.
    No,
    /// When no running hypothesis can become better at any length.
    Never,
}

impl fmt::Display for EarlyStopping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EarlyStopping::Yes => "yes",
            EarlyStopping::No => "no",
            EarlyStopping::Never => "never",
        })
    }
}

/// What the user says instead of the checkpoint's own settings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Decoding {
    /// 1 is greedy search.
    pub beams: Option<usize>,
    pub length_penalty: Option<f32>,
    pub early_stopping: Option<EarlyStopping>,
    pub no_repeat_ngram: Option<usize>,
    /// Longest translation in tokens, the decoder's first token included.
    pub max_length: Option<usize>,
    /// The same without the first token; goes before `max_length`.
    pub max_new_tokens: Option<usize>,
    pub min_length: Option<usize>,
    pub repetition_penalty: Option<f32>,
    pub bad_words: Option<Vec<Vec<u32>>>,
}

/// Everything that decides what is found.
#[derive(Debug, Clone, PartialEq)]
pub struct Generation {
    pub beams: usize,
    pub length_penalty: f32,
    pub early_stopping: EarlyStopping,
    pub no_repeat_ngram: usize,
    pub max_length: usize,
    pub min_length: usize,
    pub repetition_penalty: f32,
    pub renormalize: bool,
    /// Token sequences that must not appear; single tokens and longer ones.
    pub bad_words: Vec<Vec<u32>>,
    pub suppressed: Vec<u32>,
    pub start: u32,
    pub ends: Vec<u32>,
    pub forced_first: Option<u32>,
    pub forced_end: Option<u32>,
}

/// Beams where the checkpoint does not say.
const BEAMS: usize = 5;
/// Longest translation where the checkpoint does not say, if it has positions for that many.
const LONGEST: usize = 256;

/// Fields that change what is found, with the value at which they do not.
const NEUTRAL: &[(&str, f64)] = &[
    ("num_beam_groups", 1.0),
    ("diversity_penalty", 0.0),
    ("encoder_repetition_penalty", 1.0),
    ("encoder_no_repeat_ngram_size", 0.0),
    ("guidance_scale", 1.0),
];
const ABSENT: &[&str] = &[
    "sequence_bias",
    "exponential_decay_length_penalty",
    "force_words_ids",
    "constraints",
    "penalty_alpha",
    "begin_suppress_tokens",
];

impl Generation {
    /// `settings` is `generation_config.json` where there is one. `positions`: the longest target the model has
    /// positions for; `vocabulary`: its size.
    pub fn of(
        config: &Config,
        settings: Option<&Config>,
        told: &Decoding,
        positions: Option<usize>,
        vocabulary: usize,
    ) -> Result<Generation, CheckpointError> {
        let from = settings.unwrap_or(config);
        for (field, neutral) in NEUTRAL {
            let value = from.number(field, *neutral)?;
            if value != *neutral {
                return Err(from.bad(field, format!("is {value}, which is not known here")));
            }
        }
        for field in ABSENT {
            if from.get(field).is_some() {
                return Err(from.bad(field, "is set, which is not known here"));
            }
        }
        // Token ids stand in either file.
        let value = |field: &str| from.get(field).or_else(|| config.get(field));
        let token = |field: &str| -> Result<Option<u32>, CheckpointError> {
            let Some(value) = value(field) else {
                return Ok(None);
            };
            one_token(from, field, value, vocabulary).map(Some)
        };
        let ends = match value("eos_token_id") {
            None => Vec::new(),
            Some(Value::Array(several)) => several
                .iter()
                .map(|value| one_token(from, "eos_token_id", value, vocabulary))
                .collect::<Result<_, _>>()?,
            Some(one) => vec![one_token(from, "eos_token_id", one, vocabulary)?],
        };
        let start = match token("decoder_start_token_id")? {
            Some(start) => start,
            None => token("bos_token_id")?
                .ok_or_else(|| from.bad("decoder_start_token_id", "is missing"))?,
        };
        let limit = positions.unwrap_or(usize::MAX);
        let stated = match (told.max_new_tokens, told.max_length) {
            (Some(tokens), _) => Some(tokens.saturating_add(1)),
            (None, Some(length)) => Some(length),
            (None, None) => match from.get("max_new_tokens") {
                Some(_) => Some(from.size(&["max_new_tokens"])? + 1),
                None => match from.get("max_length") {
                    Some(_) => Some(from.size(&["max_length"])?),
                    None => None,
                },
            },
        };
        let beams = match told.beams {
            Some(beams) => beams,
            None => from.size_or("num_beams", BEAMS)?,
        };
        let renormalize = from.flag("renormalize_logits", false);
        let repetition_penalty = match told.repetition_penalty {
            Some(penalty) => penalty,
            None => from.number("repetition_penalty", 1.0)? as f32,
        };
        if renormalize && repetition_penalty != 1.0 && beams > 1 {
            return Err(from.bad(
                "repetition_penalty",
                "with `renormalize_logits` is not known here",
            ));
        }
        let generation = Generation {
            beams: beams.clamp(1, vocabulary / 4 + 1),
            length_penalty: match told.length_penalty {
                Some(penalty) => penalty,
                None => from.number("length_penalty", 1.0)? as f32,
            },
            early_stopping: match (told.early_stopping, from.get("early_stopping")) {
                (Some(told), _) => told,
                (None, None | Some(Value::Bool(false))) => EarlyStopping::No,
                (None, Some(Value::Bool(true))) => EarlyStopping::Yes,
                (None, Some(Value::String(word))) if word == "never" => EarlyStopping::Never,
                (None, Some(value)) => {
                    return Err(from.bad("early_stopping", format!("is {value}")));
                }
            },
            no_repeat_ngram: match told.no_repeat_ngram {
                Some(size) => size,
                None => from.size_or("no_repeat_ngram_size", 0)?,
            },
            max_length: stated.unwrap_or(LONGEST).min(limit).max(2),
            min_length: match told.min_length {
                Some(length) => length,
                None => {
                    from.size_or("min_length", 0)?
                        .max(match from.size_or("min_new_tokens", 0)? {
                            0 => 0,
                            tokens => tokens + 1,
                        })
                }
            },
            repetition_penalty,
            renormalize,
            bad_words: match &told.bad_words {
                Some(words) => words.clone(),
                None => sequences(from, "bad_words_ids", vocabulary)?,
            },
            suppressed: match from.get("suppress_tokens") {
                Some(Value::Array(tokens)) => tokens
                    .iter()
                    .map(|value| one_token(from, "suppress_tokens", value, vocabulary))
                    .collect::<Result<_, _>>()?,
                _ => Vec::new(),
            },
            start,
            forced_first: token("forced_bos_token_id")?,
            forced_end: match from.get("forced_eos_token_id") {
                Some(value) => Some(one_token(from, "forced_eos_token_id", value, vocabulary)?),
                None => None,
            },
            ends,
        };
        if !generation.length_penalty.is_finite() || generation.repetition_penalty <= 0.0 {
            return Err(from.bad("length_penalty", "is not a number that can be used"));
        }
        Ok(generation)
    }

    pub fn is_end(&self, token: u32) -> bool {
        self.ends.contains(&token)
    }
}

fn one_token(
    config: &Config,
    field: &str,
    value: &Value,
    vocabulary: usize,
) -> Result<u32, CheckpointError> {
    match value.as_u64() {
        Some(token) if token < vocabulary as u64 => Ok(token as u32),
        _ => Err(config.bad(field, format!("is {value}, not a token of {vocabulary}"))),
    }
}

fn sequences(
    config: &Config,
    field: &str,
    vocabulary: usize,
) -> Result<Vec<Vec<u32>>, CheckpointError> {
    let Some(value) = config.get(field) else {
        return Ok(Vec::new());
    };
    let lists = value.as_array().map(Vec::as_slice).unwrap_or_default();
    lists
        .iter()
        .map(|list| {
            let tokens = list.as_array().filter(|tokens| !tokens.is_empty());
            let tokens = tokens.ok_or_else(|| config.bad(field, "is not a list of lists"))?;
            tokens
                .iter()
                .map(|value| one_token(config, field, value, vocabulary))
                .collect()
        })
        .collect()
}

impl fmt::Display for Generation {
    /// For signatures and cache keys: what can change a translation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.beams {
            1 => f.write_str("greedy")?,
            beams => {
                write!(f, "beam={beams}")?;
                write!(f, ",length-penalty={}", self.length_penalty)?;
                write!(f, ",early-stopping={}", self.early_stopping)?;
            }
        }
        write!(f, ",max-length={}", self.max_length)?;
        if self.min_length > 0 {
            write!(f, ",min-length={}", self.min_length)?;
        }
        if self.no_repeat_ngram > 0 {
            write!(f, ",no-repeat-ngram={}", self.no_repeat_ngram)?;
        }
        if self.repetition_penalty != 1.0 {
            write!(f, ",repetition-penalty={}", self.repetition_penalty)?;
        }
        if self.renormalize {
            f.write_str(",renormalized")?;
        }
        for (name, words) in [("bad-words", &self.bad_words)] {
            if !words.is_empty() {
                let words: Vec<String> = words
                    .iter()
                    .map(|word| {
                        let tokens: Vec<String> = word.iter().map(u32::to_string).collect();
                        tokens.join("+")
                    })
                    .collect();
                write!(f, ",{name}={}", words.join("/"))?;
            }
        }
        if !self.suppressed.is_empty() {
            write!(f, ",suppressed={}", self.suppressed.len())?;
        }
        if let Some(token) = self.forced_first {
            write!(f, ",first={token}")?;
        }
        if let Some(token) = self.forced_end {
            write!(f, ",last={token}")?;
        }
        Ok(())
    }
}
