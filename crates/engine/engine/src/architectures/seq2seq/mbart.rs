//! mBART (Liu et al. 2020) and mBART-50 (Tang et al. 2020): norms before each part and on the embeddings, learned
//! positions that begin at the third row.

use std::sync::Arc;

use super::parts::{Bart, Ties, bart, room};
use crate::architectures::parts::positions;
use epicene_checkpoint::{CheckpointError, Config, Fields, Loader, Weights};
use epicene_kernels::Matrix;
use epicene_transformer::EncoderDecoder;

/// Rows of the positions that are not used.
const OFFSET: usize = 2;

pub const FIELDS: Fields = super::parts::FIELDS;

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<EncoderDecoder, CheckpointError> {
    with_learned_positions(config, weights, true)
}

/// mBART, or BART, which differs in where its norms stand.
pub fn with_learned_positions(
    config: &Config,
    weights: Arc<dyn Weights>,
    norm_first: bool,
) -> Result<EncoderDecoder, CheckpointError> {
    let loader = Loader::new(weights, "model.");
    let vocabulary = config.size(&["vocab_size"])?;
    let how = Bart {
        norm_first,
        embedding_norm: true,
        positions: learned_positions(&loader, config)?,
        without_position: None,
        vocabularies: [vocabulary, vocabulary],
        ties: Ties::all(config)?,
        logits_bias: true,
    };
    bart(&loader, config, how)
}

/// The positions of the encoder and of the decoder.
fn learned_positions(loader: &Loader, config: &Config) -> Result<[Matrix; 2], CheckpointError> {
    let (count, width) = room(config)?;
    let learned = |side: &str| {
        let name = format!("model.{side}.embed_positions.weight");
        positions(loader, &name, count + OFFSET, width, OFFSET, None)
    };
    Ok([learned("encoder")?, learned("decoder")?])
}
