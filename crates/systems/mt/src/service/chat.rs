//! A chat model behind an OpenAI-compatible server that is asked to translate:
//! `openai:MODEL@URL[,URL…]`. The wording of the prompt and the reading of the answer are one
//! version, which is part of the system's source and so of every signature.

use std::sync::{Mutex, OnceLock};

use epicene_core::{Language, ModelKind, ServerCard, SystemCard};
use epicene_io::http::{HttpError, Secret};
use epicene_lm::Endpoints;
use epicene_lm::chat::{test_servers, unasked_servers};
use serde_json::{Value, json};

use crate::kind::{Form, Kind, Opened, Opening};
use crate::spec::TranslatorSpec;
use crate::{Direction, Limits, MtError, Price, Translated, Translator};

/// Of the prompt and of [`read`].
pub const PROMPT_VERSION: u32 = 1;

const VARIABLES: &str = "OPENAI_API_KEY";

pub(crate) const KIND: Kind = Kind {
    names: &["openai"],
    options: &[],
    forms: &[Form {
        form: "openai:MODEL@URL[,URL…]",
        about: "a chat model that is asked to translate",
        needs: "OPENAI_API_KEY where the server wants one",
        price: None,
    }],
    check: |spec| parts(spec).map(|_| ()),
    open: Chat::open,
};

/// The model and the addresses it is asked at.
fn parts(spec: &TranslatorSpec) -> Result<(&str, Vec<String>), String> {
    match spec.place().split_once('@') {
        Some((model, urls)) if !model.is_empty() && !urls.is_empty() => {
            Ok((model, urls.split(',').map(str::to_owned).collect()))
        }
        _ => Err("write it as openai:MODEL@URL[,URL…]".to_owned()),
    }
}

struct Chat {
    card: SystemCard,
    model: String,
    endpoints: Endpoints,
    /// What the servers said to the test prompts.
    server: OnceLock<ServerCard>,
    /// The model that answers, as replies name it.
    served: Mutex<Option<String>>,
    paid: bool,
}

impl Chat {
    fn open(spec: &TranslatorSpec, opening: &Opening<'_>) -> Opened {
        let (model, urls) = parts(spec).map_err(|message| spec.refused(message))?;
        let key = Secret::from_environment(&[VARIABLES]);
        let paid = key.is_some();
        Ok(Box::new(Chat {
            card: SystemCard {
                name: model.to_owned(),
                source: format!("openai:{model},prompt={PROMPT_VERSION}"),
                revision: None,
                dtype: None,
                tokenizer: None,
                kind: ModelKind::Translator,
            },
            model: model.to_owned(),
            endpoints: Endpoints::new(&urls, "chat/completions", key, opening.policy)?,
            server: OnceLock::new(),
            served: Mutex::default(),
            paid,
        }))
    }
}

pub fn name(code: &str) -> String {
    Language::closest(code).map_or_else(|| code.to_owned(), |language| language.name().to_owned())
}

/// Version 1.
pub fn prompt(text: &str, from: &str, to: &str) -> String {
    format!(
        "Translate the following sentence from {} into {}. Answer with the translation alone: \
         no quotation marks around it, no notes, no alternatives.\n\n{text}",
        name(from),
        name(to)
    )
}

impl Translator for Chat {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    /// Two servers may give two models one name.
    fn revision(&self, _: Direction<'_>) -> Option<String> {
        Some(self.endpoints.addresses())
    }

    fn server(&self) -> Result<Option<ServerCard>, MtError> {
        if let Some(known) = self.server.get() {
            return Ok(Some(known.clone()));
        }
        let found = self.test()?;
        if let Some(model) = &found.model {
            self.check_model(model)?;
        }
        Ok(Some(self.server.get_or_init(|| found).clone()))
    }

    fn check_server(&self) -> Result<(), MtError> {
        let Some(before) = self.server.get() else {
            return Ok(());
        };
        match before.difference(&self.test()?) {
            Some(why) => Err(MtError::Server {
                service: self.card.name.clone(),
                message: format!("{why}: the model was changed while it was asked"),
            }),
            None => Ok(()),
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            texts: 1,
            characters: 20_000,
            bytes: usize::MAX,
            requests: self.endpoints.limit(),
        }
    }

    /// A server with a key is taken to be paid for; what it costs depends on the model.
    fn price(&self) -> Option<Price> {
        self.paid.then_some(Price {
            dollars_per_million: None,
            as_of: "",
        })
    }

    fn translate(
        &self,
        batch: &[&str],
        Direction { from, to }: Direction<'_>,
    ) -> Result<Vec<Translated>, MtError> {
        batch
            .iter()
            .map(|text| {
                let body = json!({
                    "model": self.model,
                    "messages": [{"role": "user", "content": prompt(text, from, to)}],
                    "temperature": 0,
                });
                let (translated, model) = self
                    .endpoints
                    .post(&body, |answer| Ok((read(text, answer)?, answering(answer))))
                    .map_err(|error| failed(&self.card.name, error))?;
                if let Some(model) = model {
                    self.check_model(&model)?;
                }
                Ok(translated)
            })
            .collect()
    }
}

impl Chat {
    /// Who answers. What costs money is not tested: nobody has agreed to that yet, and replies name the model.
    fn test(&self) -> Result<ServerCard, MtError> {
        if self.paid {
            return Ok(unasked_servers(&self.model, &self.endpoints));
        }
        Ok(test_servers(&self.model, &self.endpoints)?)
    }

    /// Refuses a model that changed since the last answer: two models are not one system.
    fn check_model(&self, model: &str) -> Result<(), MtError> {
        let mut served = self.served.lock().unwrap_or_else(|b| b.into_inner());
        let known = served.get_or_insert_with(|| model.to_owned());
        if known == model {
            return Ok(());
        }
        Err(MtError::Server {
            service: self.card.name.clone(),
            message: format!(
                "`{known}` answered until now, and `{model}` answers now: the model was changed while it was asked"
            ),
        })
    }
}

/// The model that a reply names.
fn answering(answer: &str) -> Option<String> {
    let answer: Value = serde_json::from_str(answer).ok()?;
    let model = answer.get("model")?.as_str()?;
    (!model.is_empty()).then(|| model.to_owned())
}

fn failed(model: &str, error: HttpError) -> MtError {
    let service = model.to_owned();
    let HttpError {
        url,
        status,
        message,
    } = error;
    match status {
        Some(status @ (401 | 403)) => MtError::BadKey {
            service,
            variables: VARIABLES,
            status,
            message,
        },
        Some(status @ 402) => MtError::Quota {
            service,
            status,
            message,
        },
        Some(status @ (400 | 404..=407 | 409..=424 | 426..=428 | 430..=499)) => MtError::Refused {
            service,
            status,
            message,
        },
        _ => MtError::Server {
            service,
            message: format!("{url}: {message}"),
        },
    }
}

/// The translation in an answer: what a model thinks aloud before it, what it adds below a blank
/// line, and quotation marks the sentence did not have are not part of it.
pub fn read(source: &str, answer: &str) -> Result<Translated, String> {
    let answer = super::json(answer)?;
    let message = answer
        .pointer("/choices/0/message")
        .ok_or("the answer holds no message")?;
    if message.get("refusal").is_some_and(Value::is_string) {
        return Ok(Translated::Missing);
    }
    let content = message.get("content").and_then(Value::as_str);
    let content = content.ok_or("the answer's message has no content")?;
    match sentence(source, content) {
        "" => Err("the answer's message is empty".to_owned()),
        text => Ok(Translated::Text(text.to_owned())),
    }
}

/// The translation in what a model says.
pub fn sentence<'a>(source: &str, content: &'a str) -> &'a str {
    let spoken = match content.split_once("</think>") {
        Some((_, spoken)) => spoken,
        None => content,
    };
    let spoken = spoken.trim();
    let first = spoken.split("\n\n").next().unwrap_or(spoken).trim();
    without_quotes(source, first)
}

const QUOTES: [(char, char); 7] = [
    ('"', '"'),
    ('“', '”'),
    ('„', '“'),
    ('„', '”'),
    ('«', '»'),
    ('»', '«'),
    ('\'', '\''),
];

fn without_quotes<'a>(source: &str, text: &'a str) -> &'a str {
    let quoted = |text: &str, (open, close): (char, char)| {
        text.starts_with(open) && text.ends_with(close) && text.chars().count() > 2
    };
    let in_source = QUOTES.iter().any(|marks| quoted(source, *marks));
    let around = QUOTES.iter().find(|marks| quoted(text, **marks));
    match around {
        Some((open, close)) if !in_source => {
            let inner = &text[open.len_utf8()..text.len() - close.len_utf8()];
            // Two quotations in a row are not one.
            if inner.contains(*close) || inner.contains(*open) {
                text
            } else {
                inner.trim()
            }
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(source: &str, content: &str) -> Result<Translated, String> {
        let answer = json!({"choices": [{"message": {"role": "assistant", "content": content}}]});
        read(source, &answer.to_string())
    }

    #[test]
    fn the_prompt_of_version_1() {
        assert_eq!(PROMPT_VERSION, 1);
        assert_eq!(
            prompt("I ran.", "en", "sk"),
            "Translate the following sentence from English into Slovak. Answer with the translation alone: no quotation marks around it, no notes, no alternatives.\n\nI ran."
        );
    }

    #[test]
    fn only_the_translation_is_kept() {
        for (source, content, expected) in [
            ("I ran.", "Bežal som.", "Bežal som."),
            ("I ran.", "  Bežal som.\n", "Bežal som."),
            ("I ran.", "\"Bežal som.\"", "Bežal som."),
            ("I ran.", "„Bežal som.“", "Bežal som."),
            ("\"I ran.\"", "„Bežal som.“", "„Bežal som.“"),
            ("I ran.", "\"Ja\" a \"ty\"", "\"Ja\" a \"ty\""),
            ("I ran.", "Bežal som.\n\nNote: masculine.", "Bežal som."),
            ("I ran.", "<think>hm</think>\n\nBežal som.", "Bežal som."),
        ] {
            let expected = Translated::Text(expected.to_owned());
            assert_eq!(said(source, content).unwrap(), expected, "{content}");
        }
        assert!(said("I ran.", " ").is_err());
        assert!(read("I ran.", "{}").is_err());
        let refused = json!({"choices": [{"message": {"refusal": "no", "content": null}}]});
        assert_eq!(
            read("I ran.", &refused.to_string()).unwrap(),
            Translated::Missing
        );
    }
}
