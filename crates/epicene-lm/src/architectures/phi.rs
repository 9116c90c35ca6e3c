//! Phi-1, Phi-1.5 and Phi-2 (Gunasekar et al. 2023): one norm, then attention and feed-forward side
//! by side.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{causal_head, key_heads};
use super::rope::{PLAIN, partial, rotary};
use crate::checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights};
use crate::cpu::{Attending, Sight};
use crate::transformer::{Attention, Embedding, FeedForward, Layer, Norms, Transformer};

pub const FIELDS: Fields = Fields {
    understood: &[
        "hidden_act",
        "hidden_size",
        "intermediate_size",
        "layer_norm_eps",
        "max_position_embeddings",
        "num_attention_heads",
        "num_hidden_layers",
        "num_key_value_heads",
        "partial_rotary_factor",
        "qk_layernorm",
        "rope_parameters",
        "rope_scaling",
        "rope_theta",
        "tie_word_embeddings",
        "vocab_size",
    ],
    harmless: &["is_decoder"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "model.");
    config.refuse("qk_layernorm")?;
    let hidden = config.size(&["hidden_size"])?;
    let (heads, head_size) = config.heads(&["num_attention_heads"], hidden)?;
    let key_heads = key_heads(config, heads)?;
    let inner = config.size(&["intermediate_size"])?;
    let epsilon = config.epsilon("layer_norm_eps", 1e-5)?;
    let activation = config.activation("hidden_act", "gelu_new")?;
    let tokens = loader.table(
        "model.embed_tokens.weight",
        config.size(&["vocab_size"])?,
        hidden,
    )?;
    let norm = |name: &str| loader.layer_norm(name, hidden, epsilon, Bias::Needed);
    let share = partial(config, "partial_rotary_factor", 0.5)?;
    let turning = rotary(config, PLAIN, head_size, share)?;
    let rotary = Arc::new(turning.rotary);
    let mut layers = Vec::new();
    for layer in 0..config.layers(&["num_hidden_layers"])? {
        let prefix = format!("model.layers.{layer}");
        let own = |name: &str| format!("{prefix}.self_attn.{name}");
        layers.push(Arc::new(Layer {
            attention: Attention {
                how: Attending {
                    heads,
                    key_heads,
                    head_size,
                    scale: 1.0 / (head_size as f32).sqrt(),
                    sight: Sight {
                        causal: true,
                        reach: None,
                    },
                    soft_cap: None,
                    bias: None,
                },
                query: loader.linear(&own("q_proj"), hidden, hidden, Bias::Needed)?,
                key_value: loader.linears(
                    &[&own("k_proj"), &own("v_proj")],
                    key_heads * head_size,
                    hidden,
                    Bias::Needed,
                )?,
                output: loader.linear(&own("dense"), hidden, hidden, Bias::Needed)?,
                rotary: Some(rotary.clone()),
                query_norm: None,
                key_norm: None,
                relative: None,
                span: None,
            },
            feed_forward: FeedForward {
                input: vec![loader.linear(
                    &format!("{prefix}.mlp.fc1"),
                    inner,
                    hidden,
                    Bias::Needed,
                )?],
                gated: false,
                activation,
                output: vec![loader.linear(
                    &format!("{prefix}.mlp.fc2"),
                    hidden,
                    inner,
                    Bias::Needed,
                )?],
            },
            norms: Norms {
                before_attention: Some(norm(&format!("{prefix}.input_layernorm"))?),
                ..Norms::default()
            },
            parallel: true,
            convolution: None,
        }));
    }
    Ok(Transformer {
        kind: ModelKind::Causal,
        norm: Some(norm("model.final_layernorm")?),
        head: causal_head(&loader, config, "lm_head", &tokens, Bias::Needed)?,
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
