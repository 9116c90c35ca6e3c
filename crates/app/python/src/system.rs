//! A system that is a Python object. Questions go over a channel to the thread that called, and are answered there: a
//! model's thread-local state holds, and Ctrl-C reaches it.

use std::sync::mpsc::{Sender, channel};

use epicene_core::{
    Answer, Capabilities, ErrorKind, ModelKind, Query, System, SystemCard, SystemError,
};
use epicene_lm::LmError;
use epicene_pipeline::exchange::{question_fields, read_answer};
use serde_json::Value;

/// What the thread that called hears.
pub enum Event {
    /// Questions to the system of this number, as JSON.
    Asked {
        system: usize,
        questions: String,
        reply: Sender<Result<String, String>>,
    },
    Done,
}

pub struct PythonSystem {
    pub number: usize,
    pub card: SystemCard,
    pub batch: usize,
    pub probabilities: bool,
    pub events: Sender<Event>,
}

/// A kind of system by the name that manifests use.
pub fn kind(name: &str) -> Option<ModelKind> {
    serde_json::from_value(Value::String(name.to_owned())).ok()
}

impl PythonSystem {
    fn failed(&self, message: impl Into<String>) -> SystemError {
        let message = format!("{}: {}", self.card.name, message.into());
        SystemError::new(ErrorKind::Failed, message)
    }

    fn ask(&self, questions: String) -> Result<String, SystemError> {
        let gone = |_| self.failed("the caller has ended");
        let (reply, replied) = channel();
        let event = Event::Asked {
            system: self.number,
            questions,
            reply,
        };
        self.events
            .send(event)
            .map_err(|error| gone(error.to_string()))?;
        let answer = replied.recv();
        answer
            .map_err(|error| gone(error.to_string()))?
            .map_err(|message| self.failed(message))
    }
}

impl System for PythonSystem {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::of_batches(self.batch)
    }

    fn option_probabilities(&self, _unit: &str) -> Result<bool, SystemError> {
        Ok(self.probabilities)
    }

    fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        let mut questions = Vec::with_capacity(batch.len());
        for (index, query) in batch.iter().enumerate() {
            let Some(mut fields) = question_fields(&query.question) else {
                let error = LmError::WrongQuestion {
                    system: self.card.name.clone(),
                    scorer: query.question.scorer().name(),
                };
                return Err(error.about(index));
            };
            fields.insert("item".to_owned(), query.item.into());
            fields.insert("unit".to_owned(), query.unit.into());
            questions.push(Value::Object(fields));
        }
        let answers = self.ask(Value::Array(questions).to_string())?;
        let answers: Vec<Value> = serde_json::from_str(&answers)
            .map_err(|error| self.failed(format!("its answers are no list: {error}")))?;
        if answers.len() != batch.len() {
            return Err(self.failed(format!(
                "was asked {} questions and gave {} answers",
                batch.len(),
                answers.len()
            )));
        }
        let read = |(index, (query, answer)): (usize, (&Query<'_>, &Value))| {
            read_answer(&query.question, answer).map_err(|problem| {
                let message = format!("item {} ({}): {problem}", query.item, query.unit);
                self.failed(message).about(index)
            })
        };
        batch.iter().zip(&answers).enumerate().map(read).collect()
    }
}
