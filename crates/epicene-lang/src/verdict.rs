//! What a judge says about one text, and which words made it say so.

use epicene_core::Gender;

/// A word that decided, as characters (not bytes) of the judged text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    pub text: String,
    /// First character, counted from 0.
    pub start: usize,
    /// One past the last character.
    pub end: usize,
}

/// The verdict on one text. `gender` is `None` when nothing in the text shows a gender.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdict {
    pub gender: Option<Gender>,
    /// Name of the rule that decided; empty when none did.
    pub rule: &'static str,
    pub evidence: Vec<Evidence>,
}

impl Verdict {
    /// No gender was found.
    pub fn unknown() -> Verdict {
        Verdict::default()
    }
}
