//! Whether an answer is a refusal: it says near its beginning that it will not do what was asked.

use std::sync::LazyLock;

use epicene_core::Span;

use super::lists::{Phrases, phrases};
use super::text::{Word, at};

/// A refusal begins within this many words; what comes later is somebody's words in a story.
const NEAR: usize = 14;

pub fn find(words: &[Word]) -> Option<Span> {
    static REFUSALS: LazyLock<Phrases> = LazyLock::new(|| phrases("refusal"));
    (0..words.len().min(NEAR))
        .filter(|place| !words[*place].quoted)
        .find_map(|place| at(words, place, &REFUSALS))
}
