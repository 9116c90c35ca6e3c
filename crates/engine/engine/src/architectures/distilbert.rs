//! DistilBERT (Sanh et al. 2019): BERT without segments, under names of its own.

use std::sync::Arc;

use super::encoder::{BY_LETTER, masked_layers, placed_embedding};
use super::parts::{HeadNames, LayerNames, Sizes, encoder_layer};
use epicene_checkpoint::{CheckpointError, Config, Fields, Loader, Weights, all_of};
use epicene_transformer::Transformer;

const EPSILON: f64 = 1e-12;

/// What stands behind the beginning of a layer's names.
const LAYER: [&str; 8] = [
    "attention.q_lin",
    "attention.k_lin",
    "attention.v_lin",
    "attention.out_lin",
    "sa_layer_norm",
    "ffn.lin1",
    "ffn.lin2",
    "output_layer_norm",
];

pub const FIELDS: Fields = Fields {
    understood: all_of!(BY_LETTER, &["activation dim hidden_dim"]),
    harmless: &["qa_dropout seq_classif_dropout sinusoidal_pos_embds tie_weights_"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "distilbert.");
    let hidden = config.size(&["dim", "hidden_size"])?;
    let (heads, head_size) = config.heads(&["n_heads", "num_attention_heads"], hidden)?;
    let sizes = Sizes {
        hidden,
        inner: config.size(&["hidden_dim"])?,
        heads,
        head_size,
        epsilon: EPSILON,
        activation: config.activation("activation", "gelu")?,
    };
    let vocabulary = config.size(&["vocab_size"])?;
    let stored = config.size(&["max_position_embeddings"])?;
    let embedding = placed_embedding(
        &loader,
        "distilbert.embeddings",
        ["word_embeddings", "position_embeddings", "LayerNorm"],
        [vocabulary, stored, hidden],
        EPSILON,
    )?;
    let mut layers = Vec::new();
    for layer in 0..config.layers(&["n_layers", "num_hidden_layers"])? {
        let prefix = format!("distilbert.transformer.layer.{layer}");
        let names = LayerNames::of(&prefix, LAYER);
        layers.push(Arc::new(encoder_layer(&loader, &names, &sizes, false)?));
    }
    let names = HeadNames {
        dense: "vocab_transform",
        norm: "vocab_layer_norm",
        bias: "vocab_projector.bias",
        decoder_bias: None,
        decoder: Some("vocab_projector.weight"),
    };
    let head = (&names, sizes.activation);
    masked_layers(&loader, config, &sizes, embedding, head, layers)
}
