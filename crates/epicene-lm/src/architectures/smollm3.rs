//! SmolLM 3 (Hugging Face 2025): Llama's layers, every fourth of them without positions.

use std::sync::Arc;

use super::decoder::{CAUSAL, Decoder, LLAMA_LIKE};
use super::rope::{PLAIN, sliding_layers};
use crate::checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of, short};
use crate::cpu::Sight;
use crate::transformer::Transformer;

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        LLAMA_LIKE,
        &[
            "attention_bias",
            "layer_types",
            "mlp_bias",
            "no_rope_layer_interval",
            "no_rope_layers",
            "sliding_window",
            "use_sliding_window",
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
    let window = match config.flag("use_sliding_window", false)? {
        true => config.optional_size("sliding_window")?,
        false => None,
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
        made.attention.how.sight = Sight::causal(window.filter(|_| sliding[layer]));
        if !turning[layer] {
            made.attention.rotary = None;
        }
        Ok(made)
    })
}

/// Which layers have positions: as listed (1 for those that have), or all but every fourth.
pub fn turning_layers(config: &Config, count: usize) -> Result<Vec<bool>, CheckpointError> {
    const FIELD: &str = "no_rope_layers";
    let every = match config.declares("no_rope_layer_interval") {
        true => config.optional_size("no_rope_layer_interval")?.unwrap_or(4),
        false => 4,
    };
    match config.stored(FIELD) {
        Some(listed) if listed.as_array().is_none_or(|list| !list.is_empty()) => {
            let list = listed.as_array().filter(|list| list.len() == count);
            let list = list.and_then(|list| {
                let turns = |value: &serde_json::Value| match value.as_u64() {
                    Some(turns @ 0..=1) => Some(turns == 1),
                    _ => value.as_bool(),
                };
                list.iter().map(turns).collect()
            });
            list.ok_or_else(|| {
                let problem = format!("is {}, not 0 or 1 for each layer", short(listed));
                config.bad(FIELD, problem)
            })
        }
        _ => Ok((0..count)
            .map(|layer| !(layer + 1).is_multiple_of(every))
            .collect()),
    }
}
