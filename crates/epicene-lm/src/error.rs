//! Why a system could not answer.

#[derive(Debug, thiserror::Error)]
pub enum LmError {
    #[error("{system} cannot answer a `{scorer}` question")]
    WrongQuestion {
        system: String,
        scorer: &'static str,
    },

    #[error("{system} has no answer for item {item} ({unit})")]
    NoAnswer {
        system: String,
        item: String,
        unit: String,
    },
}
