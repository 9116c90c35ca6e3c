//! Llama (Touvron et al. 2023) and those that kept its layout: Mistral, Ministral, Qwen 2 (biases on queries,
//! keys and values), Qwen 3 (a norm on each query and key head), SmolLM.

use std::sync::Arc;

use super::decoder::{CAUSAL, Decoder, LLAMA_LIKE};
use super::rope::{PLAIN, Rope, sliding_layers};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::AttentionMask;
use epicene_transformer::Transformer;

/// Of Qwen's sliding windows.
pub const WINDOWS: &[&str] = &["layer_types max_window_layers sliding_window use_sliding_window"];

pub const QWEN3: Fields = Fields {
    understood: all_of!(LLAMA_LIKE, WINDOWS, &["attention_bias"]),
    harmless: CAUSAL,
};

pub const QWEN2: Fields = Fields {
    understood: all_of!(LLAMA_LIKE, WINDOWS, &["use_mrope"]),
    harmless: CAUSAL,
};

pub const MISTRAL: Fields = Fields {
    understood: all_of!(LLAMA_LIKE, &["sliding_window"]),
    harmless: CAUSAL,
};

pub const MINISTRAL: Fields = Fields {
    understood: all_of!(LLAMA_LIKE, &["layer_types sliding_window"]),
    harmless: CAUSAL,
};

pub const LLAMA: Fields = Fields {
    understood: all_of!(LLAMA_LIKE, &["attention_bias mlp_bias rope_interleaved"]),
    harmless: &["is_decoder is_llama_config max_sequence_length"],
};

pub const QWEN2_VL: Fields = Fields {
    understood: all_of!(LLAMA_LIKE, WINDOWS),
    harmless: &[
        "image_token_id is_decoder video_token_id vision_end_token_id vision_start_token_id",
        "vision_token_id",
    ],
};

pub const QWEN3_VL: Fields = Fields {
    understood: all_of!(LLAMA_LIKE, &["attention_bias"]),
    harmless: CAUSAL,
};

/// Positions with sections for time, height and width, which are the same in a text.
const SECTIONED: Rope = Rope {
    sections: true,
    ..PLAIN
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let decoder = Decoder::llama(config, weights)?;
    // Without pictures Qwen-VL is Qwen.
    let (model_type, rope) = match config.model_type().unwrap_or_default() {
        "qwen2_vl_text" | "qwen2_5_vl_text" => ("qwen2", SECTIONED),
        "qwen3_vl_text" => ("qwen3", SECTIONED),
        model_type => (model_type, PLAIN),
    };
    // Other programs' spellings, harmless as long as they are off.
    for (field, of) in [("rope_interleaved", "llama"), ("use_mrope", "qwen2")] {
        if model_type == of && config.declares(field) {
            config.refuse(field)?;
        }
    }
    let attention_bias =
        matches!(model_type, "llama" | "qwen3") && config.flag("attention_bias", false)?;
    let input_bias = Bias::needed_if(attention_bias || model_type == "qwen2");
    let output_bias = Bias::needed_if(attention_bias);
    let inner_bias = Bias::needed_if(model_type == "llama" && config.flag("mlp_bias", false)?);
    let (rotary, longest) = decoder.rotary(rope, 1.0)?;
    let windows = match model_type {
        "mistral" => vec![config.optional_size("sliding_window")?; decoder.layers],
        "ministral" => {
            let window = config.optional_size("sliding_window")?;
            let sliding = sliding_layers(config, decoder.layers, |_| window.is_some())?;
            let of = |sliding| window.filter(|_| sliding);
            sliding.into_iter().map(of).collect()
        }
        "qwen2" | "qwen3" if config.declares("use_sliding_window") => {
            let first = config.size_or("max_window_layers", decoder.layers)?;
            windows(config, decoder.layers, |layer| layer >= first)?
        }
        _ => vec![None; decoder.layers],
    };
    decoder.llama_model(longest, |layer, at| {
        let mut made = decoder.llama_layer(at, &rotary, [input_bias, output_bias, inner_bias])?;
        made.attention.how.mask = AttentionMask::causal(windows[layer]);
        if model_type == "qwen3" {
            decoder.add_head_norms(&mut made.attention, at)?;
        }
        Ok(made)
    })
}

/// The sliding window of each of Qwen's layers, where it is on: in those that are listed, or by the rule.
pub fn windows(
    config: &Config,
    count: usize,
    rule: impl Fn(usize) -> bool,
) -> Result<Vec<Option<usize>>, CheckpointError> {
    let window = if config.flag("use_sliding_window", false)? {
        config.optional_size("sliding_window")?
    } else {
        None
    };
    let sliding = sliding_layers(config, count, |layer| window.is_some() && rule(layer))?;
    if window.is_none() && sliding.contains(&true) {
        let problem = "has layers with a window, but there is no window in use";
        return Err(config.bad("layer_types", problem));
    }
    Ok(sliding
        .into_iter()
        .map(|sliding| window.filter(|_| sliding))
        .collect())
}
