//! Which pairs are asked, and how their likelihoods are compared.

use crate::options::{Choice, Spec, Stage, Values, list, optional};

/// What the items are chosen by; gender where nothing is said.
pub static BIAS_TYPES: Choice<Option<Vec<String>>> = Choice {
    spec: Spec {
        name: "bias-type",
        values: Values::List,
        default: None,
        help: "Bias types to ask: names of the data, or all [default: gender]",
        heading: "Parallel corpora and sentence pairs",
        stage: Stage::Data,
    },
    read: list,
};

pub static ROUND: Choice<Option<u32>> = Choice {
    spec: Spec {
        name: "round",
        values: Values::Whole,
        default: None,
        help: "Round likelihoods to N decimals before comparing [default: 3 for cps]",
        heading: "Measures of sentence likelihoods",
        stage: Stage::Measure,
    },
    read: optional,
};
