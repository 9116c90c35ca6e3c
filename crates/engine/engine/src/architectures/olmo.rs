//! OLMo (Groeneveld et al. 2024): Llama's layers with norms that have no weights, and bounded queries, keys and values.

use std::sync::Arc;

use super::decoder::{CAUSAL, DECODER, Decoder, NormKind, ROPE, SHARED_KEYS};
use super::rope::PLAIN;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_transformer::Transformer;

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        DECODER,
        SHARED_KEYS,
        ROPE,
        &["attention_bias clip_qkv head_dim"]
    ),
    harmless: CAUSAL,
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let norm = NormKind::Bare { epsilon: 1e-5 };
    let activation = config.activation("hidden_act", "silu")?;
    let decoder = Decoder::new(config, weights, "model.", norm, activation)?;
    let bias = Bias::needed_if(config.flag("attention_bias", false)?);
    let clip = config.optional_positive("clip_qkv")?;
    let (rotary, longest) = decoder.rotary(PLAIN, 1.0)?;
    decoder.llama_model(longest, |_, at| {
        let mut made = decoder.llama_layer(at, &rotary, [bias, bias, Bias::None])?;
        made.attention.clip = clip.map(|clip| clip as f32);
        Ok(made)
    })
}
