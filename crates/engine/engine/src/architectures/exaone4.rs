//! EXAONE 4 (LG AI Research 2025): norms behind each half, a norm on each query and key head; where there are windows,
//! layers that see everything have no positions.

use std::sync::Arc;

use super::decoder::{CAUSAL, Decoder, LLAMA_LIKE};
use super::rope::{PLAIN, sliding_layers};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::AttentionMask;
use epicene_transformer::Transformer;

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        LLAMA_LIKE,
        &["layer_types sliding_window sliding_window_pattern"]
    ),
    harmless: CAUSAL,
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let decoder = Decoder::llama(config, weights)?;
    let (rotary, longest) = decoder.rotary(PLAIN, 1.0)?;
    let window = config.optional_size("sliding_window")?;
    let every = match window {
        // The 32B model writes a pattern in letters beside its `layer_types`.
        Some(_) if config.stored("layer_types").is_none() => {
            config.optional_size("sliding_window_pattern")?
        }
        _ => None,
    };
    let sliding = sliding_layers(config, decoder.layers, |layer| {
        window.is_some() && every.is_some_and(|every| !(layer + 1).is_multiple_of(every))
    })?;
    decoder.llama_model(longest, |layer, at| {
        let mut made = decoder
            .llama_layer_with(at, &rotary, [Bias::None; 3], |at| decoder.norms_behind(at))?;
        decoder.add_head_norms(&mut made.attention, at)?;
        made.attention.how.mask = AttentionMask::causal(window.filter(|_| sliding[layer]));
        if window.is_some() && !sliding[layer] {
            made.attention.rotary = None;
        }
        Ok(made)
    })
}
