//! `config.json`: fields with the names each architecture gives them. What a file leaves out has `transformers`'
//! default, what is not understood is refused ([`super::fields`]).

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value};

use super::CheckpointError;
use super::defaults::{Class, Writer, of_generation, same};
use super::fields::Fields;
use epicene_kernels::Activation;

const FILE: &str = "config.json";
/// More than any model has; keeps a slip from filling the memory.
const MOST_LAYERS: usize = 4096;

#[derive(Debug, Clone)]
pub struct Config {
    fields: Map<String, Value>,
    /// For messages.
    file: &'static str,
    /// Whether it is a file of `transformers`, and not another container's metadata.
    written: bool,
    /// Whose defaults hold for absent fields.
    reading: Option<(Class, Fields)>,
    remarks: Arc<Mutex<BTreeSet<String>>>,
}

impl Config {
    pub fn parse(text: &str) -> Result<Config, CheckpointError> {
        Config::parse_file(FILE, text)
    }

    /// Another file of settings beside it.
    pub fn parse_file(file: &'static str, text: &str) -> Result<Config, CheckpointError> {
        match serde_json::from_str(text) {
            Ok(Value::Object(fields)) => Ok(Config {
                fields,
                file,
                written: true,
                reading: None,
                remarks: Arc::default(),
            }),
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
        Config {
            fields,
            file: FILE,
            written: false,
            reading: None,
            remarks: Arc::default(),
        }
    }

    /// With remarks that go where those of the model's configuration go.
    pub fn remarking(self, config: &Config) -> Config {
        Config {
            remarks: config.remarks.clone(),
            ..self
        }
    }

    /// Without the fields a user wants ignored; which of them were there is remarked.
    pub fn ignoring(mut self, ignored: &[String]) -> Config {
        for field in ignored {
            if self.fields.remove(field).is_some() {
                self.remark(format!("ignore-config={field}"));
            }
        }
        self
    }

    /// With fields under other names, where those are not there.
    pub fn renamed(&self, names: &[(&str, &str)]) -> Config {
        let mut renamed = self.clone();
        for (old, new) in names {
            if let Some(value) = self.stored(old)
                && self.stored(new).is_none()
            {
                renamed.fields.insert((*new).to_owned(), value.clone());
            }
        }
        renamed
    }

    /// The configuration that stands inside this one, of which only `outer` fields are understood. Older files have no
    /// such field: there the two are mixed.
    pub fn inside(
        self,
        field: &str,
        outer: Fields,
        model_type: &str,
    ) -> Result<Config, CheckpointError> {
        let version = self.stored("transformers_version").cloned();
        let mut fields = match self.stored(field) {
            Some(Value::Object(inner)) => {
                let mut inner = inner.clone();
                self.clone().read_with(outer)?;
                const TIED: &str = "tie_word_embeddings";
                match (self.stored(TIED), inner.get(TIED)) {
                    // Version 4 asks the inner one, version 5 the outer one; a stored head is used in any case.
                    (Some(one), Some(other)) if one != other && self.writer() == Writer::Four => {}
                    (Some(tied), _) => drop(inner.insert(TIED.to_owned(), tied.clone())),
                    _ => {}
                }
                inner
            }
            Some(value) => return Err(self.bad(field, format!("is {}", short(value)))),
            None => {
                let mut mixed = self.fields.clone();
                mixed.retain(|name, _| name != "model_type" && !outer.is_harmless(name));
                mixed
            }
        };
        let stated = fields
            .entry("model_type")
            .or_insert_with(|| model_type.into());
        if stated.is_null() {
            *stated = model_type.into();
        }
        if let Some(version) = version {
            fields.insert("transformers_version".to_owned(), version);
        }
        Ok(Config { fields, ..self })
    }

    /// The configuration as an architecture reads it: other names resolved, defaults known, nothing unknown in it.
    pub fn read_with(mut self, fields: Fields) -> Result<Config, CheckpointError> {
        let class = self
            .model_type()
            .and_then(|model_type| Class::of(model_type, self.writer()));
        let Some(class) = class.filter(|_| self.written) else {
            return Ok(self);
        };
        let given: Vec<String> = self.fields.keys().cloned().collect();
        for alias in given {
            let Some(name) = class.alias(&alias) else {
                continue;
            };
            let value = self.fields.remove(&alias).unwrap_or_default();
            match self.fields.get(name) {
                Some(other) if !same(other, &value) => {
                    let problem = format!("is {value}, but `{name}`, the same thing, is {other}");
                    return Err(self.bad(&alias, problem));
                }
                _ => self.fields.insert(name.to_owned(), value),
            };
        }
        for (field, value) in &self.fields {
            let known = fields.covers(field) || class.is_default(field, value);
            if !known && !self.is_unpacked(field) {
                return Err(self.unknown_field(field, value));
            }
        }
        self.reading = Some((class, fields));
        Ok(self)
    }

    /// The generation of `transformers` that wrote the file.
    pub fn writer(&self) -> Writer {
        Writer::of(self.stored("transformers_version").and_then(Value::as_str))
    }

    /// Whether `transformers` wrote it, and not a converter to another container.
    pub fn is_written(&self) -> bool {
        self.written
    }

    /// What a system's card has to say about how the files were read.
    pub fn remark(&self, remark: impl Into<String>) {
        if let Ok(mut remarks) = self.remarks.lock() {
            remarks.insert(remark.into());
        }
    }

    /// Says that the two generations of `transformers` would read this differently.
    pub fn remark_writer(&self) {
        self.remark(format!("as-{}", self.writer().name()));
    }

    pub fn remarks(&self) -> Vec<String> {
        match self.remarks.lock() {
            Ok(remarks) => remarks.iter().cloned().collect(),
            Err(_) => Vec::new(),
        }
    }

    /// A field that the file has, null left out.
    pub fn stored(&self, field: &str) -> Option<&Value> {
        self.fields.get(field).filter(|value| !value.is_null())
    }

    /// Whether the file has the field, as null.
    pub fn is_null(&self, field: &str) -> bool {
        self.fields.get(field).is_some_and(Value::is_null)
    }

    /// A field of the file, or its default; null is none.
    pub fn get(&self, field: &str) -> Option<&Value> {
        if let Some((class, fields)) = &self.reading {
            let known = fields.covers(field) || of_generation(field).is_some();
            debug_assert!(known, "`{field}` is read but not declared");
            if let Some(value) = self.fields.get(field).or_else(|| class.default(field)) {
                return Some(value).filter(|value| !value.is_null());
            }
        }
        self.stored(field)
    }

    /// Whether the architecture has said that it reads the field; of made-up fields all are read.
    pub fn declares(&self, field: &str) -> bool {
        match &self.reading {
            Some((_, fields)) => fields.covers(field),
            None => true,
        }
    }

    /// As `get`; a null that stands in the file where `transformers` has a value by itself is an error.
    fn needed(&self, field: &str) -> Result<Option<&Value>, CheckpointError> {
        if let Some((class, _)) = &self.reading
            && self.fields.get(field).is_some_and(Value::is_null)
            && class.default(field).is_some_and(|value| !value.is_null())
        {
            return Err(self.bad(field, "is null"));
        }
        Ok(self.get(field))
    }

    /// The complaint that a field is not as it should be.
    pub fn bad(&self, field: &str, problem: impl Into<String>) -> CheckpointError {
        CheckpointError::Config {
            file: self.file.to_owned(),
            field: field.to_owned(),
            problem: problem.into(),
        }
    }

    /// The complaint that a field is not understood.
    pub fn unknown_field(&self, field: &str, value: &Value) -> CheckpointError {
        CheckpointError::UnknownField {
            file: self.file.to_owned(),
            field: field.to_owned(),
            value: short(value),
        }
    }

    /// Every field of the file.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.fields
            .iter()
            .map(|(field, value)| (field.as_str(), value))
    }

    /// The complaint that a value is not known.
    pub fn unknown(&self, field: &str) -> CheckpointError {
        let value = self.get(field).map(short).unwrap_or_default();
        self.bad(field, format!("is {value}, which is not supported"))
    }

    pub fn model_type(&self) -> Option<&str> {
        self.stored("model_type").and_then(Value::as_str)
    }

    /// The class that was saved, e.g. `BertForMaskedLM`.
    pub fn class(&self) -> Option<&str> {
        self.stored("architectures")?.get(0)?.as_str()
    }

    /// A size under the first of the names that is there.
    pub fn size(&self, names: &[&str]) -> Result<usize, CheckpointError> {
        for name in names {
            if let Some(value) = self.needed(name)? {
                return self.as_size(name, value, 1);
            }
        }
        let name = names.first().copied().unwrap_or_default();
        Err(self.bad(name, "is missing"))
    }

    fn as_size(&self, name: &str, value: &Value, least: u64) -> Result<usize, CheckpointError> {
        match value.as_u64() {
            Some(size) if (least..=100_000_000).contains(&size) => Ok(size as usize),
            _ => Err(self.bad(name, format!("is {}, not a size", short(value)))),
        }
    }

    /// A number of layers.
    pub fn layers(&self, names: &[&str]) -> Result<usize, CheckpointError> {
        let count = self.size(names)?;
        if count > MOST_LAYERS {
            let name = names.first().copied().unwrap_or_default();
            Err(self.bad(name, format!("is {count}, more layers than any model has")))
        } else {
            Ok(count)
        }
    }

    pub fn size_or(&self, name: &str, default: usize) -> Result<usize, CheckpointError> {
        match self.needed(name)? {
            None => Ok(default),
            Some(value) => self.as_size(name, value, 0),
        }
    }

    /// A size of at least one, or none where the field is null or absent.
    pub fn optional_size(&self, name: &str) -> Result<Option<usize>, CheckpointError> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => self.as_size(name, value, 1).map(Some),
        }
    }

    pub fn number(&self, name: &str, default: f64) -> Result<f64, CheckpointError> {
        match self.needed(name)? {
            None => Ok(default),
            Some(value) => self.as_number(name, value),
        }
    }

    fn as_number(&self, name: &str, value: &Value) -> Result<f64, CheckpointError> {
        match value.as_f64() {
            Some(number) if number.is_finite() => Ok(number),
            _ => Err(self.bad(name, format!("is {}, not a number", short(value)))),
        }
    }

    /// A number above zero, or none where the field is null or absent.
    pub fn optional_positive(&self, name: &str) -> Result<Option<f64>, CheckpointError> {
        match self.get(name) {
            None => Ok(None),
            Some(_) => self.positive(name, 1.0).map(Some),
        }
    }

    /// A number above zero.
    pub fn positive(&self, name: &str, default: f64) -> Result<f64, CheckpointError> {
        match self.number(name, default)? {
            number if number > 0.0 => Ok(number),
            number => Err(self.bad(name, format!("is {number}, not above zero"))),
        }
    }

    /// What is added to a variance.
    pub fn epsilon(&self, name: &str, default: f64) -> Result<f64, CheckpointError> {
        match self.number(name, default)? {
            number if (0.0..1.0).contains(&number) => Ok(number),
            number => Err(self.bad(name, format!("is {number}, which no norm can use"))),
        }
    }

    pub fn flag(&self, name: &str, default: bool) -> Result<bool, CheckpointError> {
        match self.get(name) {
            None if self.fields.get(name).is_some_and(Value::is_null) => Ok(false),
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(value) => Err(self.bad(name, format!("is {}, not true or false", short(value)))),
        }
    }

    /// Refuses a flag that asks for something this engine does not do.
    pub fn refuse(&self, name: &str) -> Result<(), CheckpointError> {
        if self.flag(name, false)? {
            Err(self.unknown(name))
        } else {
            Ok(())
        }
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).and_then(Value::as_str)
    }

    pub fn activation(&self, name: &str, default: &str) -> Result<Activation, CheckpointError> {
        let found = match self.needed(name)? {
            None => default,
            Some(Value::String(found)) => found,
            Some(value) => return Err(self.bad(name, format!("is {}, not a name", short(value)))),
        };
        Activation::named(found)
            .ok_or_else(|| self.bad(name, format!("is `{found}`, which is not supported")))
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

/// A value as a message shows it.
pub fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
