//! XLM-RoBERTa-XL (Goyal et al. 2021): RoBERTa with the norms in front and one at the end.

use std::sync::Arc;

use super::encoder::{NormNames, norms_first};
use epicene_checkpoint::{CheckpointError, Config, Fields, Weights};
use epicene_transformer::Transformer;

pub const FIELDS: Fields = super::roberta_prelayernorm::FIELDS;

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let names = NormNames {
        model: "roberta",
        prefix: "roberta.",
        attention_norm: "attention.self_attn_layer_norm",
        feed_forward_norm: "LayerNorm",
        last_norm: "encoder.LayerNorm",
    };
    norms_first(config, weights, &names, false)
}
