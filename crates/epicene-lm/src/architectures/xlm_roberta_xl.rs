//! XLM-RoBERTa-XL (Goyal et al. 2021): RoBERTa with the norms in front and one at the end.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{LayerNames, Sizes, bert_embedding, encoder_layer, masked_head};
use super::roberta::HEAD;
use crate::checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights};
use crate::cpu::Activation;
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
    let sizes = Sizes {
        epsilon: config.epsilon("layer_norm_eps", 1e-5)?,
        ..Sizes::of(config)?
    };
    let first = config.size_or("pad_token_id", 1)? + 1;
    let embedding = bert_embedding(
        &loader,
        config,
        "roberta.embeddings",
        sizes.hidden,
        first,
        false,
    )?;
    let mut layers = Vec::new();
    for layer in 0..config.layers(&["num_hidden_layers"])? {
        let prefix = format!("roberta.encoder.layer.{layer}");
        let names = LayerNames {
            attention_norm: format!("{prefix}.attention.self_attn_layer_norm"),
            feed_forward_norm: format!("{prefix}.LayerNorm"),
            ..LayerNames::bert(&prefix)
        };
        layers.push(Arc::new(encoder_layer(&loader, &names, &sizes, true)?));
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
    let norm = loader.layer_norm(
        "roberta.encoder.LayerNorm",
        sizes.hidden,
        sizes.epsilon,
        Bias::Needed,
    )?;
    Ok(Transformer {
        kind: ModelKind::Masked,
        longest: embedding.positions.as_ref().map(|positions| positions.rows),
        embedding,
        layers,
        norm: Some(norm),
        head,
    })
}
