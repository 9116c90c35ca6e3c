//! BART (Lewis et al. 2020): norms behind each part and on the embeddings, learned positions that begin at the third row.

use std::sync::Arc;

use super::mbart::with_learned_positions;
use epicene_checkpoint::{CheckpointError, Config, Fields, Weights};
use epicene_transformer::EncoderDecoder;

pub const FIELDS: Fields = super::parts::FIELDS;

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<EncoderDecoder, CheckpointError> {
    with_learned_positions(config, weights, false)
}
