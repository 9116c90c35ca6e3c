//! XLM-RoBERTa-XL (Goyal et al. 2021): RoBERTa with the norms in front and one at the end.

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
    let loader = Loader::new(weights, "roberta.");
    let sizes = Sizes {
        epsilon: config.epsilon("layer_norm_eps", 1e-5)?,
        ..Sizes::of(config)?
    };
    let first = config.size_or("pad_token_id", 1)? + 1;
    let place = "roberta.embeddings";
    let embedding = bert_embedding(&loader, config, place, sizes.hidden, first, false)?;
    let head = (&HEAD, Activation::Gelu);
    let mut model = masked_encoder(&loader, config, &sizes, embedding, head, |layer| {
        let prefix = format!("roberta.encoder.layer.{layer}");
        let names = LayerNames {
            attention_norm: format!("{prefix}.attention.self_attn_layer_norm"),
            feed_forward_norm: format!("{prefix}.LayerNorm"),
            ..LayerNames::bert(&prefix)
        };
        encoder_layer(&loader, &names, &sizes, true)
    })?;
    let norm = "roberta.encoder.LayerNorm";
    model.norm = Some(loader.layer_norm(norm, sizes.hidden, sizes.epsilon, Bias::Needed)?);
    Ok(model)
}
