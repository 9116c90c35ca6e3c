//! Qwen's mixtures of experts (Qwen Team 2024, 2025): Qwen 2 and Qwen 3 with experts in most layers; in the second
//! generation every token passes through a shared one too, behind a gate.

use std::sync::Arc;

use serde_json::Value;

use super::decoder::{Decoder, LLAMA_LIKE};
use super::experts::{Mixture, Stored};
use super::llama::windows;
use super::rope::PLAIN;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, Writer, all_of, short};
use epicene_kernels::AttentionMask;
use epicene_transformer::{FeedForward, Layer, Transformer};

const BOTH: &[&str] = all_of!(
    LLAMA_LIKE,
    &[
        "decoder_sparse_step max_window_layers mlp_only_layers moe_intermediate_size norm_topk_prob",
        "num_experts num_experts_per_tok num_local_experts sliding_window use_sliding_window"
    ]
);
const HARMLESS: &[&str] = &["is_decoder output_router_logits router_aux_loss_coef"];

pub const QWEN3_MOE: Fields = Fields {
    understood: all_of!(BOTH, &["attention_bias"]),
    harmless: HARMLESS,
};

pub const QWEN2_MOE: Fields = Fields {
    understood: all_of!(
        BOTH,
        &["layer_types qkv_bias shared_expert_intermediate_size"]
    ),
    harmless: HARMLESS,
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let decoder = Decoder::llama(config, weights)?;
    let third = config.model_type() == Some("qwen3_moe");
    let (input_bias, output_bias) = if third {
        let bias = Bias::needed_if(config.flag("attention_bias", false)?);
        (bias, bias)
    } else {
        (Bias::needed_if(config.flag("qkv_bias", true)?), Bias::None)
    };
    let (rotary, longest) = decoder.rotary(PLAIN, 1.0)?;
    let windows = if third {
        // The third generation has the window in every layer or in none.
        let window = if config.flag("use_sliding_window", false)? {
            config.optional_size("sliding_window")?
        } else {
            None
        };
        vec![window; decoder.layers]
    } else {
        second_windows(config, decoder.layers)?
    };
    // Version 5 has a new name for it.
    let count = match config.get("num_local_experts") {
        Some(_) => config.size_or("num_local_experts", 0)?,
        None => config.size_or("num_experts", 0)?,
    };
    let sparse = sparse_layers(config, decoder.layers, count)?;
    let inner = config.size(&["moe_intermediate_size"])?;
    let layers = sparse.iter().filter(|sparse| **sparse).count();
    let mut mixture = match layers {
        0 => None,
        _ => Some(Mixture::new(&decoder, count, inner, layers)?),
    };
    if let Some(mixture) = &mut mixture {
        mixture.to_one = config.flag("norm_topk_prob", false)?;
    }
    decoder.llama_model(longest, |layer, at| {
        let mut attention = decoder.llama_attention(at, input_bias, output_bias)?;
        attention.rotary = Some(rotary.clone());
        attention.how.mask = AttentionMask::causal(windows[layer]);
        if third {
            decoder.add_head_norms(&mut attention, at)?;
        }
        let norms = decoder.llama_norms(at)?;
        let Some(mixture) = mixture.as_ref().filter(|_| sparse[layer]) else {
            let network = decoder.llama_network(&format!("{at}.mlp"), decoder.inner, Bias::None)?;
            return Ok(Layer::new(attention, network, norms));
        };
        let stored = Stored::Each {
            part: format!("{at}.mlp.experts"),
            names: ["gate_proj", "up_proj", "down_proj"],
        };
        let mut experts = mixture.load(&format!("{at}.mlp.gate"), Bias::None, None, stored)?;
        let mut shared = FeedForward::none();
        if !third {
            let inner = config.size(&["shared_expert_intermediate_size"])?;
            shared =
                decoder.llama_network(&format!("{at}.mlp.shared_expert"), inner, Bias::None)?;
            let gate = format!("{at}.mlp.shared_expert_gate");
            experts.shared_gate = Some(decoder.linear(&gate, 1, decoder.hidden, Bias::None)?);
        }
        Ok(Layer {
            experts: Some(experts),
            ..Layer::new(attention, shared, norms)
        })
    })
}

/// The windows of the second generation: every other one of the first layers, unless they are listed. Version 4 has a window in
/// every layer or in the last ones, as its attention is computed; only where that is the same it can be followed.
fn second_windows(config: &Config, layers: usize) -> Result<Vec<Option<usize>>, CheckpointError> {
    const LISTED: &str = "layer_types";
    if let (Writer::Four, Some(listed)) = (config.writer(), config.stored(LISTED)) {
        return Err(config.unknown_field(LISTED, listed));
    }
    let first = config.size_or("max_window_layers", layers)?;
    match (
        config.flag("use_sliding_window", false)?,
        config.writer(),
        first,
    ) {
        (false, ..) => windows(config, layers, |_| false),
        (true, Writer::Five, _) => windows(config, layers, |layer| {
            layer < first && layer.is_multiple_of(2)
        }),
        (true, Writer::Four, 0) => windows(config, layers, |_| true),
        (true, Writer::Four, _) => {
            let problem =
                "is on for some layers, which version 4 of transformers reads in two ways";
            Err(config.bad("use_sliding_window", problem))
        }
    }
}

/// Which layers have experts: every so many, but for those listed.
fn sparse_layers(
    config: &Config,
    layers: usize,
    experts: usize,
) -> Result<Vec<bool>, CheckpointError> {
    const FIELD: &str = "mlp_only_layers";
    let dense: Vec<usize> = match config.get(FIELD) {
        None => Vec::new(),
        Some(stated) => {
            let list = stated.as_array().and_then(|list| {
                let place = |value: &Value| usize::try_from(value.as_u64()?).ok();
                list.iter().map(place).collect()
            });
            list.ok_or_else(|| {
                config.bad(FIELD, format!("is {}, not a list of layers", short(stated)))
            })?
        }
    };
    let step = config.size(&["decoder_sparse_step"])?;
    Ok((0..layers)
        .map(|layer| experts > 0 && !dense.contains(&layer) && (layer + 1).is_multiple_of(step))
        .collect())
}
