//! Llama (Touvron et al. 2023) and those that kept its layout: Mistral, Qwen 2 (biases on queries,
//! keys and values), Qwen 3 (a norm on each query and key head), SmolLM.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::causal_head;
use super::rope::{rotary, sliding_layers};
use crate::checkpoint::{Bias, CheckpointError, Config, Loader, Weights};
use crate::cpu::{Attending, Norm, Sight};
use crate::transformer::{Attention, Embedding, FeedForward, Layer, Norms, Transformer};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "model.");
    let model_type = config.model_type().unwrap_or_default();
    let hidden = config.size(&["hidden_size"])?;
    let heads = config.size(&["num_attention_heads"])?;
    let head_size = match config.get("head_dim") {
        Some(_) => config.size(&["head_dim"])?,
        None => config.heads(&["num_attention_heads"], hidden)?.1,
    };
    let key_heads = config.size_or("num_key_value_heads", heads)?.max(1);
    if !heads.is_multiple_of(key_heads) {
        return Err(config.bad(
            "num_key_value_heads",
            format!("is {key_heads}, which does not divide {heads}"),
        ));
    }
    let inner = config.size(&["intermediate_size"])?;
    let epsilon = config.number("rms_norm_eps", 1e-6)?;
    let activation = config.activation("hidden_act", "silu")?;
    let attention_bias = config.flag("attention_bias", false);
    let input_bias = Bias::needed_if(attention_bias || model_type == "qwen2");
    let output_bias = Bias::needed_if(attention_bias && model_type != "qwen2");
    let inner_bias = Bias::needed_if(config.flag("mlp_bias", false));
    let tokens = loader.table(
        "model.embed_tokens.weight",
        config.size(&["vocab_size"])?,
        hidden,
    )?;
    let norm = |name: &str| loader.rms_norm(name, hidden, epsilon, 0.0);
    let rotary = Arc::new(rotary(config, head_size, "full_attention", 10_000.0)?);
    let count = config.size(&["num_hidden_layers"])?;
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
        head: causal_head(&loader, config, "lm_head", &tokens, false)?,
        embedding: Embedding {
            tokens,
            scale: 1.0,
            positions: None,
            constant: None,
            norm: None,
            projection: None,
        },
        layers,
        longest: None,
    })
}

/// The sliding window of each layer: all of Mistral's, none of Llama's, Qwen's where it is on.
fn windows(
    config: &Config,
    model_type: &str,
    count: usize,
) -> Result<Vec<Option<usize>>, CheckpointError> {
    let window = match config.get("sliding_window") {
        Some(_) => Some(config.size(&["sliding_window"])?),
        None => None,
    };
    let sliding = match model_type {
        "mistral" => vec![true; count],
        "qwen2" | "qwen3" if config.flag("use_sliding_window", false) => {
            let first = config.size_or("max_window_layers", count)?;
            sliding_layers(config, count, |layer| layer >= first)
        }
        _ => vec![false; count],
    };
    Ok(sliding
        .into_iter()
        .map(|sliding| window.filter(|_| sliding))
        .collect())
}
