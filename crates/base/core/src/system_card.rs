//! Who answered: enough to ask the same system again.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a system works: a language model that reads all of a text at once or from left to right, a
/// translator, or a model that holds a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelKind {
    Masked,
    Causal,
    Translator,
    Chat,
}

impl ModelKind {
    pub fn name(self) -> &'static str {
        match self {
            ModelKind::Masked => "masked",
            ModelKind::Causal => "causal",
            ModelKind::Translator => "translator",
            ModelKind::Chat => "chat",
        }
    }
}

impl fmt::Display for ModelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A system as a run's manifest records it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemCard {
    /// The name rows carry, e.g. `roberta-base`.
    pub name: String,
    /// Where it came from, e.g. `file:english_mlm.csv.gz` (never a path of this machine).
    pub source: String,
    /// Hash or commit of exactly what answered.
    pub revision: Option<String>,
    /// Arithmetic of the model, where it is known.
    pub dtype: Option<String>,
    /// How text becomes tokens, where the model is run here: `bpe`, `wordpiece`, `unigram`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokenizer: Option<String>,
    pub kind: ModelKind,
}

impl SystemCard {
    /// Whether this is a control whose result is known beforehand: it is measured, and left out of
    /// everything that is said about several systems together.
    pub fn is_null(&self) -> bool {
        self.source.starts_with("random:") || self.source.starts_with("always:")
    }

    /// What the observation key is made from: everything that could change an answer.
    pub fn identity(&self) -> String {
        format!(
            "{}\u{1f}{}\u{1f}{}\u{1f}{}\u{1f}{}\u{1f}{}",
            self.name,
            self.source,
            self.revision.as_deref().unwrap_or(""),
            self.dtype.as_deref().unwrap_or(""),
            self.tokenizer.as_deref().unwrap_or(""),
            self.kind,
        )
    }
}
