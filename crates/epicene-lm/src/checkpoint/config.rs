//! `config.json`: fields with the names and defaults each architecture gives them.

use serde_json::{Map, Value};

use super::CheckpointError;
use crate::cpu::Activation;

const FILE: &str = "config.json";

#[derive(Debug, Clone)]
pub struct Config {
    fields: Map<String, Value>,
    /// For messages.
    file: &'static str,
}

impl Config {
    pub fn parse(text: &str) -> Result<Config, CheckpointError> {
        Config::parse_file(FILE, text)
    }

    /// Another file of settings beside it.
    pub fn parse_file(file: &'static str, text: &str) -> Result<Config, CheckpointError> {
        match serde_json::from_str(text) {
            Ok(Value::Object(fields)) => Ok(Config { fields, file }),
            Ok(_) => Err(CheckpointError::Unreadable {
                file: file.to_owned(),
                problem: "not a JSON object".to_owned(),
            }),
            Err(error) => Err(CheckpointError::Unreadable {
                file: file.to_owned(),
                problem: error.to_string(),
            }),
        }
    }

    /// Fields made up from another container's metadata.
    pub fn from_fields(fields: Map<String, Value>) -> Config {
        Config { fields, file: FILE }
    }

    pub fn get(&self, field: &str) -> Option<&Value> {
        self.fields.get(field).filter(|value| !value.is_null())
    }

    /// The complaint that a field is not as it should be.
    pub fn bad(&self, field: &str, problem: impl Into<String>) -> CheckpointError {
        CheckpointError::Config {
            file: self.file.to_owned(),
            field: field.to_owned(),
            problem: problem.into(),
        }
    }

    pub fn model_type(&self) -> Option<&str> {
        self.get("model_type").and_then(Value::as_str)
    }

    /// The class that was saved, e.g. `BertForMaskedLM`.
    pub fn class(&self) -> Option<&str> {
        self.get("architectures")?.get(0)?.as_str()
    }

    /// A size under the first of the names that is there.
    pub fn size(&self, names: &[&str]) -> Result<usize, CheckpointError> {
        for name in names {
            if let Some(value) = self.get(name) {
                return match value.as_u64() {
                    Some(size @ 1..=100_000_000) => Ok(size as usize),
                    _ => Err(self.bad(name, format!("is {value}, not a size"))),
                };
            }
        }
        let name = names.first().copied().unwrap_or_default();
        Err(self.bad(name, "is missing"))
    }

    pub fn size_or(&self, name: &str, default: usize) -> Result<usize, CheckpointError> {
        match self.get(name) {
            None => Ok(default),
            Some(value) => match value.as_u64() {
                Some(size @ 0..=100_000_000) => Ok(size as usize),
                _ => Err(self.bad(name, format!("is {value}, not a size"))),
            },
        }
    }

    pub fn number(&self, name: &str, default: f64) -> Result<f64, CheckpointError> {
        match self.get(name) {
            None => Ok(default),
            Some(value) => value
                .as_f64()
                .ok_or_else(|| self.bad(name, format!("is {value}, not a number"))),
        }
    }

    pub fn flag(&self, name: &str, default: bool) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or(default)
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::as_str)
    }

    pub fn activation(&self, name: &str, default: &str) -> Result<Activation, CheckpointError> {
        let found = self.text(name).unwrap_or(default);
        Activation::named(found)
            .ok_or_else(|| self.bad(name, format!("is `{found}`, which is not known here")))
    }

    /// Heads and the size of each, checked to divide.
    pub fn heads(&self, names: &[&str], hidden: usize) -> Result<(usize, usize), CheckpointError> {
        let heads = self.size(names)?;
        if !hidden.is_multiple_of(heads) {
            let name = names.first().copied().unwrap_or_default();
            return Err(self.bad(name, format!("is {heads}, which does not divide {hidden}")));
        }
        Ok((heads, hidden / heads))
    }
}
