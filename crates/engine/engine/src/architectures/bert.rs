//! BERT (Devlin et al. 2019): encoder with a norm after each half.

use std::sync::Arc;

use super::encoder::{BERT_HEAD, ENCODER, masked_encoder};
use super::parts::{LayerNames, Sizes, bert_embedding, encoder_layer};
use epicene_checkpoint::{CheckpointError, Config, Fields, Loader, Weights};
use epicene_transformer::Transformer;

pub const FIELDS: Fields = Fields {
    understood: ENCODER,
    harmless: &[],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "bert.");
    let sizes = Sizes::of(config)?;
    let embedding = bert_embedding(&loader, config, "bert.embeddings", sizes.hidden, 0, true)?;
    let head = (&BERT_HEAD, sizes.activation);
    masked_encoder(&loader, config, &sizes, embedding, head, |layer| {
        let names = LayerNames::bert(&format!("bert.encoder.layer.{layer}"));
        encoder_layer(&loader, &names, &sizes, false)
    })
}
