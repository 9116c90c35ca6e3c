//! Which gender a German translation gives to an occupation (WiBeMT, section 2.4; specification, A5).
//!
//! A list of German nouns for each occupation, in `data/wibemt/german-nouns.tsv`, and two ways to look them up: the
//! authors' ([`published`]) and ours ([`phrase`]), which reads the noun phrase and leaves fewer translations
//! undecided. Every verdict names its rule and the words that decided.

mod nouns;
mod phrase;
mod published;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::label::Label;
use crate::JudgeRules;
use nouns::Nouns;

/// Version of the list of nouns, part of every signature.
pub const LIST_VERSION: &str = "german-nouns-1";

/// The two parts of the challenge set are matched differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Verb,
    Adjective,
}

/// What was found in a translation; no label where the rules leave it to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classified {
    pub label: Option<Label>,
    pub rule: &'static str,
    pub evidence: Vec<String>,
}

impl Classified {
    pub fn new(label: Label, rule: &'static str, evidence: Vec<String>) -> Classified {
        Classified {
            label: Some(label),
            rule,
            evidence,
        }
    }

    pub fn unresolved(rule: &'static str, evidence: Vec<String>) -> Classified {
        Classified {
            label: None,
            rule,
            evidence,
        }
    }
}

static NOUNS: LazyLock<BTreeMap<&'static str, Nouns>> = LazyLock::new(nouns::read);

/// Whether the list has the occupation.
pub fn knows(occupation: &str) -> bool {
    NOUNS.contains_key(occupation)
}

pub fn classify(text: &str, occupation: &str, part: Part, judge: JudgeRules) -> Classified {
    let Some(nouns) = NOUNS.get(occupation) else {
        return Classified::unresolved("unknown-occupation", Vec::new());
    };
    if text.trim().is_empty() {
        return Classified::new(Label::Wrong, "empty", Vec::new());
    }
    match judge {
        JudgeRules::Published => published::classify(text, nouns, part),
        JudgeRules::Default => phrase::classify(text, nouns, part),
    }
}

/// Without ASCII punctuation, which is deleted and not replaced.
fn without_punctuation(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_punctuation()).collect()
}
