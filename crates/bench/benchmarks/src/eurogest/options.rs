//! EuroGEST's own choices.

use std::fmt;
use std::str::FromStr;

use crate::options::{Choice, Spec, Stage, Values, list, optional, required, switch};

/// How token log-probabilities become the score of a text (specification, section 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Mean from the first differing token on.
    DivergenceMean,
    /// Mean over the whole text.
    WholeMean,
    DivergenceSum,
    WholeSum,
    /// Sum less the logarithm of the number of tokens: the scripts of December 2025, nearest to the paper.
    WholeSumPerN,
}

const SCORES: [(&str, Score); 5] = [
    ("divergence-mean", Score::DivergenceMean),
    ("whole-mean", Score::WholeMean),
    ("divergence-sum", Score::DivergenceSum),
    ("whole-sum", Score::WholeSum),
    ("whole-sum-per-n", Score::WholeSumPerN),
];

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = SCORES.iter().find(|(_, score)| score == self);
        f.write_str(known.map_or("", |(name, _)| name))
    }
}

impl FromStr for Score {
    type Err = String;

    fn from_str(given: &str) -> Result<Score, String> {
        let known = SCORES.iter().find(|(name, _)| *name == given);
        known
            .map(|(_, score)| *score)
            .ok_or_else(|| format!("`{given}` is no score"))
    }
}

const HEADING: &str = "Pairs of sentences";

pub static SCORE: Choice<Score> = Choice {
    spec: Spec {
        name: "score",
        values: Values::OneOf(&[
            "divergence-mean",
            "whole-mean",
            "divergence-sum",
            "whole-sum",
            "whole-sum-per-n",
        ]),
        default: Some("divergence-mean"),
        help: "Which tokens of a text count, and whether their mean or sum; whole-sum-per-n is nearest to the paper. whole-mean must be given when asking",
        heading: HEADING,
        stage: Stage::verdicts(&["score"]),
    },
    read: required,
};

pub static AS_PUBLISHED: Choice<bool> = Choice {
    spec: Spec {
        name: "as-published",
        values: Values::Switch,
        default: None,
        help: "Keep what the authors' scripts do even where it is a fault; the benchmark's page says what",
        heading: HEADING,
        stage: Stage::Data,
    },
    read: switch,
};

pub(crate) static NOUN_FRAMES: Choice<bool> = Choice {
    spec: Spec {
        name: "noun-frames",
        values: Values::Switch,
        default: None,
        help: "Frame neutral sentences by \"the man said\" in every language, never by pronouns",
        heading: HEADING,
        stage: Stage::Data,
    },
    read: switch,
};

pub static STEREOTYPES: Choice<Option<Vec<String>>> = Choice {
    spec: Spec {
        name: "stereotypes",
        values: Values::List,
        default: None,
        help: "Ask only about these stereotypes, by number",
        heading: HEADING,
        stage: Stage::Data,
    },
    read: list,
};

pub static SAMPLE: Choice<Option<usize>> = Choice {
    spec: Spec {
        name: "sample",
        values: Values::Whole {
            from: 1,
            to: 10_000_000,
        },
        default: None,
        help: "Ask about so many rows of each language, drawn by the seed",
        heading: HEADING,
        stage: Stage::Data,
    },
    read: optional,
};

pub static COMMON: Choice<bool> = Choice {
    spec: Spec {
        name: "common",
        values: Values::Switch,
        default: None,
        help: "Ask only about sentences that every chosen language has",
        heading: HEADING,
        stage: Stage::Data,
    },
    read: switch,
};

pub static MIN_ROWS: Choice<usize> = Choice {
    spec: Spec {
        name: "min-rows",
        values: Values::Whole {
            from: 1,
            to: 10_000_000,
        },
        default: Some("10"),
        help: "Rows below which a stereotype has no q, and its language no g_s",
        heading: HEADING,
        stage: Stage::numbers(&["min-rows"]),
    },
    read: |given| {
        let read = given.expect("the option has a default").parse();
        read.map_err(|_| "this is not a number".to_owned())
    },
};
