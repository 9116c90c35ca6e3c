//! GATE's own choices.

use std::str::FromStr;

use epicene_core::Gender;

use crate::options::{
    Choice, OptionError, Options, Spec, Stage, Values, optional, required, split, switch,
};

/// What is asked of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// One translation: which variant is it?
    Mt,
    /// A variant in the other gender.
    Rewrite,
    /// One translation or several.
    Alternatives,
}

impl Task {
    pub fn name(self) -> &'static str {
        match self {
            Task::Mt => "mt",
            Task::Rewrite => "rewrite",
            Task::Alternatives => "alternatives",
        }
    }
}

impl FromStr for Task {
    type Err = String;

    fn from_str(given: &str) -> Result<Task, String> {
        match given {
            "mt" => Ok(Task::Mt),
            "rewrite" => Ok(Task::Rewrite),
            "alternatives" => Ok(Task::Alternatives),
            _ => Err(format!("`{given}` is no task")),
        }
    }
}

const HEADING: &str = "GATE";

pub static TASK: Choice<Task> = Choice {
    spec: Spec {
        name: "task",
        values: Values::OneOf(&["mt", "rewrite", "alternatives"]),
        default: Some("mt"),
        help: "What is measured: one translation of an ambiguous source (mt), a variant rewritten in the other gender (rewrite), or systems that give several translations (alternatives)",
        heading: HEADING,
        stage: Stage::Data,
    },
    read: required,
};

pub static SPLIT: Choice<String> = split("all");

pub static WANTED: Choice<Gender> = Choice {
    spec: Spec {
        name: "wanted",
        values: Values::OneOf(&["feminine", "masculine"]),
        default: Some("feminine"),
        help: "The gender a rewriter was to give",
        heading: HEADING,
        stage: Stage::verdicts(&["wanted"]),
    },
    read: |given| match given {
        Some("masculine") => Ok(Gender::Masculine),
        _ => Ok(Gender::Feminine),
    },
};

pub(crate) static MIN_WORDS: Choice<Option<usize>> = Choice {
    spec: Spec {
        name: "min-words",
        values: Values::Whole {
            from: 1,
            to: 100_000,
        },
        default: None,
        help: "Rewriters: leave out shorter sources",
        heading: HEADING,
        stage: Stage::numbers(&["min-words"]),
    },
    read: optional,
};

pub static MAX_WORDS: Choice<Option<usize>> = Choice {
    spec: Spec {
        name: "max-words",
        values: Values::Whole {
            from: 1,
            to: 100_000,
        },
        default: None,
        help: "Rewriters: leave out longer sources",
        heading: HEADING,
        stage: Stage::numbers(&["max-words"]),
    },
    read: optional,
};

pub static FULL_SET_RECALL: Choice<bool> = Choice {
    spec: Spec {
        name: "full-set-recall",
        values: Values::Switch,
        default: None,
        help: "Rewriters: sources left out by their length count as without an answer in recall",
        heading: HEADING,
        stage: Stage::numbers(&["recall"]),
    },
    read: switch,
};

pub static CSV_QUOTING: Choice<bool> = Choice {
    spec: Spec {
        name: "csv-quoting",
        values: Values::Switch,
        default: None,
        help: "Rewriters: read variants by CSV's quoting, as the authors' script does",
        heading: HEADING,
        stage: Stage::verdicts(&["quoting"]),
    },
    read: switch,
};

/// Refuses options of rewriters where nobody rewrites.
pub fn check(options: &Options) -> Result<(), OptionError> {
    let of_rewriters = [
        &WANTED.spec,
        &MIN_WORDS.spec,
        &MAX_WORDS.spec,
        &FULL_SET_RECALL.spec,
        &CSV_QUOTING.spec,
    ];
    match options.get(&TASK) {
        Task::Rewrite => Ok(()),
        task => {
            let here = format!(
                "with --task {}: rewriters alone are measured by it",
                task.name()
            );
            options.refuse_idle(&of_rewriters, &here)
        }
    }
}
