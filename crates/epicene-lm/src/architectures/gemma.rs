//! Gemma, Gemma 2 and Gemma 3 (Gemma Team 2024, 2025): scaled embeddings, norms whose weights count
//! from one, a norm on both sides of each half from Gemma 2 on, soft caps in Gemma 2 and head norms
//! in Gemma 3.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::causal_head;
use super::rope::{rotary, sliding_layers};
use crate::checkpoint::{Bias, CheckpointError, Config, Loader, Weights};
use crate::cpu::{Attending, Norm, Rotary, Sight};
use crate::transformer::{Attention, Embedding, FeedForward, Layer, Norms, Transformer};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "model.");
    let generation = match config.model_type() {
        Some("gemma2") => 2,
        Some("gemma3_text") => 3,
        _ => 1,
    };
    let hidden = config.size(&["hidden_size"])?;
    let heads = config.size(&["num_attention_heads"])?;
    let head_size = config.size_or("head_dim", 256)?.max(1);
    let key_heads = config.size_or("num_key_value_heads", heads)?.max(1);
    if !heads.is_multiple_of(key_heads) {
        return Err(config.bad(
            "num_key_value_heads",
            format!("is {key_heads}, which does not divide {heads}"),
        ));
    }
    let inner = config.size(&["intermediate_size"])?;
    let epsilon = config.number("rms_norm_eps", 1e-6)?;
    let bias = Bias::needed_if(config.flag("attention_bias", false));
    // The first generation's `hidden_act` says gelu and means its tanh form.
    let activation = config.activation("hidden_activation", "gelu_pytorch_tanh")?;
    let tokens = loader.table(
        "model.embed_tokens.weight",
        config.size(&["vocab_size"])?,
        hidden,
    )?;
    let norm = |name: &str| loader.rms_norm(name, hidden, epsilon, 1.0);
    let count = config.size(&["num_hidden_layers"])?;
    let pattern = config
        .size_or(
            "sliding_window_pattern",
            config.size_or("_sliding_window_pattern", 6)?,
        )?
        .max(1);
    let sliding = sliding_layers(config, count, |layer| match generation {
        1 => false,
        2 => layer % 2 == 0,
        _ => !(layer + 1).is_multiple_of(pattern),
    });
    let window = config.size_or("sliding_window", 4096)?;
    let far_base = if generation == 3 {
        1_000_000.0
    } else {
        10_000.0
    };
    let far = Arc::new(rotary(config, head_size, "full_attention", far_base)?);
    let near = Arc::new(match (generation, config.get("rope_parameters")) {
        (3, None) => Rotary::new(head_size, config.number("rope_local_base_freq", 10_000.0)?),
        _ => rotary(config, head_size, "sliding_attention", 10_000.0)?,
    });
    let cap = |name: &str| -> Result<Option<f32>, CheckpointError> {
        match config.get(name) {
            Some(_) => Ok(Some(config.number(name, 0.0)? as f32)),
            None => Ok(None),
        }
    };
    let scale = match generation {
        1 => head_size as f64,
        _ => config.number("query_pre_attn_scalar", 256.0)?,
    };
    let attention_cap = cap("attn_logit_softcapping")?;
    let mut layers = Vec::new();
    for (layer, sliding) in sliding.into_iter().enumerate() {
        let prefix = format!("model.layers.{layer}");
        let own = |name: &str| format!("{prefix}.self_attn.{name}");
        let around = |name: &str| norm(&format!("{prefix}.{name}")).map(Some);
        let head_norm = |name: &str| -> Result<Option<Norm>, CheckpointError> {
            match generation {
                3 => loader
                    .rms_norm(&own(name), head_size, epsilon, 1.0)
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
                    scale: (1.0 / scale.sqrt()) as f32,
                    sight: Sight {
                        causal: true,
                        reach: sliding.then_some(window.saturating_sub(1)),
                    },
                    soft_cap: attention_cap,
                    bias: None,
                },
                query: loader.linear(&own("q_proj"), heads * head_size, hidden, bias)?,
                key_value: loader.linears(
                    &[&own("k_proj"), &own("v_proj")],
                    key_heads * head_size,
                    hidden,
                    bias,
                )?,
                output: loader.linear(&own("o_proj"), hidden, heads * head_size, bias)?,
                rotary: Some(if sliding { near.clone() } else { far.clone() }),
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
                    Bias::None,
                )?],
                gated: true,
                activation,
                output: vec![loader.linear(
                    &format!("{prefix}.mlp.down_proj"),
                    hidden,
                    inner,
                    Bias::None,
                )?],
            },
            norms: match generation {
                1 => Norms {
                    before_attention: around("input_layernorm")?,
                    before_feed_forward: around("post_attention_layernorm")?,
                    ..Norms::default()
                },
                _ => Norms {
                    before_attention: around("input_layernorm")?,
                    of_attention: around("post_attention_layernorm")?,
                    before_feed_forward: around("pre_feedforward_layernorm")?,
                    of_feed_forward: around("post_feedforward_layernorm")?,
                    ..Norms::default()
                },
            },
            parallel: false,
            convolution: None,
        }));
    }
    let mut head = causal_head(&loader, config, "lm_head", &tokens, true)?;
    if let Some(head) = &mut head {
        head.soft_cap = cap("final_logit_softcapping")?;
    }
    Ok(Transformer {
        kind: ModelKind::Causal,
        norm: Some(norm("model.norm")?),
        head,
        embedding: Embedding {
            tokens,
            scale: (hidden as f64).sqrt() as f32,
            positions: None,
            constant: None,
            norm: None,
            projection: None,
        },
        layers,
        longest: None,
    })
}
