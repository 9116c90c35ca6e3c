//! RemBERT (Chung et al. 2021): narrow embeddings going in, wider ones of their own coming out.

use std::sync::Arc;

use super::encoder::{ENCODER, masked_model};
use super::parts::{LayerNames, Sizes, bert_embedding, encoder_layer};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights, all_of};
use epicene_transformer::{Head, Transform, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(ENCODER, &["input_embedding_size output_embedding_size"]),
    harmless: &[],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "rembert.");
    // Nothing is tied, whatever the flag says: the two tables have different widths.
    config.refuse("tie_word_embeddings")?;
    let sizes = Sizes::of(config)?;
    let width = config.size(&["input_embedding_size"])?;
    let mut embedding = bert_embedding(&loader, config, "rembert.embeddings", width, 0, true)?;
    let name = "rembert.encoder.embedding_hidden_mapping_in";
    embedding.projection = Some(loader.linear(name, sizes.hidden, width, Bias::Needed)?);
    let layers = (0..config.layers(&["num_hidden_layers"])?)
        .map(|layer| {
            let names = LayerNames::bert(&format!("rembert.encoder.layer.{layer}"));
            encoder_layer(&loader, &names, &sizes, false).map(Arc::new)
        })
        .collect::<Result<_, _>>()?;
    let part = "cls.predictions";
    let rows = embedding.tokens.rows;
    let head = if loader.has(&format!("{part}.dense.weight")) {
        let wide = config.size(&["output_embedding_size"])?;
        let (dense, norm) = (format!("{part}.dense"), format!("{part}.LayerNorm"));
        Some(Head {
            transform: Some(Transform {
                dense: loader.linear(&dense, wide, sizes.hidden, Bias::Needed)?,
                activation: sizes.activation,
                norm: Some(loader.layer_norm(&norm, wide, sizes.epsilon, Bias::Needed)?),
            }),
            bias: loader.vector(&format!("{part}.decoder.bias"), rows)?,
            ..Head::of(loader.table(&format!("{part}.decoder.weight"), rows, wide)?)
        })
    } else {
        None
    };
    Ok(masked_model(embedding, layers, head))
}
