//! BigBird (Zaheer et al. 2020): BERT whose attention is sparse in long texts. Texts so short that `transformers` sees
//! all of them at once are read, longer ones refused.

use std::sync::Arc;

use super::encoder::{BERT_HEAD, ENCODER, masked_encoder};
use super::parts::{LayerNames, Sizes, bert_embedding, encoder_layer};
use epicene_checkpoint::{CheckpointError, Config, Fields, Loader, Weights, all_of};
use epicene_transformer::Transformer;

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        ENCODER,
        &["attention_type block_size num_random_blocks rescale_embeddings use_bias"]
    ),
    harmless: &[],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "bert.");
    let sizes = Sizes {
        activation: config.activation("hidden_act", "gelu_new")?,
        ..Sizes::of(config)?
    };
    // Without, queries, keys and values have no bias.
    if !config.flag("use_bias", true)? {
        return Err(config.unknown("use_bias"));
    }
    let mut embedding = bert_embedding(&loader, config, "bert.embeddings", sizes.hidden, 0, true)?;
    if config.flag("rescale_embeddings", false)? {
        embedding.scale = (sizes.hidden as f32).sqrt();
    }
    let head = (&BERT_HEAD, sizes.activation);
    let mut model = masked_encoder(&loader, config, &sizes, embedding, head, |layer| {
        let names = LayerNames::bert(&format!("bert.encoder.layer.{layer}"));
        encoder_layer(&loader, &names, &sizes, false)
    })?;
    match config.text("attention_type") {
        Some("original_full") => {}
        None | Some("block_sparse") => {
            let blocks = 5 + 2 * config.size_or("num_random_blocks", 3)?;
            let most = blocks * config.size(&["block_size"])?;
            model.longest = model.longest.map(|longest| longest.min(most));
        }
        Some(_) => return Err(config.unknown("attention_type")),
    }
    Ok(model)
}
