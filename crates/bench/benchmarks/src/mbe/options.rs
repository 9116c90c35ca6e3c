//! How pairs are weighted, and which test is made.

use super::score::{Weight, Weighting};
use crate::Options;
use crate::options::{Choice, Spec, Stage, Values, optional, required, switch};

const HEADING: &str = "Statistics";

pub static WEIGHT: Choice<Weight> = Choice {
    spec: Spec {
        name: "weight",
        values: Values::OneOf(&["cosine", "dot", "none"]),
        default: Some("cosine"),
        help: "Weight of a pair: cosine (the paper), dot (its released code) or none",
        heading: HEADING,
        stage: Stage::numbers(&["weight"]),
    },
    read: required,
};

pub static MIN_SIMILARITY: Choice<Option<f64>> = Choice {
    spec: Spec {
        name: "min-similarity",
        values: Values::Number,
        default: None,
        help: "Pairs less alike than this weigh nothing",
        heading: HEADING,
        stage: Stage::numbers(&["weight"]),
    },
    read: optional,
};

pub static CLIP_NEGATIVE: Choice<bool> = Choice {
    spec: Spec {
        name: "clip-negative",
        values: Values::Switch,
        default: None,
        help: "Negative weights count as 0",
        heading: HEADING,
        stage: Stage::numbers(&["weight"]),
    },
    read: switch,
};

pub fn weighting(options: &Options) -> Weighting {
    Weighting {
        weight: options.get(&WEIGHT),
        min_similarity: options.get(&MIN_SIMILARITY),
        clip_negative: options.get(&CLIP_NEGATIVE),
    }
}

impl Weighting {
    /// As the signature names it: `cosine,min-0.2,clipped`.
    pub fn signed(&self) -> String {
        let mut signed = self.weight.to_string();
        if self.weight == Weight::None {
            return signed;
        }
        if let Some(least) = self.min_similarity {
            signed += &format!(",min-{least}");
        }
        if self.clip_negative {
            signed += ",clipped";
        }
        signed
    }

    /// Whether prefix sums do not do: clipping and thresholds look at single pairs.
    pub fn needs_every_pair(&self) -> bool {
        self.weight != Weight::None && (self.clip_negative || self.min_similarity.is_some())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{Benchmark, Given};

    /// Bounds of weights are refused where nothing is weighed, and not signed there.
    #[test]
    fn what_is_not_weighed_has_no_bounds() {
        let given = |weight: &str| {
            let said = [("weight", weight), ("min-similarity", "0.2")];
            let values = said.map(|(name, value)| (name.to_owned(), value.to_owned()));
            let given = Given {
                values: BTreeMap::from(values),
                ..Given::default()
            };
            Options::resolve(crate::mbe::Mbe.card(), &given, &BTreeMap::new()).expect("options")
        };
        let error = crate::mbe::Mbe.card().check_options(&given("none"));
        let error = error.expect_err("nothing is weighed").message;
        assert_eq!(error, "--min-similarity has no effect with --weight none");
        assert_eq!(crate::mbe::Mbe.card().check_options(&given("dot")), Ok(()));
        assert_eq!(weighting(&given("none")).signed(), "none");
        assert_eq!(weighting(&given("dot")).signed(), "dot,min-0.2");
    }
}
