//! ELECTRA's generator (Clark et al. 2020): BERT with narrower embeddings. The discriminator has no
//! language-model head.

use std::sync::Arc;

use super::encoder::{ENCODER, masked_encoder};
use super::parts::{HeadNames, LayerNames, Sizes, bert_embedding, encoder_layer};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights, all_of};
use epicene_kernels::Activation;
use epicene_transformer::{Embedding, Transformer};

/// The generator's head, which ConvBERT took over.
pub const HEAD: HeadNames<'static> = HeadNames {
    dense: "generator_predictions.dense",
    norm: "generator_predictions.LayerNorm",
    bias: "generator_lm_head.bias",
    decoder_bias: None,
    decoder: Some("generator_lm_head.weight"),
};

pub const FIELDS: Fields = Fields {
    understood: all_of!(ENCODER, &["embedding_size"]),
    harmless: &[],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "electra.");
    let sizes = Sizes::of(config)?;
    let embedding = narrow_embedding(&loader, config, &sizes, "electra")?;
    let head = (&HEAD, Activation::Gelu);
    masked_encoder(&loader, config, &sizes, embedding, head, |layer| {
        let names = LayerNames::bert(&format!("electra.encoder.layer.{layer}"));
        encoder_layer(&loader, &names, &sizes, false)
    })
}

/// Embeddings that may be narrower than the layers, as ConvBERT has them too.
pub fn narrow_embedding(
    loader: &Loader,
    config: &Config,
    sizes: &Sizes,
    model: &str,
) -> Result<Embedding, CheckpointError> {
    let width = config.size_or("embedding_size", sizes.hidden)?;
    let place = format!("{model}.embeddings");
    let mut embedding = bert_embedding(loader, config, &place, width, 0, true)?;
    if width != sizes.hidden {
        let name = format!("{model}.embeddings_project");
        embedding.projection = Some(loader.linear(&name, sizes.hidden, width, Bias::Needed)?);
    }
    Ok(embedding)
}
