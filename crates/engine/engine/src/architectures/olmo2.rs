//! OLMo 2 and OLMo 3 (OLMo Team 2025): norms behind each half instead of in front, norms of queries and keys over all heads
//! together; three of four layers of the third generation see a window.

use std::sync::Arc;

use super::decoder::{CAUSAL, Decoder, LLAMA_LIKE};
use super::rope::{PLAIN, Rope, sliding_layers};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::AttentionMask;
use epicene_transformer::Transformer;

pub const OLMO2: Fields = Fields {
    understood: all_of!(LLAMA_LIKE, &["attention_bias"]),
    harmless: CAUSAL,
};

pub const OLMO3: Fields = Fields {
    understood: all_of!(LLAMA_LIKE, &["attention_bias layer_types sliding_window"]),
    harmless: CAUSAL,
};

/// Layers of the third generation that see everything, and those with a window, which turn as if nothing was stretched.
const FAR: Rope = Rope {
    by_kind: true,
    ..PLAIN
};
const NEAR: Rope = Rope {
    kind: "sliding_attention",
    scaled: false,
    ..FAR
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let decoder = Decoder::llama(config, weights)?;
    let third = config.model_type() == Some("olmo3");
    let bias = Bias::needed_if(config.flag("attention_bias", false)?);
    let (sliding, window) = if third {
        (
            sliding_layers(config, decoder.layers, |layer| (layer + 1) % 4 != 0)?,
            config.optional_size("sliding_window")?,
        )
    } else {
        (vec![false; decoder.layers], None)
    };
    let far = decoder.rotary(if third { FAR } else { PLAIN }, 1.0)?;
    let near = decoder.rotary(if third { NEAR } else { PLAIN }, 1.0)?;
    decoder.llama_model(far.1, |layer, at| {
        let rotary = if sliding[layer] { &near.0 } else { &far.0 };
        let mut made = decoder.llama_layer_with(at, rotary, [bias, bias, Bias::None], |at| {
            decoder.norms_behind(at)
        })?;
        made.attention.how.mask = AttentionMask::causal(window.filter(|_| sliding[layer]));
        decoder.add_wide_norms(&mut made.attention, at)?;
        Ok(made)
    })
}
