//! Causal models that translate when they are asked to: `hf:ORG/NAME,prompt=chat`. Tower, EuroLLM and ALMA were trained on wordings
//! of their own; any other is a file, which goes through the chat template if it is named `chat:FILE`. The wording is part of the system's source, and so of every signature.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use epicene_core::{ModelKind, SystemCard};
use epicene_io::digest::hex;
use epicene_lm::generate::{Ended, Manner, Message, Moment, Prompt, TextGenerator, Told};
use epicene_lm::{EngineOptions, LmError, ModelSpec};
use sha2::{Digest, Sha256};

use crate::kind::{Opened, Opening};
use crate::local::unfinished_translations;
use crate::service::chat;
use crate::spec::TranslatorSpec;
use crate::{Direction, Limits, MtError, Translated, Translator};

/// Longest translation where nobody says.
const MAX_TOKENS: usize = 256;
/// The day that templates are told, so that a translation does not depend on it.
const DAY: &str = "2026-01-01";

/// Known wordings: name, whether they go through the chat template, text.
const WORDINGS: &[(&str, bool, &str)] = &[
    (
        "tower",
        true,
        "Translate the following text from {from} into {to}.\n{from}: {text}\n{to}:",
    ),
    (
        "eurollm",
        true,
        "Translate the following {from} source text to {to}:\n{from}: {text}\n{to}: ",
    ),
    (
        "alma",
        false,
        "Translate this from {from} to {to}:\n{from}: {text}\n{to}:",
    ),
    // As MiTTenS asks chat models.
    (
        "mittens",
        true,
        "Translate the following text from {from} to {to}.\n\n{from}: {text}\n{to}:",
    ),
];

/// How a model is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wording {
    /// As the source says it.
    name: String,
    chat: bool,
    /// With `{from}`, `{to}` and `{text}`; none is that of `openai:`.
    text: Option<String>,
}

impl Wording {
    fn of(given: &str) -> Result<Wording, String> {
        if given == "chat" {
            return Ok(Wording {
                name: format!("chat-{}", chat::PROMPT_VERSION),
                chat: true,
                text: None,
            });
        }
        let known = WORDINGS.iter().find(|(name, ..)| *name == given);
        if let Some((name, chat, text)) = known {
            return Ok(Wording {
                name: (*name).to_owned(),
                chat: *chat,
                text: Some((*text).to_owned()),
            });
        }
        let (file, chat) = match given.strip_prefix("chat:") {
            Some(file) => (file, true),
            None => (given, false),
        };
        let names: Vec<&str> = WORDINGS.iter().map(|(name, ..)| *name).collect();
        let text = std::fs::read_to_string(file).map_err(|error| {
            let names = names.join(", ");
            format!("`prompt={given}` is none of chat, {names}, and no file: {error}")
        })?;
        for part in ["{text}", "{to}"] {
            if !text.contains(part) {
                return Err(format!("`prompt={given}`: the file has no {part}"));
            }
        }
        let digest = hex(&Sha256::digest(&text));
        let name = if chat { "chat-file" } else { "file" };
        Ok(Wording {
            name: format!("{name}@{}", &digest[..8]),
            chat,
            text: Some(text),
        })
    }

    /// What a model reads: through its chat template, or plain.
    fn ids(
        &self,
        model: &TextGenerator,
        text: &str,
        from: &str,
        to: &str,
    ) -> Result<Vec<u32>, LmError> {
        let asked = self.ask(text, from, to);
        if self.chat {
            let day = Moment::of_day(DAY).expect("a day that there is");
            model.conversation(&[Message::new("user", asked)], &BTreeMap::new(), day)
        } else {
            model.plain(&asked)
        }
    }

    fn ask(&self, text: &str, from: &str, to: &str) -> String {
        match &self.text {
            None => chat::prompt(text, from, to),
            // The sentence last: it may hold braces itself.
            Some(wording) => wording
                .replace("{from}", &chat::name(from))
                .replace("{to}", &chat::name(to))
                .replace("{text}", text),
        }
    }
}

fn max_tokens(spec: &TranslatorSpec) -> Result<usize, String> {
    match spec.options().get("max-length") {
        None => Ok(MAX_TOKENS),
        Some(value) => match value.parse() {
            Ok(count) if count > 0 => Ok(count),
            _ => Err(format!("`max-length={value}` makes no sense")),
        },
    }
}

/// Refuses what can be seen to be wrong.
pub fn check(spec: &TranslatorSpec, prompt: &str) -> Result<(), String> {
    let searched = [
        "beam",
        "early-stopping",
        "length-penalty",
        "no-repeat-ngram",
    ];
    if let Some(option) = searched
        .iter()
        .find(|name| spec.options().get(name).is_some())
    {
        return Err(format!(
            "`{option}` is of sequence-to-sequence models; a model that is prompted writes greedily"
        ));
    }
    max_tokens(spec)?;
    Wording::of(prompt).map(|_| ())
}

struct Prompted {
    card: SystemCard,
    model: TextGenerator,
    manner: Manner,
    wording: Wording,
    unfinished: AtomicU64,
}

pub fn open(
    spec: &TranslatorSpec,
    model: &ModelSpec,
    prompt: &str,
    opening: &Opening<'_>,
) -> Opened {
    let refused = |message| spec.refused(message);
    let wording = Wording::of(prompt).map_err(refused)?;
    let max_tokens = max_tokens(spec).map_err(refused)?;
    let options = EngineOptions {
        threads: opening.threads.max(1),
        placement: opening.placement,
        dtype: opening.dtype,
        ..EngineOptions::default()
    };
    let model = TextGenerator::open(model, options, opening.ignored, opening.progress)?;
    opening.say_place(&model.card().name, model.place(), model.loading());
    if wording.chat && model.template().is_none() {
        return Err(LmError::NoTemplate {
            system: model.card().name.clone(),
        }
        .into());
    }
    let told = Told {
        max_tokens: Some(max_tokens),
        temperature: Some(0.0),
        // A plain prompt is continued with one line.
        stop: if wording.chat {
            Vec::new()
        } else {
            vec!["\n".to_owned()]
        },
        ..Told::default()
    };
    let source = &model.card().source;
    let card = SystemCard {
        source: format!("{source},prompt={},max-length={max_tokens}", wording.name),
        kind: ModelKind::Translator,
        ..model.card().clone()
    };
    Ok(Box::new(Prompted {
        manner: model.manner(&told)?,
        card,
        model,
        wording,
        unfinished: AtomicU64::new(0),
    }))
}

impl Translator for Prompted {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn limits(&self) -> Limits {
        Limits::of_batches(self.model.batch_size())
    }

    fn notes(&self) -> Vec<String> {
        match self.unfinished.load(Ordering::Relaxed) {
            0 => Vec::new(),
            count => vec![unfinished_translations(count)],
        }
    }

    fn translate(
        &self,
        batch: &[&str],
        Direction { from, to }: Direction<'_>,
    ) -> Result<Vec<Translated>, MtError> {
        let prompts = batch.iter().map(|text| {
            Ok(Prompt {
                id: (*text).to_owned(),
                ids: self.wording.ids(&self.model, text, from, to)?,
                first: Vec::new(),
            })
        });
        let prompts: Vec<Prompt> = prompts.collect::<Result<_, LmError>>()?;
        let written = self.model.write(&prompts, &self.manner)?;
        let read = batch.iter().zip(written).map(|(source, completion)| {
            let cut = u64::from(completion.ended == Ended::Length);
            self.unfinished.fetch_add(cut, Ordering::Relaxed);
            Translated::Text(chat::sentence(source, &completion.text).to_owned())
        });
        Ok(read.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn wordings_are_those_the_models_were_trained_on() {
        let ask = |name: &str| Wording::of(name).unwrap().ask("I {to} ran.", "en", "de");
        assert_eq!(
            ask("alma"),
            "Translate this from English to German:\nEnglish: I {to} ran.\nGerman:"
        );
        assert!(
            ask("tower").starts_with("Translate the following text from English into German.\n")
        );
        assert!(
            ask("eurollm").starts_with("Translate the following English source text to German:\n")
        );
        let ask_mittens = Wording::of("mittens").unwrap().ask("Ella rió.", "es", "en");
        assert_eq!(
            ask_mittens,
            "Translate the following text from Spanish to English.\n\nSpanish: Ella rió.\nEnglish:"
        );
        assert_eq!(ask("chat"), chat::prompt("I {to} ran.", "en", "de"));
        let error = Wording::of("no such file").unwrap_err();
        assert!(
            error.contains("is none of chat, tower, eurollm, alma"),
            "{error}"
        );
    }

    /// What `transformers` makes of each wording with a chat template (tools/reference/translation_prompts.py).
    #[test]
    fn prompts_are_those_of_transformers() {
        let golden: Value = serde_json::from_str(include_str!("prompted.json")).unwrap();
        let place = tempfile::tempdir().unwrap();
        let tiny = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../engine/engine/tests/checkpoints"
        );
        let tiny = std::path::Path::new(tiny).join(golden["checkpoint"].as_str().unwrap());
        for file in [
            "config.json",
            "model.safetensors",
            "tokenizer.json",
            "tokenizer_config.json",
        ] {
            std::fs::copy(tiny.join(file), place.path().join(file)).unwrap();
        }
        let template = golden["template"].as_str().unwrap();
        std::fs::write(place.path().join("chat_template.jinja"), template).unwrap();
        let own = place.path().join("own.txt");
        std::fs::write(&own, golden["own"].as_str().unwrap()).unwrap();
        let options = EngineOptions::default();
        let model = TextGenerator::open_directory(place.path(), options, &[]).unwrap();
        let mut names = Vec::new();
        for entry in golden["prompts"].as_array().unwrap() {
            let text = |key: &str| entry[key].as_str().unwrap();
            let given = text("prompt").replace("FILE", &own.display().to_string());
            let wording = Wording::of(&given).unwrap();
            let ids = wording.ids(&model, text("text"), text("from"), text("to"));
            let wanted = entry["ids"].as_array().unwrap().iter();
            let wanted: Vec<u32> = wanted.map(|id| id.as_u64().unwrap() as u32).collect();
            assert_eq!(ids.unwrap(), wanted, "{given}: {}", text("text"));
            names.push(wording.name);
        }
        names.dedup();
        assert_eq!(names.len(), 6);
        assert!(names[4].starts_with("file@") && names[5].starts_with("chat-file@"));
    }
}
