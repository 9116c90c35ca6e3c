//! Nemotron-4 and Minitron (NVIDIA 2024): norms whose weights count from one, a network without a gate and with squared
//! activations, half of each head turning.

use std::sync::Arc;

use super::decoder::{CAUSAL, DECODER, Decoder, NormKind, ROPE, SHARED_KEYS};
use super::rope::{PLAIN, partial};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_transformer::{Layer, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        DECODER,
        SHARED_KEYS,
        ROPE,
        &["attention_bias head_dim mlp_bias norm_eps partial_rotary_factor"]
    ),
    harmless: CAUSAL,
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let norm = NormKind::Layer {
        epsilon: config.epsilon("norm_eps", 1e-5)?,
        bias: Bias::Needed,
        offset: 1.0,
    };
    let activation = config.activation("hidden_act", "relu2")?;
    let decoder = Decoder::new(config, weights, "model.", norm, activation)?;
    let bias = Bias::needed_if(config.flag("attention_bias", false)?);
    let inner_bias = Bias::needed_if(config.flag("mlp_bias", false)?);
    let share = partial(config, "partial_rotary_factor", 0.5)?;
    let (rotary, longest) = decoder.rotary(PLAIN, share)?;
    decoder.llama_model(longest, |_, at| {
        let mut attention = decoder.llama_attention(at, bias, bias)?;
        attention.rotary = Some(rotary.clone());
        let (inner, outer) = (format!("{at}.mlp.up_proj"), format!("{at}.mlp.down_proj"));
        let network = decoder.plain(&inner, &outer, inner_bias)?;
        Ok(Layer::new(attention, network, decoder.llama_norms(at)?))
    })
}
