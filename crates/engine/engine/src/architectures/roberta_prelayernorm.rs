//! RoBERTa with the norms in front (`roberta-prelayernorm`, Ott et al. 2019) and one at the end.

use std::sync::Arc;

use super::encoder::{ENCODER, NormNames, PADDING, norms_first};
use epicene_checkpoint::{CheckpointError, Config, Fields, Weights, all_of};
use epicene_transformer::Transformer;

pub const FIELDS: Fields = Fields {
    understood: all_of!(ENCODER, PADDING),
    harmless: &[],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let names = NormNames {
        model: "roberta_prelayernorm",
        prefix: "roberta_prelayernorm.",
        attention_norm: "attention.LayerNorm",
        feed_forward_norm: "intermediate.LayerNorm",
        last_norm: "LayerNorm",
    };
    norms_first(config, weights, &names, true)
}
