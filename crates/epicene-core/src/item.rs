//! One question's worth of text, with the labels its benchmark needs to count it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A text to score or to translate. Labels are the benchmark's own (`stereotype`, `occupation`…).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Unique within its data set and stable between editions, e.g. `gest:17`.
    pub id: String,
    pub text: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
}

impl Item {
    pub fn new(id: impl Into<String>, text: impl Into<String>) -> Item {
        Item {
            id: id.into(),
            text: text.into(),
            labels: BTreeMap::new(),
        }
    }

    pub fn with_label(mut self, name: &str, value: impl Into<String>) -> Item {
        self.labels.insert(name.to_owned(), value.into());
        self
    }

    pub fn label(&self, name: &str) -> Option<&str> {
        self.labels.get(name).map(String::as_str)
    }
}
