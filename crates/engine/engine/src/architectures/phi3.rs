//! Phi-3 and Phi-4 (Abdin et al. 2024): Llama's layers, with queries, keys and values stored as one and the gate with what
//! it gates; the long-context models turn by LongRoPE.

use std::sync::Arc;

use super::decoder::{CAUSAL, DECODER, Decoder, ROPE, SHARED_KEYS};
use super::layers::Fused;
use super::rope::{PLAIN, partial};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::AttentionMask;
use epicene_transformer::{Layer, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        DECODER,
        SHARED_KEYS,
        ROPE,
        &["original_max_position_embeddings partial_rotary_factor rms_norm_eps sliding_window"]
    ),
    // Of Phi-4-mini's own code: nothing reads them, and a bias that is stored would be missed.
    harmless: all_of!(
        CAUSAL,
        &["attention_bias full_attn_mod interpolate_factor lm_head_bias mlp_bias"]
    ),
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let decoder = Decoder::llama(config, weights)?;
    let share = partial(config, "partial_rotary_factor", 1.0)?;
    let (rotary, longest) = decoder.rotary(PLAIN, share)?;
    let window = config.optional_size("sliding_window")?;
    decoder.llama_model(longest, |_, at| {
        let name = |part: &str| format!("{at}.{part}");
        let mut attention = decoder.fused_attention(
            &name("self_attn.qkv_proj"),
            Fused::Parts,
            &name("self_attn.o_proj"),
            [Bias::None; 2],
        )?;
        attention.rotary = Some(rotary.clone());
        attention.how.mask = AttentionMask::causal(window);
        let network = decoder.fused_network(&name("mlp.gate_up_proj"), &name("mlp.down_proj"))?;
        let norms = decoder.norms(&name("input_layernorm"), &name("post_attention_layernorm"))?;
        Ok(Layer::new(attention, network, norms))
    })
}
