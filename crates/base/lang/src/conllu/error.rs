//! Why a CoNLL-U file was refused. Every message names the line, so that it can be mended.

use std::io;

/// A parse that cannot be trusted is refused: a shifted column would silently change a measure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    #[error("line {line}: cannot be read: {source}")]
    Io { line: usize, source: io::Error },
    #[error("line {line}: not valid UTF-8")]
    InvalidUtf8 { line: usize },
    #[error("line {line}: expected 10 tab-separated columns, found {found}")]
    ColumnCount { line: usize, found: usize },
    #[error("line {line}: bad token id `{id}`: {reason}")]
    BadId {
        line: usize,
        id: String,
        reason: &'static str,
    },
    #[error("line {line}: the FORM column is empty")]
    EmptyForm { line: usize },
    #[error("line {line}: HEAD is `{head}`, not a token number")]
    BadHead { line: usize, head: String },
    #[error("line {line}: HEAD {head} is outside the sentence, which has {words} words")]
    HeadOutOfRange {
        line: usize,
        head: usize,
        words: usize,
    },
    #[error("line {line}: a comment stands after the first token of a sentence")]
    MisplacedComment { line: usize },
    #[error("line {line}: `# text` and the tokens differ at `{word}`")]
    TextMismatch { line: usize, word: String },
    #[error("line {line}: a document without sentences")]
    EmptyDocument { line: usize },
    #[error("line {line}: the first `# newdoc` comes after a sentence that is in no document")]
    LateDocument { line: usize },
    #[error("no sentence in the file")]
    Empty,
}

impl ReadError {
    /// The line at fault, counted from 1; none where the whole file is.
    pub fn line(&self) -> Option<usize> {
        match self {
            ReadError::Io { line, .. }
            | ReadError::InvalidUtf8 { line }
            | ReadError::ColumnCount { line, .. }
            | ReadError::BadId { line, .. }
            | ReadError::EmptyForm { line }
            | ReadError::BadHead { line, .. }
            | ReadError::HeadOutOfRange { line, .. }
            | ReadError::MisplacedComment { line }
            | ReadError::TextMismatch { line, .. }
            | ReadError::EmptyDocument { line }
            | ReadError::LateDocument { line } => Some(*line),
            ReadError::Empty => None,
        }
    }
}
