//! Gemma, Gemma 2 and Gemma 3 (Gemma Team 2024, 2025): scaled embeddings, norms whose weights count
//! from one, a norm on both sides of each half from Gemma 2 on, soft caps in Gemma 2 and head norms
//! in Gemma 3.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{causal_head, key_heads};
use super::rope::{PLAIN, Rope, rotary, sliding_layers};
use crate::checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights};
use crate::cpu::{Activation, Attending, Norm, Sight};
use crate::transformer::{Attention, Embedding, FeedForward, Layer, Norms, Transformer};

pub const GEMMA3: Fields = Fields {
    understood: &[
        "_sliding_window_pattern",
        "attention_bias",
        "final_logit_softcapping",
        "head_dim",
        "hidden_activation",
        "hidden_size",
        "intermediate_size",
        "layer_types",
        "max_position_embeddings",
        "num_attention_heads",
        "num_hidden_layers",
        "num_key_value_heads",
        "query_pre_attn_scalar",
        "rms_norm_eps",
        "rope_local_base_freq",
        "rope_parameters",
        "rope_scaling",
        "rope_theta",
        "sliding_window",
        "sliding_window_pattern",
        "tie_word_embeddings",
        "use_bidirectional_attention",
        "vocab_size",
    ],
    harmless: &["attn_logit_softcapping", "hidden_act", "is_decoder"],
};

pub const GEMMA2: Fields = Fields {
    understood: &[
        "attention_bias",
        "attn_logit_softcapping",
        "final_logit_softcapping",
        "head_dim",
        "hidden_activation",
        "hidden_size",
        "intermediate_size",
        "layer_types",
        "max_position_embeddings",
        "num_attention_heads",
        "num_hidden_layers",
        "num_key_value_heads",
        "query_pre_attn_scalar",
        "rms_norm_eps",
        "rope_parameters",
        "rope_scaling",
        "rope_theta",
        "sliding_window",
        "tie_word_embeddings",
        "use_bidirectional_attention",
        "vocab_size",
    ],
    harmless: &["hidden_act", "is_decoder"],
};

pub const GEMMA: Fields = Fields {
    understood: &[
        "attention_bias",
        "head_dim",
        "hidden_act",
        "hidden_activation",
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
        "tie_word_embeddings",
        "use_bidirectional_attention",
        "vocab_size",
    ],
    harmless: &["is_decoder"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "model.");
    let generation = match config.model_type() {
        Some("gemma2") => 2,
        Some("gemma3_text") => 3,
        _ => 1,
    };
    let hidden = config.size(&["hidden_size"])?;
    let heads = config.size(&["num_attention_heads"])?;
    let head_size = config.optional_size("head_dim")?.unwrap_or(256);
    let key_heads = key_heads(config, heads)?;
    let inner = config.size(&["intermediate_size"])?;
    let epsilon = config.epsilon("rms_norm_eps", 1e-6)?;
    let bias = Bias::needed_if(config.flag("attention_bias", false)?);
    let activation = match generation {
        1 => first_activation(config)?,
        _ => config.activation("hidden_activation", "gelu_pytorch_tanh")?,
    };
    config.refuse("use_bidirectional_attention")?;
    let tokens = loader.table(
        "model.embed_tokens.weight",
        config.size(&["vocab_size"])?,
        hidden,
    )?;
    let norm = |name: &str| loader.rms_norm(name, hidden, epsilon, 1.0);
    let count = config.layers(&["num_hidden_layers"])?;
    let sliding = match generation {
        1 => vec![false; count],
        2 => sliding_layers(config, count, |layer| layer % 2 == 0)?,
        _ => {
            let pattern = pattern(config)?;
            sliding_layers(config, count, |layer| !(layer + 1).is_multiple_of(pattern))?
        }
    };
    let window = match generation {
        1 => 1,
        _ => config.optional_size("sliding_window")?.unwrap_or(4096),
    };
    let (far, near) = match generation {
        3 => (
            rotary(config, FAR, head_size, 1.0)?,
            rotary(config, NEAR, head_size, 1.0)?,
        ),
        _ => (
            rotary(config, PLAIN, head_size, 1.0)?,
            rotary(config, PLAIN, head_size, 1.0)?,
        ),
    };
    let longest = far.longest.or(near.longest);
    let (far, near) = (Arc::new(far.rotary), Arc::new(near.rotary));
    let cap = |from: usize, name: &str| -> Result<Option<f32>, CheckpointError> {
        match generation >= from {
            true => Ok(config.optional_positive(name)?.map(|cap| cap as f32)),
            false => Ok(None),
        }
    };
    let scale = match generation {
        1 => head_size as f64,
        _ => config.positive("query_pre_attn_scalar", 256.0)?,
    };
    // The third generation has the field and does not use it.
    let attention_cap = match generation {
        2 => cap(2, "attn_logit_softcapping")?,
        _ => None,
    };
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
    let mut head = causal_head(&loader, config, "lm_head", &tokens, Bias::None)?;
    if let Some(head) = &mut head {
        head.soft_cap = cap(2, "final_logit_softcapping")?;
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
        longest,
    })
}

/// Gemma 3's layers that see everything, and those with a window.
const FAR: Rope = Rope {
    default_base: 1_000_000.0,
    by_kind: true,
    ..PLAIN
};
const NEAR: Rope = Rope {
    kind: "sliding_attention",
    base: "rope_local_base_freq",
    default_base: 10_000.0,
    scaled: false,
    by_kind: true,
};

/// The first generation's activation has two names; `transformers` reads `hidden_act`, which in the first files says
/// gelu and means its tanh form, as `hidden_activation` beside it says.
fn first_activation(config: &Config) -> Result<Activation, CheckpointError> {
    if let Some(other) = config.stored("hidden_activation")
        && let Some(stated) = config.get("hidden_act")
        && stated != other
    {
        let problem = format!("is {other}, but `hidden_act`, which counts, is {stated}");
        return Err(config.bad("hidden_activation", problem));
    }
    config.activation("hidden_act", "gelu_pytorch_tanh")
}

/// Every how many layers one sees everything. `transformers` reads the field without the underscore only, and writes
/// the other one beside `layer_types`.
fn pattern(config: &Config) -> Result<usize, CheckpointError> {
    if let Some(hidden) = config.stored("_sliding_window_pattern")
        && config.stored("layer_types").is_none()
        && config.stored("sliding_window_pattern").is_none()
        && hidden.as_u64() != Some(6)
    {
        return Err(config.unknown("_sliding_window_pattern"));
    }
    Ok(config.optional_size("sliding_window_pattern")?.unwrap_or(6))
}
