//! RoBERTa with the norms in front (`roberta-prelayernorm`, Ott et al. 2019) and one at the end.

use std::sync::Arc;

use super::encoder::{ENCODER, PADDING, masked_encoder};
use super::parts::{LayerNames, Sizes, bert_embedding, encoder_layer};
use super::roberta::HEAD;
use crate::checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights, all_of};
use crate::cpu::Activation;
use crate::transformer::Transformer;

pub const FIELDS: Fields = Fields {
    understood: all_of!(ENCODER, PADDING),
    harmless: &[],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let names = Names {
        model: "roberta_prelayernorm",
        prefix: "roberta_prelayernorm.",
        attention_norm: "attention.LayerNorm",
        feed_forward_norm: "intermediate.LayerNorm",
        last_norm: "LayerNorm",
    };
    norms_first(config, weights, &names, true)
}

/// How the norms are called.
pub struct Names {
    pub model: &'static str,
    /// The same with a dot.
    pub prefix: &'static str,
    pub attention_norm: &'static str,
    pub feed_forward_norm: &'static str,
    pub last_norm: &'static str,
}

/// RoBERTa with the norms in front; the embeddings have one or not.
pub fn norms_first(
    config: &Config,
    weights: Arc<dyn Weights>,
    names: &Names,
    embedding_norm: bool,
) -> Result<Transformer, CheckpointError> {
    let model = names.model;
    let loader = Loader::new(weights, names.prefix);
    let sizes = Sizes::of(config)?;
    let first = config.size_or("pad_token_id", 1)? + 1;
    let place = format!("{model}.embeddings");
    let embedding = bert_embedding(&loader, config, &place, sizes.hidden, first, embedding_norm)?;
    let head = (&HEAD, Activation::Gelu);
    let mut made = masked_encoder(&loader, config, &sizes, embedding, head, |layer| {
        let prefix = format!("{model}.encoder.layer.{layer}");
        let names = LayerNames {
            attention_norm: format!("{prefix}.{}", names.attention_norm),
            feed_forward_norm: format!("{prefix}.{}", names.feed_forward_norm),
            ..LayerNames::bert(&prefix)
        };
        encoder_layer(&loader, &names, &sizes, true)
    })?;
    let norm = format!("{model}.{}", names.last_norm);
    made.norm = Some(loader.layer_norm(&norm, sizes.hidden, sizes.epsilon, Bias::Needed)?);
    Ok(made)
}
