//! MT-GenEval's own choices.

use std::str::FromStr;

use crate::options::{Choice, Spec, Stage, Values, required, split};

/// Which sentences are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subset {
    Both,
    Counterfactual,
    Contextual,
}

impl FromStr for Subset {
    type Err = String;

    fn from_str(given: &str) -> Result<Subset, String> {
        match given {
            "both" => Ok(Subset::Both),
            "counterfactual" => Ok(Subset::Counterfactual),
            "contextual" => Ok(Subset::Contextual),
            _ => Err(format!("`{given}` is no subset")),
        }
    }
}

/// What a translator is given of a contextual segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// Context and sentence as one text; the end of the translation is kept.
    Joined,
    /// The sentence alone.
    None,
    /// The line as it is, with its `<sep>`; the translation is cut at it.
    Sep,
}

impl FromStr for Context {
    type Err = String;

    fn from_str(given: &str) -> Result<Context, String> {
        match given {
            "joined" => Ok(Context::Joined),
            "none" => Ok(Context::None),
            "sep" => Ok(Context::Sep),
            _ => Err(format!("`{given}` is no context")),
        }
    }
}

const HEADING: &str = "MT-GenEval";

pub static SUBSET: Choice<Subset> = Choice {
    spec: Spec {
        name: "subset",
        values: Values::OneOf(&["both", "counterfactual", "contextual"]),
        default: Some("both"),
        help: "Which sentences: counterfactual (pairs about a man and a woman), contextual (the sentence before gives the gender), or both",
        heading: HEADING,
        stage: Stage::Data,
    },
    read: required,
};

pub static SPLIT: Choice<String> = split("test");

pub static CONTEXT: Choice<Context> = Choice {
    spec: Spec {
        name: "context",
        values: Values::OneOf(&["joined", "none", "sep"]),
        default: Some("joined"),
        help: "What a translator sees of a contextual segment: context and sentence as one text (joined), the sentence alone (none), or the line with its <sep> (sep)",
        heading: HEADING,
        stage: Stage::Data,
    },
    read: required,
};

/// How a text becomes words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// As the authors' script does: ASCII punctuation separates, other marks stick.
    Published,
    /// Every mark of any script separates, after NFC.
    Unicode,
}

impl FromStr for Words {
    type Err = String;

    fn from_str(given: &str) -> Result<Words, String> {
        match given {
            "published" => Ok(Words::Published),
            "unicode" => Ok(Words::Unicode),
            _ => Err(format!("`{given}` is neither `published` nor `unicode`")),
        }
    }
}

pub static WORDS: Choice<Words> = Choice {
    spec: Spec {
        name: "word-split",
        values: Values::OneOf(&["published", "unicode"]),
        default: Some("published"),
        help: "What separates words: published (white space and ASCII punctuation, as the authors) or unicode (every mark of any script)",
        heading: HEADING,
        stage: Stage::verdicts(&["words"]),
    },
    read: required,
};
