//! Why a translator could not be opened or did not answer. Keys never stand in a message.

use std::path::PathBuf;

use epicene_core::{ErrorKind, SystemError};
use epicene_lm::LmError;

#[derive(Debug, thiserror::Error)]
pub enum MtError {
    #[error("`{given}`: {message}")]
    Spec { given: String, message: String },

    #[error("{service} needs a key: {variables} is not set")]
    NoKey {
        service: String,
        variables: &'static str,
    },

    #[error("{service} refused the key in {variables} ({status}): {message}")]
    BadKey {
        service: String,
        variables: &'static str,
        status: u16,
        message: String,
    },

    #[error("{service} refused the request ({status}): {message}")]
    Refused {
        service: String,
        status: u16,
        message: String,
    },

    #[error("{service}: the quota is used up ({status}): {message}")]
    Quota {
        service: String,
        status: u16,
        message: String,
    },

    #[error("{service}: {message}")]
    Server { service: String, message: String },

    #[error("{service} does not translate from {from} into {to}: {message}")]
    Language {
        service: String,
        from: String,
        to: String,
        message: String,
    },

    #[error("{service}: a text of {characters} characters is over its limit of {limit}: `{text}`")]
    TooLong {
        service: String,
        characters: usize,
        limit: usize,
        text: String,
    },

    #[error(
        "the budget of {limit:.2} USD has {spent:.2} spent, and the next request would be over it"
    )]
    Budget { limit: f64, spent: f64 },

    #[error("{program}: {message}")]
    Program { program: String, message: String },

    #[error("{}: {message}", path.display())]
    Cache { path: PathBuf, message: String },

    /// Of one text: others would be answered.
    #[error("{error}")]
    OfText { text: String, error: Box<MtError> },

    #[error(transparent)]
    Model(#[from] LmError),
}

impl From<MtError> for SystemError {
    fn from(error: MtError) -> SystemError {
        let kind = if error.blames_text() {
            ErrorKind::Unanswerable
        } else {
            ErrorKind::Failed
        };
        match error {
            MtError::Model(error) => error.into(),
            error => {
                let hint = error.hint();
                SystemError::new(kind, error).with_hint(hint)
            }
        }
    }
}

impl MtError {
    pub(crate) fn of_text(self, text: &str) -> MtError {
        MtError::OfText {
            text: text.to_owned(),
            error: Box::new(self),
        }
    }

    /// Whether another text would have been answered.
    pub fn blames_text(&self) -> bool {
        matches!(
            self,
            MtError::OfText { .. } | MtError::TooLong { .. } | MtError::Refused { status: 413, .. }
        )
    }

    /// What to do about it, where that is not plain from the message.
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            MtError::Spec { .. } => return Some(crate::kind::hint()),
            MtError::NoKey { variables, .. } => {
                return Some(format!(
                    "set {variables} in the environment; keys are read from there only and never written anywhere"
                ));
            }
            MtError::BadKey { .. } => {
                "check that the key is valid and belongs to this service and plan; nothing was lost, and the same command continues"
            }
            MtError::Quota { .. } | MtError::Server { .. } => {
                "what was answered so far is kept; the same command continues"
            }
            MtError::Budget { .. } => {
                "what was answered so far is kept; the same command with a larger --budget continues (a shard of N has an N-th of it)"
            }
            MtError::Language { .. } => "`epicene list translators` says what each one needs",
            MtError::Program { .. } => {
                "on Debian: apt-get install apertium apertium-eng-spa apertium-eng-cat apertium-en-gl"
            }
            MtError::OfText { error, .. } => return error.hint(),
            MtError::Model(error) => return error.hint().map(str::to_owned),
            MtError::Refused { .. } | MtError::TooLong { .. } | MtError::Cache { .. } => {
                return None;
            }
        };
        Some(text.to_owned())
    }
}
