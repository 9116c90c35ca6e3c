//! ELECTRA's generator (Clark et al. 2020): BERT with narrower embeddings. The discriminator has no
//! language-model head.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{HeadNames, LayerNames, Sizes, bert_embedding, encoder_layer, masked_head};
use crate::checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights};
use crate::cpu::Activation;
use crate::transformer::Transformer;

/// The generator's head, which ConvBERT took over.
pub const HEAD: HeadNames<'static> = HeadNames {
    dense: "generator_predictions.dense",
    norm: "generator_predictions.LayerNorm",
    bias: "generator_lm_head.bias",
    decoder_bias: None,
    decoder: Some("generator_lm_head.weight"),
};

pub const FIELDS: Fields = Fields {
    understood: &[
        "embedding_size",
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
    let loader = Loader::new(weights, "electra.");
    let sizes = Sizes::of(config)?;
    let width = config.size_or("embedding_size", sizes.hidden)?;
    let mut embedding = bert_embedding(&loader, config, "electra.embeddings", width, 0, true)?;
    if width != sizes.hidden {
        let name = "electra.embeddings_project";
        embedding.projection = Some(loader.linear(name, sizes.hidden, width, Bias::Needed)?);
    }
    let mut layers = Vec::new();
    for layer in 0..config.layers(&["num_hidden_layers"])? {
        let names = LayerNames::bert(&format!("electra.encoder.layer.{layer}"));
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
