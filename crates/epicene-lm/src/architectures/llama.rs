//! Llama (Touvron et al. 2023) and those that kept its layout: Mistral, Qwen 2 (biases on queries,
//! keys and values), Qwen 3 (a norm on each query and key head), SmolLM.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{causal_head, key_heads};
use super::rope::{PLAIN, rotary, sliding_layers};
use crate::checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights};
use crate::cpu::{Attending, Norm, Sight};
use crate::transformer::{Attention, Embedding, FeedForward, Layer, Norms, Transformer};

pub const QWEN3: Fields = Fields {
    understood: &[
        "attention_bias",
        "head_dim",
        "hidden_act",
        "hidden_size",
        "intermediate_size",
        "layer_types",
        "max_position_embeddings",
        "max_window_layers",
        "num_attention_heads",
        "num_hidden_layers",
        "num_key_value_heads",
        "rms_norm_eps",
        "rope_parameters",
        "rope_scaling",
        "rope_theta",
        "sliding_window",
        "tie_word_embeddings",
        "use_sliding_window",
        "vocab_size",
    ],
    harmless: &["is_decoder"],
};

pub const QWEN2: Fields = Fields {
    understood: &[
        "head_dim",
        "hidden_act",
        "hidden_size",
        "intermediate_size",
        "layer_types",
        "max_position_embeddings",
        "max_window_layers",
        "num_attention_heads",
        "num_hidden_layers",
        "num_key_value_heads",
        "rms_norm_eps",
        "rope_parameters",
        "rope_scaling",
        "rope_theta",
        "sliding_window",
        "tie_word_embeddings",
        "use_mrope",
        "use_sliding_window",
        "vocab_size",
    ],
    harmless: &["is_decoder"],
};

pub const MISTRAL: Fields = Fields {
    understood: &[
        "head_dim",
        "hidden_act",
        "hidden_size",
        "intermediate_size",
        "max_position_embeddings",
        "num_attention_heads",
        "num_hidden_layers",
        "num_key_value_heads",
        "rms_norm_eps",
        "rope_parameters",
        "rope_scaling",
        "rope_theta",
        "sliding_window",
        "tie_word_embeddings",
        "vocab_size",
    ],
    harmless: &["is_decoder"],
};

pub const LLAMA: Fields = Fields {
    understood: &[
        "attention_bias",
        "head_dim",
        "hidden_act",
        "hidden_size",
        "intermediate_size",
        "max_position_embeddings",
        "mlp_bias",
        "num_attention_heads",
        "num_hidden_layers",
        "num_key_value_heads",
        "rms_norm_eps",
        "rope_interleaved",
        "rope_parameters",
        "rope_scaling",
        "rope_theta",
        "tie_word_embeddings",
        "vocab_size",
    ],
    harmless: &["is_decoder", "is_llama_config", "max_sequence_length"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "model.");
    let model_type = config.model_type().unwrap_or_default();
    let hidden = config.size(&["hidden_size"])?;
    let heads = config.size(&["num_attention_heads"])?;
    let head_size = match config.optional_size("head_dim")? {
        Some(size) => size,
        None => config.heads(&["num_attention_heads"], hidden)?.1,
    };
    // Other programs' spellings, harmless as long as they are off.
    for (field, of) in [("rope_interleaved", "llama"), ("use_mrope", "qwen2")] {
        if model_type == of {
            config.refuse(field)?;
        }
    }
    let key_heads = key_heads(config, heads)?;
    let inner = config.size(&["intermediate_size"])?;
    let epsilon = config.epsilon("rms_norm_eps", 1e-6)?;
    let activation = config.activation("hidden_act", "silu")?;
    let attention_bias =
        matches!(model_type, "llama" | "qwen3") && config.flag("attention_bias", false)?;
    let input_bias = Bias::needed_if(attention_bias || model_type == "qwen2");
    let output_bias = Bias::needed_if(attention_bias && model_type != "qwen2");
    let inner_bias = Bias::needed_if(model_type == "llama" && config.flag("mlp_bias", false)?);
    let tokens = loader.table(
        "model.embed_tokens.weight",
        config.size(&["vocab_size"])?,
        hidden,
    )?;
    let norm = |name: &str| loader.rms_norm(name, hidden, epsilon, 0.0);
    let turning = rotary(config, PLAIN, head_size, 1.0)?;
    let rotary = Arc::new(turning.rotary);
    let count = config.layers(&["num_hidden_layers"])?;
    let windows = windows(config, model_type, count)?;
    let mut layers = Vec::new();
    for (layer, window) in windows.into_iter().enumerate() {
        let prefix = format!("model.layers.{layer}");
        let own = |name: &str| format!("{prefix}.self_attn.{name}");
        let head_norm = |name: &str| -> Result<Option<Norm>, CheckpointError> {
            match model_type {
                "qwen3" => loader
                    .rms_norm(&own(name), head_size, epsilon, 0.0)
                    .map(Some),
                _ => Ok(None),
            }
        };
        layers.push(Arc::new(Layer {
            attention: Attention {
                how: Attending {
                    heads,
                    key_heads,
                    head_size,
                    scale: 1.0 / (head_size as f32).sqrt(),
                    sight: Sight {
                        causal: true,
                        reach: window.map(|window| window.saturating_sub(1)),
                    },
                    soft_cap: None,
                    bias: None,
                },
                query: loader.linear(&own("q_proj"), heads * head_size, hidden, input_bias)?,
                key_value: loader.linears(
                    &[&own("k_proj"), &own("v_proj")],
                    key_heads * head_size,
                    hidden,
                    input_bias,
                )?,
                output: loader.linear(&own("o_proj"), hidden, heads * head_size, output_bias)?,
                rotary: Some(rotary.clone()),
                query_norm: head_norm("q_norm")?,
                key_norm: head_norm("k_norm")?,
                relative: None,
                span: None,
            },
            feed_forward: FeedForward {
                input: vec![loader.linears(
                    &[
                        &format!("{prefix}.mlp.gate_proj"),
                        &format!("{prefix}.mlp.up_proj"),
                    ],
                    inner,
                    hidden,
                    inner_bias,
                )?],
                gated: true,
                activation,
                output: vec![loader.linear(
                    &format!("{prefix}.mlp.down_proj"),
                    hidden,
                    inner,
                    inner_bias,
                )?],
            },
            norms: Norms {
                before_attention: Some(norm(&format!("{prefix}.input_layernorm"))?),
                before_feed_forward: Some(norm(&format!("{prefix}.post_attention_layernorm"))?),
                ..Norms::default()
            },
            parallel: false,
            convolution: None,
        }));
    }
    Ok(Transformer {
        kind: ModelKind::Causal,
        norm: Some(norm("model.norm")?),
        head: causal_head(&loader, config, "lm_head", &tokens, Bias::None)?,
        embedding: Embedding {
            tokens,
            scale: 1.0,
            positions: None,
            constant: None,
            norm: None,
            projection: None,
        },
        layers,
        longest: turning.longest,
    })
}

/// The sliding window of each layer: all of Mistral's, none of Llama's, Qwen's where it is on.
fn windows(
    config: &Config,
    model_type: &str,
    count: usize,
) -> Result<Vec<Option<usize>>, CheckpointError> {
    match model_type {
        "mistral" => Ok(vec![config.optional_size("sliding_window")?; count]),
        "qwen2" | "qwen3" => {
            let window = match config.flag("use_sliding_window", false)? {
                true => config.optional_size("sliding_window")?,
                false => None,
            };
            let first = config.size_or("max_window_layers", count)?;
            let sliding =
                sliding_layers(config, count, |layer| window.is_some() && layer >= first)?;
            if window.is_none() && sliding.contains(&true) {
                let problem = "has layers with a window, but there is no window in use";
                return Err(config.bad("layer_types", problem));
            }
            Ok(sliding
                .into_iter()
                .map(|sliding| window.filter(|_| sliding))
                .collect())
        }
        _ => Ok(vec![None; count]),
    }
}
