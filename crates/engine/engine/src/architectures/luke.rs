//! LUKE (Yamada et al. 2020) and mLUKE: RoBERTa beside a vocabulary of entities, which a text without marked entities
//! never meets.

use std::sync::Arc;

use super::encoder::{ENCODER, PADDING};
use super::roberta::load_named;
use epicene_checkpoint::{CheckpointError, Config, Fields, Weights, all_of};
use epicene_transformer::Transformer;

pub const FIELDS: Fields = Fields {
    understood: all_of!(ENCODER, PADDING),
    harmless: &[
        "bert_model_name cls_entity_prediction entity_emb_size entity_vocab_size",
        "use_entity_aware_attention",
    ],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    load_named(config, weights, "luke.")
}
