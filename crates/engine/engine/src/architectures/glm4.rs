//! GLM-4 (GLM Team 2024, 2025): half of each head turns, neighbours together; the gate is stored with what it gates. From
//! GLM-4-0414 on a norm stands on both sides of each half.

use std::sync::Arc;

use super::decoder::{CAUSAL, Decoder, LLAMA_LIKE};
use super::rope::{PLAIN, partial};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_transformer::{Layer, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(LLAMA_LIKE, &["attention_bias partial_rotary_factor"]),
    harmless: CAUSAL,
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let mut decoder = Decoder::llama(config, weights)?;
    let share = partial(config, "partial_rotary_factor", 0.5)?;
    decoder.neighbours = Some((share * decoder.head_size as f64) as usize);
    let decoder = decoder;
    let (rotary, longest) = decoder.rotary(PLAIN, share)?;
    let bias = Bias::needed_if(config.flag("attention_bias", true)?);
    let both_sides = config.model_type() == Some("glm4");
    decoder.llama_model(longest, |_, at| {
        let name = |part: &str| format!("{at}.{part}");
        let mut attention = decoder.llama_attention(at, bias, Bias::None)?;
        attention.rotary = Some(rotary.clone());
        let network = decoder.fused_network(&name("mlp.gate_up_proj"), &name("mlp.down_proj"))?;
        let mut norms = decoder.llama_norms(at)?;
        if both_sides {
            norms.of_attention = Some(decoder.norm(&name("post_self_attn_layernorm"))?);
            norms.of_feed_forward = Some(decoder.norm(&name("post_mlp_layernorm"))?);
        }
        Ok(Layer::new(attention, network, norms))
    })
}
