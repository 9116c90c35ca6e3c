//! DistilBERT (Sanh et al. 2019): BERT without segments, under names of its own.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{HeadNames, LayerNames, Sizes, encoder_layer, masked_head, positions};
use crate::checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights};
use crate::transformer::{Embedding, Transformer};

const EPSILON: f64 = 1e-12;

pub const FIELDS: Fields = Fields {
    understood: &[
        "activation",
        "dim",
        "hidden_dim",
        "max_position_embeddings",
        "n_heads",
        "n_layers",
        "tie_word_embeddings",
        "vocab_size",
    ],
    harmless: &[
        "qa_dropout",
        "seq_classif_dropout",
        "sinusoidal_pos_embds",
        "tie_weights_",
    ],
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
    let embedding = Embedding {
        tokens: loader.table(
            "distilbert.embeddings.word_embeddings.weight",
            vocabulary,
            hidden,
        )?,
        scale: 1.0,
        positions: Some(positions(
            &loader,
            "distilbert.embeddings.position_embeddings.weight",
            stored,
            hidden,
            0,
            None,
        )?),
        constant: None,
        norm: Some(loader.layer_norm(
            "distilbert.embeddings.LayerNorm",
            hidden,
            EPSILON,
            Bias::Needed,
        )?),
        projection: None,
    };
    let mut layers = Vec::new();
    for layer in 0..config.layers(&["n_layers", "num_hidden_layers"])? {
        let prefix = format!("distilbert.transformer.layer.{layer}");
        let names = LayerNames {
            query: format!("{prefix}.attention.q_lin"),
            key: format!("{prefix}.attention.k_lin"),
            value: format!("{prefix}.attention.v_lin"),
            mixed: format!("{prefix}.attention.out_lin"),
            attention_norm: format!("{prefix}.sa_layer_norm"),
            inner: format!("{prefix}.ffn.lin1"),
            outer: format!("{prefix}.ffn.lin2"),
            feed_forward_norm: format!("{prefix}.output_layer_norm"),
        };
        layers.push(Arc::new(encoder_layer(&loader, &names, &sizes, false)?));
    }
    let names = HeadNames {
        dense: "vocab_transform",
        norm: "vocab_layer_norm",
        bias: "vocab_projector.bias",
        decoder_bias: None,
        decoder: Some("vocab_projector.weight"),
    };
    let tokens = &embedding.tokens;
    let head = masked_head(
        &loader,
        config,
        &names,
        tokens,
        hidden,
        sizes.activation,
        EPSILON,
    )?;
    Ok(Transformer {
        kind: ModelKind::Masked,
        longest: Some(stored),
        embedding,
        layers,
        norm: None,
        head,
    })
}
