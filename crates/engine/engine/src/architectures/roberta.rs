//! RoBERTa (Liu et al. 2019) and XLM-RoBERTa (Conneau et al. 2020): BERT's layers, positions that
//! start after the padding id, a head of its own.

use std::sync::Arc;

use super::encoder::{ENCODER, PADDING, masked_encoder};
use super::parts::{HeadNames, LayerNames, Sizes, bert_embedding, encoder_layer};
use epicene_checkpoint::{CheckpointError, Config, Fields, Loader, Weights, all_of};
use epicene_kernels::Activation;
use epicene_transformer::Transformer;

/// The head of every model of this family.
pub const HEAD: HeadNames<'static> = HeadNames {
    dense: "lm_head.dense",
    norm: "lm_head.layer_norm",
    bias: "lm_head.bias",
    decoder_bias: Some(("lm_head.decoder.bias", true)),
    decoder: Some("lm_head.decoder.weight"),
};

pub const FIELDS: Fields = Fields {
    understood: all_of!(ENCODER, PADDING),
    harmless: &[],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    load_named(config, weights, "roberta.")
}

/// A model of this layout whose tensors begin with another name.
pub fn load_named(
    config: &Config,
    weights: Arc<dyn Weights>,
    prefix: &'static str,
) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, prefix);
    let sizes = Sizes::of(config)?;
    let first = config.size_or("pad_token_id", 1)? + 1;
    let place = format!("{prefix}embeddings");
    let embedding = bert_embedding(&loader, config, &place, sizes.hidden, first, true)?;
    let head = (&HEAD, Activation::Gelu);
    masked_encoder(&loader, config, &sizes, embedding, head, |layer| {
        let names = LayerNames::bert(&format!("{prefix}encoder.layer.{layer}"));
        encoder_layer(&loader, &names, &sizes, false)
    })
}
