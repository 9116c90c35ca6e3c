//! Whether an answer is a refusal: it says near its beginning that it will not do what was asked.

use std::sync::LazyLock;

use epicene_core::Span;

use super::lists::{Phrases, phrases};
use super::text::{Word, at, longest, span};

/// A refusal begins within this many words; what comes later is somebody's words in a story.
const NEAR: usize = 14;
/// Words between "I can't" and the verb.
const BETWEEN: usize = 3;

struct Lists {
    whole: Phrases,
    outright: Phrases,
    modals: Phrases,
    verbs: Phrases,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| Lists {
    whole: phrases("refusal"),
    outright: phrases("refusal outright"),
    modals: phrases("refusal modal"),
    verbs: phrases("refusal verb"),
});

pub fn find(words: &[Word]) -> Option<Span> {
    (0..words.len().min(NEAR))
        .filter(|place| !words[*place].quoted)
        .find_map(|place| at(words, place, &LISTS.whole).or_else(|| unwilling(words, place)))
}

/// A refusal that stands beside other words, such as that it cannot be told.
pub fn find_outright(words: &[Word]) -> Option<Span> {
    (0..words.len().min(NEAR))
        .filter(|place| !words[*place].quoted)
        .find_map(|place| at(words, place, &LISTS.outright))
}

/// "I can't … guess".
fn unwilling(words: &[Word], place: usize) -> Option<Span> {
    let modal = longest(words, place, &LISTS.modals).filter(|count| *count > 0)?;
    let sentence = words[place].sentence;
    (place + modal..=place + modal + BETWEEN).find_map(|verb| {
        let count = longest(words, verb, &LISTS.verbs).filter(|count| *count > 0)?;
        // "I can't help but smile" and "I can't choose anything but C" refuse nothing.
        let mut next = words.iter().skip(verb + count).take(2);
        let idiom = next.any(|word| word.lower == "but" && word.sentence == sentence);
        (words[verb].sentence == sentence && !idiom).then(|| span(words, place, verb + count))
    })
}
