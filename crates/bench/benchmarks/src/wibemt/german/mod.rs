//! Which gender a German translation gives to an occupation (WiBeMT, section 2.4; specification, A5).
//!
//! A list of German nouns for each occupation, in `data/wibemt/german-nouns.tsv`, and two ways to look them up: the
//! authors' ([`published`]) and ours ([`phrase`]), which reads the noun phrase and leaves fewer translations
//! undecided. Every verdict names its rule and the words that decided.

mod nouns;
mod phrase;
mod plain;
mod published;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use epicene_core::{Finding, Span, Verdict};

use super::label::Label;
use crate::options::DetectorRules;
use nouns::Nouns;

/// Version of the list of nouns, part of every signature.
pub(crate) const LIST_VERSION: &str = "german-nouns-1";

/// The two parts of the challenge set are matched differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChallengePart {
    Verb,
    Adjective,
}

/// What was found, with the words that decided.
fn found(label: Label, rule: &'static str, evidence: impl IntoIterator<Item = Span>) -> Verdict {
    Verdict::new(label.finding(), rule).with_evidence(evidence)
}

/// The rules leave it to a person.
fn unresolved(rule: &'static str, evidence: impl IntoIterator<Item = Span>) -> Verdict {
    Verdict::new(Finding::Undecided, rule).with_evidence(evidence)
}

static NOUNS: LazyLock<BTreeMap<&'static str, Nouns>> = LazyLock::new(nouns::read);

/// Whether the list has the occupation.
pub fn knows(occupation: &str) -> bool {
    NOUNS.contains_key(occupation)
}

pub fn classify(
    text: &str,
    occupation: &str,
    part: ChallengePart,
    judge: DetectorRules,
) -> Verdict {
    let Some(nouns) = NOUNS.get(occupation) else {
        return unresolved("unknown-occupation", []);
    };
    if text.trim().is_empty() {
        return found(Label::Wrong, "empty", []);
    }
    match judge {
        DetectorRules::Published => published::classify(text, nouns, part),
        DetectorRules::Epicene => phrase::classify(text, nouns, part),
    }
}
