//! How a translation is searched for: `generation_config.json` (or, in older checkpoints, `config.json`), with
//! what the user says instead.
//!
//! The fields mean what they mean to `transformers`' `generate`. A field that would change a translation and is
//! not supported is rejected, not ignored; sampling is left out on purpose: a benchmark wants the same answer twice.

use std::fmt;

use serde_json::Value;

use epicene_checkpoint::{CheckpointError, Config, of_generation, same, short};
use epicene_transformer::Bans;

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
    pub max_length: usize,
    pub bans: Bans,
    pub renormalize: bool,
    pub start: u32,
    pub forced_first: Option<u32>,
    pub forced_end: Option<u32>,
}

/// Beams that any vocabulary is asked for in vain.
const MOST_BEAMS: usize = 64;
/// Longest translation where the checkpoint does not say, if it has positions for that many.
const LONGEST: usize = 256;

/// Fields that are followed.
const UNDERSTOOD: &[&str] = &[
    "bad_words_ids",
    "bos_token_id",
    "decoder_start_token_id",
    "early_stopping",
    "eos_token_id",
    "forced_bos_token_id",
    "forced_eos_token_id",
    "length_penalty",
    "max_length",
    "max_new_tokens",
    "min_length",
    "min_new_tokens",
    "no_repeat_ngram_size",
    "num_beams",
    "pad_token_id",
    "renormalize_logits",
    "repetition_penalty",
    "suppress_tokens",
];

/// Settings of sampling.
pub(crate) const OF_SAMPLING: &[&str] = &[
    "epsilon_cutoff",
    "eta_cutoff",
    "min_p",
    "temperature",
    "top_h",
    "top_k",
    "top_p",
    "typical_p",
];

/// Fields that change nothing that is written: settings of memory, of what is returned, of drafts that are checked
/// anyway.
pub(crate) const HARMLESS: &[&str] = &[
    "_commit_hash",
    "_from_model_config",
    "assistant_confidence_threshold",
    "assistant_early_exit",
    "assistant_ensemble_weight",
    "assistant_lookbehind",
    "cache_config",
    "cache_implementation",
    "compile_config",
    "continuous_batching_config",
    "disable_compile",
    "generation_kwargs",
    "is_assistant",
    "low_memory",
    "max_cache_len",
    "max_matching_ngram_size",
    "num_assistant_tokens",
    "num_assistant_tokens_schedule",
    "num_return_sequences",
    "output_attentions",
    "output_hidden_states",
    "output_logits",
    "output_scores",
    "prefill_chunk_size",
    "prompt_lookup_num_tokens",
    "remove_invalid_values",
    "return_dict_in_generate",
    "return_legacy_cache",
    "target_lookbehind",
    "transformers_version",
    "use_cache",
];

/// Rejects fields that would change the output and are not among `understood`. In `config.json` only those that
/// are about writing are looked at.
pub(crate) fn refuse_unknown(
    from: &Config,
    all: bool,
    understood: &[&[&str]],
) -> Result<(), CheckpointError> {
    for (field, value) in from.entries() {
        let known = understood.iter().any(|fields| fields.contains(&field));
        let default = of_generation(field);
        let elsewhere = !all && default.is_none();
        // A scale of one guides nowhere.
        let neutral = field == "guidance_scale" && value.as_f64() == Some(1.0);
        let unchanged = value.is_null() || neutral || default.is_some_and(|one| same(one, value));
        if !known && !elsewhere && !unchanged {
            return Err(from.unknown_field(field, value));
        }
    }
    Ok(())
}

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
        refuse_unknown(
            from,
            settings.is_some(),
            &[UNDERSTOOD, HARMLESS, OF_SAMPLING],
        )?;
        // Either file may hold token ids.
        let value = |field: &str| from.get(field).or_else(|| config.stored(field));
        let token = |field: &str| -> Result<Option<u32>, CheckpointError> {
            let Some(value) = value(field) else {
                return Ok(None);
            };
            one_token(from, field, value, vocabulary).map(Some)
        };
        let ends = end_tokens(from, value("eos_token_id"), vocabulary)?;
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
            None => from.optional_size("num_beams")?.unwrap_or(1),
        };
        // More make no sense, and would only fill the memory.
        let most = vocabulary / 4 + 1;
        if beams > most.max(MOST_BEAMS) {
            return Err(from.bad(
                "num_beams",
                format!("is {beams}, more than can be followed"),
            ));
        }
        let renormalize = from.flag("renormalize_logits", false)?;
        let repetition_penalty = match told.repetition_penalty {
            Some(penalty) => penalty,
            None => from.number("repetition_penalty", 1.0)? as f32,
        };
        if renormalize && repetition_penalty != 1.0 && beams > 1 {
            return Err(from.bad(
                "repetition_penalty",
                "with `renormalize_logits` is not supported",
            ));
        }
        let generation = Generation {
            beams: beams.clamp(1, most),
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
            max_length: stated.unwrap_or(LONGEST).min(limit).max(2),
            bans: Bans {
                no_repeat_ngram: match told.no_repeat_ngram {
                    Some(size) => size,
                    None => from.size_or("no_repeat_ngram_size", 0)?,
                },
                min_length: match told.min_length {
                    Some(length) => length,
                    None => from.size_or("min_length", 0)?.max(
                        match from.size_or("min_new_tokens", 0)? {
                            0 => 0,
                            tokens => tokens + 1,
                        },
                    ),
                },
                repetition_penalty,
                bad_words: match &told.bad_words {
                    Some(words) => words.clone(),
                    None => sequences(from, "bad_words_ids", vocabulary)?,
                },
                suppressed: tokens(from, "suppress_tokens", vocabulary)?,
                ends,
            },
            renormalize,
            start,
            forced_first: match from.get("forced_bos_token_id") {
                Some(value) => Some(one_token(from, "forced_bos_token_id", value, vocabulary)?),
                None => None,
            },
            forced_end: match from.get("forced_eos_token_id") {
                Some(value) => Some(one_token(from, "forced_eos_token_id", value, vocabulary)?),
                None => None,
            },
        };
        if !generation.length_penalty.is_finite() || repetition_penalty <= 0.0 {
            return Err(from.bad("length_penalty", "is not a number that can be used"));
        }
        Ok(generation)
    }

    pub fn is_end(&self, token: u32) -> bool {
        self.bans.is_end(token)
    }
}

/// The tokens that end a text: one, several, or none.
pub(crate) fn end_tokens(
    config: &Config,
    value: Option<&Value>,
    vocabulary: usize,
) -> Result<Vec<u32>, CheckpointError> {
    let one = |value| one_token(config, "eos_token_id", value, vocabulary);
    match value {
        None => Ok(Vec::new()),
        Some(Value::Array(several)) => several.iter().map(one).collect(),
        Some(value) => one(value).map(|one| vec![one]),
    }
}

/// A list of tokens; none where there is no such field.
pub(crate) fn tokens(
    config: &Config,
    field: &str,
    vocabulary: usize,
) -> Result<Vec<u32>, CheckpointError> {
    match config.get(field) {
        Some(Value::Array(tokens)) => tokens
            .iter()
            .map(|value| one_token(config, field, value, vocabulary))
            .collect(),
        None => Ok(Vec::new()),
        Some(value) => {
            let problem = format!("is {}, not a list of tokens", short(value));
            Err(config.bad(field, problem))
        }
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

pub(crate) fn sequences(
    config: &Config,
    field: &str,
    vocabulary: usize,
) -> Result<Vec<Vec<u32>>, CheckpointError> {
    let Some(value) = config.get(field) else {
        return Ok(Vec::new());
    };
    let lists = value.as_array();
    let lists = lists.ok_or_else(|| config.bad(field, "is not a list of lists"))?;
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
        if self.bans.min_length > 0 {
            write!(f, ",min-length={}", self.bans.min_length)?;
        }
        if self.bans.no_repeat_ngram > 0 {
            write!(f, ",no-repeat-ngram={}", self.bans.no_repeat_ngram)?;
        }
        if self.bans.repetition_penalty != 1.0 {
            write!(f, ",repetition-penalty={}", self.bans.repetition_penalty)?;
        }
        if self.renormalize {
            f.write_str(",renormalized")?;
        }
        for (name, words) in [("bad-words", &self.bans.bad_words)] {
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
        if !self.bans.suppressed.is_empty() {
            write!(f, ",suppressed={}", self.bans.suppressed.len())?;
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
