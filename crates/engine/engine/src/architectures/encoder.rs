//! A masked model in a few words: the fields most encoders have, their layers made one by one, their head.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{
    HeadNames, LayerNames, Sizes, bert_embedding, encoder_layer, masked_head, positions,
};
use epicene_checkpoint::{Bias, CheckpointError, Config, Loader, Weights};
use epicene_kernels::Activation;
use epicene_transformer::{Embedding, Head, Layer, Transformer};

/// The fields of BERT and its descendants.
pub const ENCODER: &[&str] = &[
    "hidden_act hidden_size intermediate_size layer_norm_eps max_position_embeddings",
    "num_attention_heads num_hidden_layers position_embedding_type tie_word_embeddings",
    "type_vocab_size vocab_size",
];
/// The fields of models that call sizes by a letter, with the same positions.
pub const BY_LETTER: &[&str] =
    &["max_position_embeddings n_heads n_layers tie_word_embeddings vocab_size"];
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
    masked_layers(loader, config, sizes, embedding, (head, activation), layers)
}

/// The same of layers that are made already.
pub fn masked_layers(
    loader: &Loader,
    config: &Config,
    sizes: &Sizes,
    embedding: Embedding,
    (head, activation): (&HeadNames<'_>, Activation),
    layers: Vec<Arc<Layer>>,
) -> Result<Transformer, CheckpointError> {
    let head = masked_head(
        loader,
        config,
        head,
        &embedding.tokens,
        sizes.hidden,
        activation,
        sizes.epsilon,
    )?;
    Ok(masked_model(embedding, layers, head))
}

/// A masked model of its parts, without a norm behind the last layer.
pub fn masked_model(
    embedding: Embedding,
    layers: Vec<Arc<Layer>>,
    head: Option<Head>,
) -> Transformer {
    Transformer {
        kind: ModelKind::Masked,
        alternating: None,
        longest: embedding.positions.as_ref().map(|positions| positions.rows),
        embedding,
        layers,
        norm: None,
        head,
    }
}

/// Tokens, learned positions and a norm, by the beginning of their names and what stands behind it; with how many rows the
/// first two have, and how wide they are.
pub fn placed_embedding(
    loader: &Loader,
    place: &str,
    parts: [&str; 3],
    [vocabulary, stored, width]: [usize; 3],
    epsilon: f64,
) -> Result<Embedding, CheckpointError> {
    let [tokens, table, norm] = parts.map(|part| format!("{place}.{part}"));
    let (tokens, table) = (format!("{tokens}.weight"), format!("{table}.weight"));
    Ok(Embedding {
        positions: Some(positions(loader, &table, stored, width, 0, None)?),
        norm: Some(loader.layer_norm(&norm, width, epsilon, Bias::Needed)?),
        ..Embedding::of(loader.table(&tokens, vocabulary, width)?)
    })
}

/// How the norms of a RoBERTa are called that has them in front.
#[derive(Debug)]
pub struct NormNames {
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
    names: &NormNames,
    embedding_norm: bool,
) -> Result<Transformer, CheckpointError> {
    let model = names.model;
    let loader = Loader::new(weights, names.prefix);
    let sizes = Sizes::of(config)?;
    let first = config.size_or("pad_token_id", 1)? + 1;
    let place = format!("{model}.embeddings");
    let embedding = bert_embedding(&loader, config, &place, sizes.hidden, first, embedding_norm)?;
    let head = (&super::roberta::HEAD, Activation::Gelu);
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
