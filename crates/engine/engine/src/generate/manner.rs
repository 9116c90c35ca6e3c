//! How a text is written: `generation_config.json` (or, in older checkpoints, `config.json`), with what the user says
//! instead. A field that would change a text and is not supported is rejected, not ignored.

use std::fmt;

use serde_json::Value;

use crate::seq2seq::generation::{
    HARMLESS, OF_SAMPLING, end_tokens, refuse_unknown, sequences, tokens,
};
use epicene_checkpoint::{CheckpointError, Config, of_generation, same, short};
use epicene_transformer::Bans;

/// What the user says instead of the checkpoint's own settings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Told {
    /// Most tokens of a text; 0 where only the first token's probabilities are wanted.
    pub max_tokens: Option<usize>,
    /// 0 is greedy. Where it is not said, the checkpoint says whether texts are drawn.
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    pub top_k: Option<usize>,
    pub seed: u64,
    /// Texts that end a text, beside the checkpoint's own.
    pub stop: Vec<String>,
}

/// How tokens are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampling {
    pub temperature: f64,
    pub top_p: Option<f64>,
    pub top_k: Option<usize>,
    pub seed: u64,
}

/// Everything that decides what is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Manner {
    pub(crate) bans: Bans,
    /// No end before this many tokens were written.
    min_new: usize,
    pub(crate) suppressed_first: Vec<u32>,
    pub(crate) forced_end: Option<u32>,
    max: Longest,
    /// Tokens the model has positions for.
    positions: Option<usize>,
    /// None is greedy.
    pub sampling: Option<Sampling>,
    pub stop: Vec<String>,
    /// A text that comes to nothing but opening marks is taken as given, and asked again behind it, so many times.
    pub behind_openings: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Longest {
    /// Tokens that are written.
    New(usize),
    /// With the prompt.
    Whole(usize),
}

/// Longest text if no setting says.
const LONGEST: usize = 256;

/// Fields that are followed.
const UNDERSTOOD: &[&str] = &[
    "bad_words_ids",
    "begin_suppress_tokens",
    "bos_token_id",
    "do_sample",
    "eos_token_id",
    "forced_eos_token_id",
    "max_length",
    "max_new_tokens",
    "min_length",
    "min_new_tokens",
    "no_repeat_ngram_size",
    "num_beams",
    "pad_token_id",
    "repetition_penalty",
    "stop_strings",
    "suppress_tokens",
];

/// Fields that are about the search among several hypotheses, or change no order of tokens and no draw.
const OF_BEAMS: &[&str] = &["early_stopping", "length_penalty", "renormalize_logits"];

/// `top_k` where a checkpoint asks for draws and does not say.
const USUAL_TOP_K: usize = 50;

impl Manner {
    /// `settings` is `generation_config.json` where there is one; `more_ends` are further end tokens that the container names.
    pub fn of(
        config: &Config,
        settings: Option<&Config>,
        told: &Told,
        more_ends: &[u32],
        positions: Option<usize>,
        vocabulary: usize,
    ) -> Result<Manner, CheckpointError> {
        let from = settings.unwrap_or(config);
        let understood = &[UNDERSTOOD, HARMLESS, OF_SAMPLING, OF_BEAMS];
        refuse_unknown(from, settings.is_some(), understood)?;
        if let Some(beams) = from.optional_size("num_beams")?
            && beams > 1
        {
            return Err(from.bad(
                "num_beams",
                format!("is {beams}; texts are written one way"),
            ));
        }
        // Either file may hold token ids.
        let value = |field: &str| from.get(field).or_else(|| config.stored(field));
        let mut ends = end_tokens(from, value("eos_token_id"), vocabulary)?;
        ends.extend(
            more_ends
                .iter()
                .filter(|end| !ends.contains(end))
                .copied()
                .collect::<Vec<_>>(),
        );
        let forced_end = end_tokens(from, from.get("forced_eos_token_id"), vocabulary)?;
        let repetition_penalty = from.number("repetition_penalty", 1.0)? as f32;
        if repetition_penalty <= 0.0 {
            return Err(from.bad("repetition_penalty", "is not above zero"));
        }
        let mut stop = match from.get("stop_strings") {
            None => Vec::new(),
            Some(Value::String(one)) => vec![one.clone()],
            Some(Value::Array(several)) => several
                .iter()
                .map(|text| text.as_str().map(str::to_owned))
                .collect::<Option<Vec<String>>>()
                .ok_or_else(|| from.bad("stop_strings", "is not a list of texts"))?,
            Some(other) => {
                let problem = format!("is {}, not a list of texts", short(other));
                return Err(from.bad("stop_strings", problem));
            }
        };
        stop.extend(told.stop.iter().cloned());
        stop.retain(|text| !text.is_empty());
        Ok(Manner {
            bans: Bans {
                no_repeat_ngram: from.size_or("no_repeat_ngram_size", 0)?,
                min_length: from.size_or("min_length", 0)?,
                repetition_penalty,
                bad_words: sequences(from, "bad_words_ids", vocabulary)?,
                suppressed: tokens(from, "suppress_tokens", vocabulary)?,
                ends,
            },
            min_new: from.size_or("min_new_tokens", 0)?,
            suppressed_first: tokens(from, "begin_suppress_tokens", vocabulary)?,
            forced_end: forced_end.first().copied(),
            max: match (
                told.max_tokens,
                from.get("max_new_tokens"),
                from.stored("max_length"),
            ) {
                (Some(tokens), _, _) => Longest::New(tokens),
                (None, Some(_), _) => Longest::New(from.size(&["max_new_tokens"])?),
                (None, None, Some(_)) => Longest::Whole(from.size(&["max_length"])?),
                (None, None, None) => Longest::New(LONGEST),
            },
            positions,
            sampling: sampling(from, told)?,
            stop,
            behind_openings: 0,
        })
    }

    /// The most tokens a text may have, its prompt of so many included.
    pub fn longest(&self, prompt: usize) -> usize {
        let most = match self.max {
            Longest::New(tokens) => prompt.saturating_add(tokens),
            Longest::Whole(tokens) => tokens.max(prompt),
        };
        most.min(self.positions.unwrap_or(usize::MAX).max(prompt))
    }

    /// The token that must come after `length` tokens, if there is only one.
    pub(crate) fn forced_at(&self, length: usize, prompt: usize) -> Option<u32> {
        self.forced_end
            .filter(|_| length + 1 == self.longest(prompt))
    }

    /// No end before so many tokens.
    pub(crate) fn shortest(&self, prompt: usize) -> usize {
        let new = match self.min_new {
            0 => 0,
            tokens => prompt + tokens,
        };
        self.bans.min_length.max(new)
    }
}

fn sampling(from: &Config, told: &Told) -> Result<Option<Sampling>, CheckpointError> {
    let draws = from.flag("do_sample", false)?;
    let temperature = match told.temperature {
        Some(temperature) => temperature,
        None if draws => from.number("temperature", 1.0)?,
        None => 0.0,
    };
    if temperature < 0.0 || !temperature.is_finite() {
        return Err(from.bad(
            "temperature",
            format!("is {temperature}, which cannot be used"),
        ));
    }
    if temperature == 0.0 {
        return Ok(None);
    }
    for field in OF_SAMPLING {
        let followed = matches!(*field, "temperature" | "top_k" | "top_p");
        if let Some(value) = from.stored(field)
            && !followed
            && !of_generation(field).is_some_and(|usual| same(usual, value))
            && !(matches!(*field, "min_p" | "epsilon_cutoff" | "eta_cutoff")
                && value.as_f64() == Some(0.0))
        {
            return Err(from.unknown_field(field, value));
        }
    }
    let top_k = match told.top_k {
        Some(k) => k,
        None => match (from.stored("top_k"), draws && told.temperature.is_none()) {
            (Some(_), _) => from.size_or("top_k", 0)?,
            (None, true) => USUAL_TOP_K,
            (None, false) => 0,
        },
    };
    let top_p = match told.top_p {
        Some(p) => p,
        None => from.number("top_p", 1.0)?,
    };
    if !(0.0..=1.0).contains(&top_p) {
        return Err(from.bad("top_p", format!("is {top_p}, not between 0 and 1")));
    }
    Ok(Some(Sampling {
        temperature,
        top_p: (top_p < 1.0).then_some(top_p),
        top_k: (top_k > 0).then_some(top_k),
        seed: told.seed,
    }))
}

impl fmt::Display for Manner {
    /// For signatures and cache keys: what can change a text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.sampling {
            None => f.write_str("greedy")?,
            Some(sampling) => {
                write!(f, "temperature={}", sampling.temperature)?;
                if let Some(p) = sampling.top_p {
                    write!(f, ",top-p={p}")?;
                }
                if let Some(k) = sampling.top_k {
                    write!(f, ",top-k={k}")?;
                }
                write!(f, ",seed={}", sampling.seed)?;
            }
        }
        match self.max {
            Longest::New(tokens) => write!(f, ",max-tokens={tokens}")?,
            Longest::Whole(tokens) => write!(f, ",max-length={tokens}")?,
        }
        for (name, size) in [
            ("min-length", self.bans.min_length),
            ("min-tokens", self.min_new),
            ("no-repeat-ngram", self.bans.no_repeat_ngram),
            ("bad-words", self.bans.bad_words.len()),
            ("suppressed", self.bans.suppressed.len()),
            ("suppressed-first", self.suppressed_first.len()),
        ] {
            if size > 0 {
                write!(f, ",{name}={size}")?;
            }
        }
        if self.bans.repetition_penalty != 1.0 {
            write!(f, ",repetition-penalty={}", self.bans.repetition_penalty)?;
        }
        if let Some(token) = self.forced_end {
            write!(f, ",last={token}")?;
        }
        if !self.stop.is_empty() {
            let stop = serde_json::to_string(&self.stop).map_err(|_| fmt::Error)?;
            write!(f, ",stop={stop}")?;
        }
        Ok(())
    }
}
