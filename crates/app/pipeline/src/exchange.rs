//! Questions and answers as lines of JSON, for whoever answers elsewhere: another process, another machine, another
//! program. A question carries everything needed to answer it; an answer is what a log holds.

use epicene_core::{
    Answer, ChatQuestion, Item, LikelihoodMethod, Message, Question, Sampling, Scorer,
};
use epicene_run::{Manifest, Probe, Sha256Digest};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The fields of a line that are the question's; others are the asker's own and come back with the answer.
pub const QUESTION_FIELDS: [&str; 20] = [
    "task",
    "text",
    "texts",
    "masculine",
    "feminine",
    "one_token",
    "whole",
    "prompt",
    "context",
    "words",
    "continuations",
    "from",
    "to",
    "embedding",
    "messages",
    "options",
    "log_probabilities",
    "sampling",
    "max_tokens",
    "stop",
];

/// One line's object; which fields it needs is the task's to say.
#[derive(Debug, Clone, Deserialize)]
pub struct AskedLine {
    pub id: Option<Value>,
    pub text: Option<String>,
    pub texts: Option<Vec<String>>,
    masculine: Option<String>,
    feminine: Option<String>,
    prompt: Option<String>,
    context: Option<String>,
    words: Option<Vec<String>>,
    /// Fields that only some tasks have are the asker's own in others.
    #[serde(flatten)]
    further: Map<String, Value>,
}

impl AskedLine {
    /// The task that the line brings.
    pub fn task(&self) -> Result<Option<Scorer>, String> {
        self.further("task")
    }

    /// A place of the question in its benchmark, `item` or `unit`; empty where the line does not say.
    pub fn place(&self, name: &str) -> String {
        let place = self.further.get(name).and_then(Value::as_str);
        place.unwrap_or_default().to_owned()
    }

    fn further<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, String> {
        let Some(value) = self.further.get(name) else {
            return Ok(None);
        };
        let read = T::deserialize(value);
        read.map(Some).map_err(|error| format!("`{name}`: {error}"))
    }

    /// The question of a line for a task; `embeddings` where every line wants them.
    pub fn question(&self, task: Scorer, embeddings: bool) -> Result<Question, String> {
        let lacks = |what: &str| format!("a {} question needs {what}", task.name());
        let field = |value: &Option<String>, name: &str| {
            value.clone().ok_or_else(|| lacks(&format!("`{name}`")))
        };
        match task {
            Scorer::Likelihood(method) => {
                let embedding = self.further("embedding")?.unwrap_or(false);
                self.likelihood(method, embeddings || embedding)
            }
            Scorer::MaskedPair => Ok(Question::MaskedPair {
                masculine: field(&self.masculine, "masculine")?,
                feminine: field(&self.feminine, "feminine")?,
                one_token: self.further("one_token")?.unwrap_or(false),
            }),
            Scorer::NextWord => Ok(Question::NextWord {
                prompt: field(&self.prompt, "prompt")?,
                masculine: field(&self.masculine, "masculine")?,
                feminine: field(&self.feminine, "feminine")?,
            }),
            Scorer::TextPair => Ok(Question::TextPair {
                masculine: field(&self.masculine, "masculine")?,
                feminine: field(&self.feminine, "feminine")?,
                whole: self.further("whole")?.unwrap_or(true),
            }),
            Scorer::FilledBlank => {
                let context = field(&self.context, "context")?;
                if !context.contains("BLANK") {
                    return Err("there is no BLANK in `context`".to_owned());
                }
                let words = self.words.clone().ok_or_else(|| lacks("`words`, a list"))?;
                Ok(Question::FilledBlank { context, words })
            }
            Scorer::Continuations => {
                let continuations: Option<Vec<String>> = self.further("continuations")?;
                let continuations = continuations.filter(|texts| !texts.is_empty());
                Ok(Question::Continuations {
                    context: field(&self.context, "context")?,
                    continuations: continuations.ok_or_else(|| lacks("`continuations`, a list"))?,
                })
            }
            Scorer::Translate => Ok(Question::Translate {
                text: field(&self.text, "text")?,
                from: self.further("from")?.unwrap_or_else(|| "en".to_owned()),
                to: self.further("to")?.ok_or_else(|| lacks("`to`"))?,
            }),
            Scorer::Chat | Scorer::ChoiceLogprob | Scorer::ChoiceSampled => {
                let messages: Option<Vec<Message>> = self.further("messages")?;
                let messages = messages.filter(|turns| !turns.is_empty());
                Ok(Question::Chat(Box::new(ChatQuestion {
                    messages: messages.ok_or_else(|| lacks("`messages`, a list"))?,
                    options: self.further("options")?.unwrap_or_default(),
                    log_probabilities: self.further("log_probabilities")?.unwrap_or(false),
                    sampling: self.further::<Sampling>("sampling")?.unwrap_or_default(),
                    max_tokens: self
                        .further("max_tokens")?
                        .ok_or_else(|| lacks("`max_tokens`"))?,
                    stop: self.further("stop")?.unwrap_or_default(),
                })))
            }
            Scorer::GroupMeans => Err(format!("{task} is no task of a line")),
        }
    }

    fn likelihood(&self, method: LikelihoodMethod, embeddings: bool) -> Result<Question, String> {
        let lacks = |what: &str| format!("a {} question needs {what}", method.name());
        match (&self.text, &self.texts) {
            (_, texts) if method.needs_pair() => match texts {
                Some(texts) if texts.len() == 2 => Ok(Question::Likelihood {
                    texts: texts.clone(),
                    method,
                }),
                _ => Err(lacks("`texts`, a list of two")),
            },
            (Some(text), None) if embeddings => Ok(Question::Embedded {
                text: text.clone(),
                method,
            }),
            (Some(text), None) => Ok(Question::Likelihood {
                texts: vec![text.clone()],
                method,
            }),
            (None, Some(_)) if embeddings => Err(lacks("`text` with --embeddings")),
            (None, Some(texts)) => Ok(Question::Likelihood {
                texts: texts.clone(),
                method,
            }),
            _ => Err(lacks("either `text` or `texts`")),
        }
    }
}

/// The fields of a question, the task among them; `None` of one that nobody can be asked.
pub fn question_fields(question: &Question) -> Option<Map<String, Value>> {
    if *question == Question::GroupMeans {
        return None;
    }
    match serde_json::to_value(question) {
        Ok(Value::Object(fields)) => Some(fields),
        _ => unreachable!("every question is an object"),
    }
}

/// An answer to a question, from a line: as a log has it, or in short a number for a ratio, a list for likelihoods, a
/// text for a translation, `null` where there is none.
pub fn read_answer(question: &Question, value: &Value) -> Result<Answer, String> {
    let short = match (question, value) {
        (_, Value::Null) => Some(Answer::Missing),
        (Question::MaskedPair { .. } | Question::NextWord { .. }, Value::Number(number)) => {
            number.as_f64().map(Answer::Log10Ratio)
        }
        (Question::Translate { .. }, Value::String(text)) => {
            Some(Answer::Translation(text.clone()))
        }
        (Question::Likelihood { .. } | Question::FilledBlank { .. }, Value::Array(_)) => {
            let values =
                Deserialize::deserialize(value).map_err(|e: serde_json::Error| e.to_string())?;
            Some(Answer::Likelihoods(values))
        }
        _ => None,
    };
    let answer = match short {
        Some(answer) => answer,
        None => Deserialize::deserialize(value)
            .map_err(|error: serde_json::Error| format!("`answer` is none ({error})"))?,
    };
    if !answer.is_finite() {
        return Err("the answer is not a finite number".to_owned());
    }
    let fits = match (question, answer.plain().0) {
        (_, Answer::Missing) => true,
        (Question::MaskedPair { .. } | Question::NextWord { .. }, Answer::Log10Ratio(_)) => true,
        (Question::TextPair { .. }, Answer::TextPair(_)) => true,
        (Question::Translate { .. }, Answer::Translation(_)) => true,
        (Question::Likelihood { texts, .. }, Answer::Likelihoods(values)) => {
            texts.len() == values.len()
        }
        (Question::FilledBlank { words, .. }, Answer::Likelihoods(values)) => {
            words.len() == values.len()
        }
        (Question::Continuations { continuations, .. }, Answer::Continuations(scores)) => {
            continuations.len() == scores.len()
        }
        (Question::Embedded { .. }, Answer::Sentence { .. }) => true,
        (Question::Chat(_), Answer::Chat(_)) => true,
        _ => false,
    };
    if fits {
        Ok(answer)
    } else {
        Err(format!(
            "this is no answer to a {} question",
            question.scorer().name()
        ))
    }
}

/// Names the questions of a plan, whoever answers them: benchmark, data, options, limit, inputs and units.
pub fn plan_hash(manifest: &Manifest, probes: &[Probe]) -> String {
    let mut digest = Sha256Digest::default();
    let mut add = |text: &str| digest.update_field(text.as_bytes());
    add(&manifest.benchmark);
    add(&manifest.data.short());
    add(&manifest
        .limit
        .map_or_else(String::new, |limit| limit.to_string()));
    for (name, value) in &manifest.options {
        add(name);
        add(value);
    }
    for (role, card) in &manifest.inputs {
        add(role);
        add(&card.sha256);
    }
    for probe in probes {
        add(probe.ask.unit.as_str());
        add(probe.ask.scorer.name());
    }
    digest.short_hex()
}

/// The id of a question: its place, and a hash that only this question of this plan has.
pub fn question_id(plan: &str, index: usize, item: &Item, probe: &Probe) -> String {
    let mut digest = Sha256Digest::default();
    for field in [
        plan,
        &item.id,
        &item.text,
        probe.ask.unit.as_str(),
        probe.ask.scorer.name(),
    ] {
        digest.update_field(field.as_bytes());
    }
    let hash = digest.short_hex();
    format!("{}/{}/{}", index + 1, probe.ask.unit, &hash[..16])
}

/// Item and unit of a question by its id.
pub fn place_of(id: &str) -> Option<(usize, &str)> {
    let (line, rest) = id.split_once('/')?;
    let (unit, _) = rest.rsplit_once('/')?;
    let line: usize = line.parse().ok()?;
    Some((line.checked_sub(1)?, unit))
}

#[cfg(test)]
mod tests {
    use epicene_core::{Ask, Unit};
    use serde_json::json;

    use super::*;

    fn all() -> Vec<Question> {
        let text = || "Žena je \"tu\".".to_owned();
        vec![
            Question::MaskedPair {
                masculine: text(),
                feminine: text(),
                one_token: true,
            },
            Question::MaskedPair {
                masculine: text(),
                feminine: text(),
                one_token: false,
            },
            Question::NextWord {
                prompt: text(),
                masculine: text(),
                feminine: text(),
            },
            Question::TextPair {
                masculine: text(),
                feminine: text(),
                whole: false,
            },
            Question::Translate {
                text: text(),
                from: "hu".to_owned(),
                to: "sk".to_owned(),
            },
            Question::Likelihood {
                texts: vec![text(), text()],
                method: LikelihoodMethod::ALL[0],
            },
            Question::Embedded {
                text: text(),
                method: LikelihoodMethod::ALL[0],
            },
            Question::FilledBlank {
                context: "BLANK".to_owned(),
                words: vec![text()],
            },
            Question::Continuations {
                context: text(),
                continuations: vec![text(), text()],
            },
            Question::Chat(Box::new(ChatQuestion {
                messages: vec![Message::user("Who?")],
                options: vec!["A".to_owned()],
                log_probabilities: true,
                sampling: Sampling {
                    temperature: 0.7,
                    seed: 3,
                    ..Sampling::default()
                },
                max_tokens: 7,
                stop: vec!["\n".to_owned()],
            })),
        ]
    }

    #[test]
    fn questions_go_out_and_come_back() {
        for question in all() {
            let fields = question_fields(&question).unwrap();
            assert!(
                fields
                    .keys()
                    .all(|name| QUESTION_FIELDS.contains(&name.as_str()))
            );
            let line: AskedLine = serde_json::from_value(Value::Object(fields)).unwrap();
            let task = line.task().unwrap().unwrap();
            assert_eq!(line.question(task, false), Ok(question));
        }
    }

    #[test]
    fn an_answer_must_fit_its_question() {
        let questions = all();
        let fits = |place: usize, value: Value| read_answer(&questions[place], &value);
        assert_eq!(fits(0, json!(0.5)), Ok(Answer::Log10Ratio(0.5)));
        assert_eq!(
            fits(0, json!({"log10_ratio": 0.5})),
            Ok(Answer::Log10Ratio(0.5))
        );
        assert_eq!(
            fits(4, json!("missing")),
            Ok(Answer::Translation("missing".to_owned()))
        );
        assert_eq!(fits(4, json!(null)), Ok(Answer::Missing));
        assert_eq!(
            fits(5, json!([-1.0, null])),
            Ok(Answer::Likelihoods(vec![Some(-1.0), None]))
        );
        for (place, value) in [
            (0, json!("he")),
            (0, json!({"translation": "x"})),
            (0, json!({"log10_ratio": 1e9})),
            (4, json!(1)),
            (5, json!([1.0])),
            (6, json!([1.0])),
        ] {
            assert!(fits(place, value.clone()).is_err(), "{value}");
        }
    }

    #[test]
    fn ids_know_their_place() {
        let probe = Probe {
            system: 0,
            ask: Ask::new(Unit::of("prompt", "2/3"), Scorer::NextWord),
        };
        let id = question_id("plan", 16, &Item::new("gest:17", "I ran."), &probe);
        assert_eq!(place_of(&id), Some((16, "prompt:2/3")));
        for bad in ["", "17", "0/a/b", "x/a/b", "1/b"] {
            assert_eq!(place_of(bad), None, "{bad}");
        }
    }
}
