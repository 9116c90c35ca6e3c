//! BERT (Devlin et al. 2019): encoder with a norm after each half.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{HeadNames, LayerNames, Sizes, bert_embedding, encoder_layer, masked_head};
use crate::checkpoint::{CheckpointError, Config, Fields, Loader, Weights};
use crate::transformer::Transformer;

pub const FIELDS: Fields = Fields {
    understood: &[
        "hidden_act",
        "hidden_size",
        "intermediate_size",
        "layer_norm_eps",
        "max_position_embeddings",
        "num_attention_heads",
        "num_hidden_layers",
        "position_embedding_type",
        "tie_word_embeddings",
        "type_vocab_size",
        "vocab_size",
    ],
    harmless: &[],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "bert.");
    let sizes = Sizes::of(config)?;
    let embedding = bert_embedding(&loader, config, "bert.embeddings", sizes.hidden, 0, true)?;
    let mut layers = Vec::new();
    for layer in 0..config.layers(&["num_hidden_layers"])? {
        let names = LayerNames::bert(&format!("bert.encoder.layer.{layer}"));
        layers.push(Arc::new(encoder_layer(&loader, &names, &sizes, false)?));
    }
    let names = HeadNames {
        dense: "cls.predictions.transform.dense",
        norm: "cls.predictions.transform.LayerNorm",
        bias: "cls.predictions.bias",
        decoder_bias: Some(("cls.predictions.decoder.bias", false)),
        decoder: Some("cls.predictions.decoder.weight"),
    };
    let head = masked_head(
        &loader,
        config,
        &names,
        &embedding.tokens,
        sizes.hidden,
        sizes.activation,
        sizes.epsilon,
    )?;
    Ok(Transformer {
        kind: ModelKind::Masked,
        longest: embedding.positions.as_ref().map(|positions| positions.rows),
        embedding,
        layers,
        norm: None,
        head,
    })
}
