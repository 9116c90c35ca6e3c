//! BART (Lewis et al. 2020): norms behind each part and on the embeddings, learned positions that begin at the third row.

use std::sync::Arc;

use super::mbart::learned_positions;
use super::parts::{Bart, Ties, bart};
use crate::checkpoint::{CheckpointError, Config, Fields, Loader, Weights};
use crate::seq2seq::EncoderDecoder;

pub const FIELDS: Fields = super::parts::FIELDS;

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<EncoderDecoder, CheckpointError> {
    let loader = Loader::new(weights, "model.");
    let vocabulary = config.size(&["vocab_size"])?;
    let how = Bart {
        norm_first: false,
        embedding_norm: true,
        positions: learned_positions(&loader, config)?,
        without_position: None,
        vocabularies: [vocabulary, vocabulary],
        ties: Ties::all(config)?,
        logits_bias: true,
    };
    bart(&loader, config, how)
}
