//! Choices of this benchmark that change a number after the translations are in.

use std::fmt;
use std::str::FromStr;

use crate::Options;
use crate::options::{Choice, Needs, Spec, Stage, Values, required, switch};

/// Which of several target words decides (specification, section 5.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    /// The right-most one, as published.
    Last,
    First,
    /// The gender most of them have; the earlier one on a tie.
    Majority,
    /// The last one that is masculine or feminine.
    AnyGendered,
    /// The one that translates the occupation according to the lexicon, else the last.
    HeadNoun,
}

const HEADING: &str = "Detector";

pub static PICK: Choice<Pick> = Choice {
    spec: Spec {
        name: "pick",
        values: Values::OneOf(&["last", "first", "majority", "any-gendered", "head-noun"]),
        default: Some("last"),
        help: "Which of several aligned words decides: last (published), first, majority, any-gendered or head-noun",
        heading: HEADING,
        stage: Stage::verdicts(&["pick"]).needing(Needs::PublishedTags),
    },
    read: required,
};

pub static LABELLED_ONLY: Choice<bool> = Choice {
    spec: Spec {
        name: "labelled-only",
        values: Values::Switch,
        default: None,
        help: "Only the labelled occupation counts, not \"cook\" the verb",
        heading: HEADING,
        stage: Stage::verdicts(&["occupation"]).needing(Needs::PublishedTags),
    },
    read: switch,
};

/// How the word of a translation is found.
#[derive(Debug, Clone, Copy)]
pub struct Picking {
    pub pick: Pick,
    /// Only the labelled occupation counts.
    pub labelled_only: bool,
}

impl Picking {
    pub fn of(options: &Options) -> Picking {
        Picking {
            pick: options.get(&PICK),
            labelled_only: options.get(&LABELLED_ONLY),
        }
    }
}

impl Pick {
    const ALL: [Pick; 5] = [
        Pick::Last,
        Pick::First,
        Pick::Majority,
        Pick::AnyGendered,
        Pick::HeadNoun,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Pick::Last => "last",
            Pick::First => "first",
            Pick::Majority => "majority",
            Pick::AnyGendered => "any-gendered",
            Pick::HeadNoun => "head-noun",
        }
    }
}

impl fmt::Display for Pick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Pick {
    type Err = String;

    fn from_str(given: &str) -> Result<Pick, String> {
        let found = Pick::ALL.into_iter().find(|pick| pick.name() == given);
        found.ok_or_else(|| {
            let known = Pick::ALL.map(Pick::name).join(", ");
            format!("`{given}` is none of {known}")
        })
    }
}
