//! RoBERTa (Liu et al. 2019) and XLM-RoBERTa (Conneau et al. 2020): BERT's layers, positions that
//! start after the padding id, a head of its own.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{HeadNames, LayerNames, Sizes, bert_embedding, encoder_layer, masked_head};
use crate::checkpoint::{CheckpointError, Config, Fields, Loader, Weights};
use crate::cpu::Activation;
use crate::transformer::Transformer;

/// The head of every model of this family.
pub const HEAD: HeadNames<'static> = HeadNames {
    dense: "lm_head.dense",
    norm: "lm_head.layer_norm",
    bias: "lm_head.bias",
    decoder_bias: Some(("lm_head.decoder.bias", true)),
    decoder: Some("lm_head.decoder.weight"),
};

pub const FIELDS: Fields = Fields {
    understood: &[
        "hidden_act",
        "hidden_size",
        "intermediate_size",
        "layer_norm_eps",
        "max_position_embeddings",
        "num_attention_heads",
        "num_hidden_layers",
        "pad_token_id",
        "position_embedding_type",
        "tie_word_embeddings",
        "type_vocab_size",
        "vocab_size",
    ],
    harmless: &[],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "roberta.");
    let sizes = Sizes::of(config)?;
    let first = config.size_or("pad_token_id", 1)? + 1;
    let embedding = bert_embedding(
        &loader,
        config,
        "roberta.embeddings",
        sizes.hidden,
        first,
        true,
    )?;
    let mut layers = Vec::new();
    for layer in 0..config.layers(&["num_hidden_layers"])? {
        let names = LayerNames::bert(&format!("roberta.encoder.layer.{layer}"));
        layers.push(Arc::new(encoder_layer(&loader, &names, &sizes, false)?));
    }
    let tokens = &embedding.tokens;
    let head = masked_head(
        &loader,
        config,
        &HEAD,
        tokens,
        sizes.hidden,
        Activation::Gelu,
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
