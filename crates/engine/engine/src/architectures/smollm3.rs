//! SmolLM 3 (Hugging Face 2025): Llama's layers, every fourth of them without positions.

use std::sync::Arc;

use super::decoder::{CAUSAL, Decoder, LLAMA_LIKE};
use super::rope::{PLAIN, sliding_layers, turning_layers};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::AttentionMask;
use epicene_transformer::Transformer;

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        LLAMA_LIKE,
        &[
            "attention_bias layer_types mlp_bias no_rope_layer_interval no_rope_layers sliding_window",
            "use_sliding_window"
        ]
    ),
    // Written by the programs it was trained with; nothing reads it.
    harmless: all_of!(CAUSAL, &["max_window_layers"]),
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let decoder = Decoder::llama(config, weights)?;
    let bias = Bias::needed_if(config.flag("attention_bias", false)?);
    let inner_bias = Bias::needed_if(config.flag("mlp_bias", false)?);
    let (rotary, longest) = decoder.rotary(PLAIN, 1.0)?;
    let turning = turning_layers(config, decoder.layers)?;
    let window = if config.flag("use_sliding_window", false)? {
        config.optional_size("sliding_window")?
    } else {
        None
    };
    let sliding = sliding_layers(config, decoder.layers, |layer| {
        window.is_some() && !turning[layer]
    })?;
    // Version 4 and 5 see a window or none there, as their attention is computed.
    if window.is_none() && sliding.contains(&true) {
        let problem = "has layers with a window, but there is no window in use";
        return Err(config.bad("layer_types", problem));
    }
    decoder.llama_model(longest, |layer, at| {
        let mut made = decoder.llama_layer(at, &rotary, [bias, bias, inner_bias])?;
        made.attention.how.mask = AttentionMask::causal(window.filter(|_| sliding[layer]));
        if !turning[layer] {
            made.attention.rotary = None;
        }
        Ok(made)
    })
}
