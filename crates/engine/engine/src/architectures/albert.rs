//! ALBERT (Lan et al. 2020): narrow embeddings, and layers that share their weights.

use std::sync::Arc;

use super::encoder::masked_layers;
use super::parts::{HeadNames, LayerNames, Sizes, bert_embedding, encoder_layer};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights};
use epicene_transformer::{Layer, Transformer};

/// What stands behind the beginning of a layer's names.
const LAYER: [&str; 8] = [
    "attention.query",
    "attention.key",
    "attention.value",
    "attention.dense",
    "attention.LayerNorm",
    "ffn",
    "ffn_output",
    "full_layer_layer_norm",
];

pub const FIELDS: Fields = Fields {
    understood: &[
        "embedding_size hidden_act hidden_size inner_group_num intermediate_size layer_norm_eps",
        "max_position_embeddings num_attention_heads num_hidden_groups num_hidden_layers",
        "position_embedding_type tie_word_embeddings type_vocab_size vocab_size",
    ],
    harmless: &["down_scale_factor gap_size layers_to_keep net_structure_type num_memory_blocks"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "albert.");
    let sizes = Sizes {
        activation: config.activation("hidden_act", "gelu_new")?,
        ..Sizes::of(config)?
    };
    let width = config.size(&["embedding_size"])?;
    let mut embedding = bert_embedding(&loader, config, "albert.embeddings", width, 0, true)?;
    embedding.projection = Some(loader.linear(
        "albert.encoder.embedding_hidden_mapping_in",
        sizes.hidden,
        width,
        Bias::Needed,
    )?);
    let count = config.layers(&["num_hidden_layers"])?;
    let groups = config.size(&["num_hidden_groups"])?;
    let inner = config.size(&["inner_group_num"])?;
    let mut stored: Vec<Vec<Arc<Layer>>> = Vec::new();
    for group in 0..groups {
        let mut layers = Vec::new();
        for layer in 0..inner {
            let prefix =
                format!("albert.encoder.albert_layer_groups.{group}.albert_layers.{layer}");
            let names = LayerNames::of(&prefix, LAYER);
            layers.push(Arc::new(encoder_layer(&loader, &names, &sizes, false)?));
        }
        stored.push(layers);
    }
    // Layer i uses group i / (layers / groups), as the original does, in fractions.
    let layers = (0..count)
        .flat_map(|layer| stored[(layer * groups / count).min(groups - 1)].clone())
        .collect();
    let names = HeadNames {
        dense: "predictions.dense",
        norm: "predictions.LayerNorm",
        bias: "predictions.bias",
        decoder_bias: Some(("predictions.decoder.bias", true)),
        decoder: Some("predictions.decoder.weight"),
    };
    let head = (&names, sizes.activation);
    masked_layers(&loader, config, &sizes, embedding, head, layers)
}
