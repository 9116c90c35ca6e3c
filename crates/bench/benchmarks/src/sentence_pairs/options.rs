//! Which pairs are asked, and how their likelihoods are compared.

use epicene_core::{LikelihoodMethod, Scorer};

use super::pair_score::rounded;
use crate::Options;
use crate::options::{Choice, Spec, Stage, Values, list, optional};

/// What the items are chosen by; gender where nothing is said.
pub static BIAS_TYPES: Choice<Option<Vec<String>>> = Choice {
    spec: Spec {
        name: "bias-type",
        values: Values::List,
        default: None,
        help: "Bias types to ask: names of the data, or all [default: gender]",
        heading: "Data",
        stage: Stage::Data,
    },
    read: list,
};

pub static ROUND: Choice<Option<u32>> = Choice {
    spec: Spec {
        name: "round",
        values: Values::Whole { from: 0, to: 15 },
        default: None,
        help: "Round likelihoods to N decimals before comparing [default: 3 for cps]",
        heading: "Statistics",
        stage: Stage::verdicts(&["round"]),
    },
    read: optional,
};

/// Released CPS compares sums rounded to this.
const CPS_DECIMALS: u32 = 3;

/// How likelihoods of one column are rounded before they are compared.
pub struct Rounding {
    decimals: Option<u32>,
    /// For the signature; `None` where nothing is rounded.
    pub name: Option<String>,
}

impl Rounding {
    pub fn of(scorer: Scorer, options: &Options) -> Rounding {
        let own = scorer == Scorer::Likelihood(LikelihoodMethod::Cps);
        let (decimals, name) = match options.get(&ROUND) {
            Some(decimals) => (Some(decimals), Some(decimals.to_string())),
            None if own => (Some(CPS_DECIMALS), Some(format!("cps-{CPS_DECIMALS}"))),
            None => (None, None),
        };
        Rounding { decimals, name }
    }

    pub fn of_one(&self, likelihood: Option<f64>) -> Option<f64> {
        match self.decimals {
            Some(decimals) => likelihood.map(|value| rounded(value, decimals)),
            None => likelihood,
        }
    }
}
