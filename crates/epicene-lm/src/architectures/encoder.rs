//! A masked model in a few words: the fields most encoders have, their layers made one by one, their head.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{HeadNames, Sizes, masked_head};
use crate::checkpoint::{CheckpointError, Config, Loader};
use crate::cpu::Activation;
use crate::transformer::{Embedding, Layer, Transformer};

/// The fields of BERT and its descendants.
pub const ENCODER: &[&str] = &[
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
];
/// That of models that count positions from behind the padding.
pub const PADDING: &[&str] = &["pad_token_id"];

/// BERT's head.
pub const BERT_HEAD: HeadNames<'static> = HeadNames {
    dense: "cls.predictions.transform.dense",
    norm: "cls.predictions.transform.LayerNorm",
    bias: "cls.predictions.bias",
    decoder_bias: Some(("cls.predictions.decoder.bias", false)),
    decoder: Some("cls.predictions.decoder.weight"),
};

/// The whole model: embeddings, as many layers as the configuration says, a head with its activation.
pub fn masked_encoder(
    loader: &Loader,
    config: &Config,
    sizes: &Sizes,
    embedding: Embedding,
    (head, activation): (&HeadNames<'_>, Activation),
    mut make: impl FnMut(usize) -> Result<Layer, CheckpointError>,
) -> Result<Transformer, CheckpointError> {
    let count = config.layers(&["num_hidden_layers"])?;
    let layers = (0..count)
        .map(|layer| make(layer).map(Arc::new))
        .collect::<Result<_, _>>()?;
    let head = masked_head(
        loader,
        config,
        head,
        &embedding.tokens,
        sizes.hidden,
        activation,
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
