//! EuroBERT (Boizard et al. 2025): Llama's layers, looking both ways.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::decoder::{Decoder, LLAMA_LIKE};
use super::rope::PLAIN;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::AttentionMask;
use epicene_transformer::Transformer;

pub const FIELDS: Fields = Fields {
    understood: all_of!(LLAMA_LIKE, &["attention_bias mlp_bias"]),
    harmless: &["clf_pooling"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let parts = Decoder::llama(config, weights)?;
    let attention = Bias::needed_if(config.flag("attention_bias", false)?);
    let inner = Bias::needed_if(config.flag("mlp_bias", false)?);
    let (rotary, longest) = parts.rotary(PLAIN, 1.0)?;
    let mut model = parts.llama_model(longest, |_, layer| {
        let mut layer = parts.llama_layer(layer, &rotary, [attention, attention, inner])?;
        layer.attention.how.mask = AttentionMask::BOTH_WAYS;
        Ok(layer)
    })?;
    if inner == Bias::Needed {
        parts.add_head_bias(&mut model, "lm_head.bias")?;
    }
    model.kind = ModelKind::Masked;
    Ok(model)
}
