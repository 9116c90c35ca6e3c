//! StarCoder 2 (Lozhkov et al. 2024): Llama's attention with biases and windows, layer norms, a network without a gate.

use std::sync::Arc;

use super::decoder::{CAUSAL, DECODER, Decoder, NormKind, ROPE, SHARED_KEYS};
use super::rope::PLAIN;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::AttentionMask;
use epicene_transformer::{Layer, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        DECODER,
        SHARED_KEYS,
        ROPE,
        &["head_dim norm_epsilon sliding_window use_bias"]
    ),
    harmless: all_of!(CAUSAL, &["mlp_type norm_type residual_dropout"]),
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let norm = NormKind::layer(config, "norm_epsilon")?;
    let activation = config.activation("hidden_act", "gelu_pytorch_tanh")?;
    let decoder = Decoder::new(config, weights, "model.", norm, activation)?;
    let bias = Bias::needed_if(config.flag("use_bias", true)?);
    let (rotary, longest) = decoder.rotary(PLAIN, 1.0)?;
    let window = config.optional_size("sliding_window")?;
    decoder.llama_model(longest, |_, at| {
        let mut attention = decoder.llama_attention(at, bias, bias)?;
        attention.rotary = Some(rotary.clone());
        attention.how.mask = AttentionMask::causal(window);
        let (inner, outer) = (format!("{at}.mlp.c_fc"), format!("{at}.mlp.c_proj"));
        let network = decoder.plain(&inner, &outer, bias)?;
        Ok(Layer::new(attention, network, decoder.llama_norms(at)?))
    })
}
