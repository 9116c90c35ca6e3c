//! Tokenizers of checkpoints without `tokenizer.json`: vocabularies as the models' authors wrote them, put together as
//! `transformers` 4 does when it makes a fast tokenizer of a slow one. The result is the text of a `tokenizer.json`, which
//! is then read like any other.

mod byte_pairs;
mod languages;
mod parts;
mod plans;
mod sentence_piece;
mod special;
mod word_piece;

use serde_json::{Value, json};

pub use byte_pairs::vocabulary;
use epicene_checkpoint::{CheckpointError, Config};
use plans::{PLANS, Plan, TWINS};
pub use special::{FIELDS, added_token};

/// A file of the checkpoint, if it is there.
pub type Read<'a> = &'a dyn Fn(&str) -> Result<Option<Vec<u8>>, CheckpointError>;

/// The files beside a model that say how text becomes tokens.
#[derive(Clone, Copy)]
pub struct OldFiles<'a> {
    pub read: Read<'a>,
    /// `tokenizer_config.json`.
    pub settings: &'a Config,
    /// `special_tokens_map.json`.
    pub special: &'a Config,
    /// `config.json`.
    pub config: &'a Config,
}

impl OldFiles<'_> {
    /// The class of `transformers` that the checkpoint names.
    pub fn class(&self) -> Option<&str> {
        let stored = self.settings.stored("tokenizer_class");
        let stored = stored.or_else(|| self.config.stored("tokenizer_class"));
        stored.and_then(Value::as_str)
    }
}

fn plan(files: &OldFiles<'_>) -> Option<&'static Plan> {
    let class = files.class();
    let model_type = files.config.model_type().unwrap_or_default();
    match class {
        None | Some("PreTrainedTokenizerFast") => PLANS
            .iter()
            .find(|plan| plan.model_types.contains(&model_type)),
        Some(class) => {
            let class = class.strip_suffix("Fast").unwrap_or(class);
            let twin = TWINS.iter().find(|(name, _)| *name == class);
            let class = twin.map_or(class, |(_, twin)| twin);
            PLANS.iter().find(|plan| plan.class == class)
        }
    }
}

/// The `tokenizer.json` that the files amount to; none if they are not there, or of a class that is not known here.
pub fn tokenizer_json(files: &OldFiles<'_>) -> Result<Option<Vec<u8>>, CheckpointError> {
    let Some(plan) = plan(files) else {
        return Ok(None);
    };
    for file in plan.files {
        if (files.read)(file)?.is_none() {
            return Ok(None);
        }
    }
    let mut parts = (plan.build)(files, plan)?;
    let added = special::added_tokens(files, &plan.marks, &mut parts)?;
    let tokenizer = json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": added,
        "normalizer": parts.normalizer,
        "pre_tokenizer": parts.pre_tokenizer,
        "post_processor": parts.post_processor(),
        "decoder": parts.decoder,
        "model": parts.model,
    });
    Ok(Some(tokenizer.to_string().into_bytes()))
}

/// The class that the files are read as, if it is one of those here.
pub fn class_of(files: &OldFiles<'_>) -> Option<&'static str> {
    plan(files).map(|plan| plan.class)
}

/// A special token as the files spell it, or the class.
pub fn named(files: &OldFiles<'_>, field: &str) -> Option<String> {
    special::named(files, &plan(files)?.marks, field)
}

/// The complaint that the class which a checkpoint names is none of those here.
pub fn not_read(files: &OldFiles<'_>) -> Option<CheckpointError> {
    let class = files.class()?;
    if plan(files).is_some() || class == "PreTrainedTokenizerFast" {
        return None;
    }
    let twins = TWINS.iter().map(|(twin, _)| *twin);
    let mut read: Vec<&str> = PLANS.iter().map(|plan| plan.class).chain(twins).collect();
    read.sort_unstable();
    let read = read.join(", ").replace("Tokenizer", "");
    let problem = format!(
        "is {class}, which is read here only from a tokenizer.json; without one, read are {read}. Save it with `transformers` as a \
         fast tokenizer, or ask a server that runs the model (`openai:MODEL@URL`)"
    );
    Some(files.settings.bad("tokenizer_class", problem))
}

/// The file that a checkpoint of this class would need, for a complaint that it has none.
pub fn wanted(files: &OldFiles<'_>) -> String {
    match plan(files) {
        Some(plan) => format!("tokenizer.json, and no {}", plan.files.join(" and ")),
        None => "tokenizer.json".to_owned(),
    }
}

/// A file that must be there.
fn needed(files: &OldFiles<'_>, name: &'static str) -> Result<Vec<u8>, CheckpointError> {
    (files.read)(name)?.ok_or_else(|| bad(name, "is missing"))
}

fn bad(file: &str, problem: impl ToString) -> CheckpointError {
    CheckpointError::Tokenizer {
        file: file.to_owned(),
        problem: problem.to_string(),
    }
}
