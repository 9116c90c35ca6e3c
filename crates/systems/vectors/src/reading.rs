//! What the readers share: bytes from a stream, errors that name the file.

use std::collections::BTreeSet;
use std::io::{BufRead, Read};

use epicene_core::InputError;

use crate::{Layout, WordVectors};

pub fn io_error(shown: &str, error: &std::io::Error) -> InputError {
    InputError::new(shown, error.to_string())
}

pub fn truncated(shown: &str, what: &str) -> InputError {
    InputError::new(shown, format!("the file ends in the middle of {what}"))
        .with_hint("the file may be truncated; fetch it again")
}

/// Up to `count` bytes from the front of a stream; they are taken off it.
pub fn peek(reader: &mut impl BufRead, count: u64, shown: &str) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    reader
        .take(count)
        .read_to_end(&mut bytes)
        .map_err(|error| io_error(shown, &error))?;
    Ok(bytes)
}

impl WordVectors {
    pub(crate) fn new(name: String, layout: Layout, dimension: usize) -> WordVectors {
        WordVectors {
            name,
            layout,
            dimension,
            words: 0,
            vectors: Default::default(),
            repeated: BTreeSet::new(),
            composed: BTreeSet::new(),
        }
    }

    /// Keeps a vector unless the word has one already.
    pub(crate) fn keep(&mut self, word: &str, vector: Vec<f32>) {
        if self.vectors.contains_key(word) {
            self.repeated.insert(word.to_owned());
        } else {
            self.vectors.insert(word.to_owned(), vector);
        }
    }
}
