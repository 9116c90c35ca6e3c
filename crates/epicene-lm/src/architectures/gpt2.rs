//! GPT-2 (Radford et al. 2019): learned positions, weights stored inputs first.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{causal_head, full_attention, positions};
use crate::checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights};
use crate::cpu::Sight;
use crate::transformer::{Attention, Embedding, FeedForward, Layer, Norms, Transformer};

pub const FIELDS: Fields = Fields {
    understood: &[
        "activation_function",
        "layer_norm_epsilon",
        "n_embd",
        "n_head",
        "n_inner",
        "n_layer",
        "n_positions",
        "scale_attn_by_inverse_layer_idx",
        "scale_attn_weights",
        "tie_word_embeddings",
        "vocab_size",
    ],
    harmless: &[
        "is_decoder",
        "n_ctx",
        "n_special",
        "predict_special_tokens",
        "reorder_and_upcast_attn",
    ],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "transformer.");
    let hidden = config.size(&["n_embd", "hidden_size"])?;
    let (heads, head_size) = config.heads(&["n_head", "num_attention_heads"], hidden)?;
    let inner = config.optional_size("n_inner")?.unwrap_or(4 * hidden);
    let epsilon = config.epsilon("layer_norm_epsilon", 1e-5)?;
    let activation = config.activation("activation_function", "gelu_new")?;
    let stored = config.size(&["n_positions", "n_ctx", "max_position_embeddings"])?;
    let tokens = loader.table(
        "transformer.wte.weight",
        config.size(&["vocab_size"])?,
        hidden,
    )?;
    let norm = |name: &str| loader.layer_norm(name, hidden, epsilon, Bias::Needed);
    let mut layers = Vec::new();
    for layer in 0..config.layers(&["n_layer", "num_hidden_layers"])? {
        let prefix = format!("transformer.h.{layer}");
        let packed = format!("{prefix}.attn.c_attn");
        let sight = Sight {
            causal: true,
            reach: None,
        };
        let mut how = full_attention(heads, head_size, sight);
        if !config.flag("scale_attn_weights", true)? {
            how.scale = 1.0;
        }
        if config.flag("scale_attn_by_inverse_layer_idx", false)? {
            how.scale /= (layer + 1) as f32;
        }
        layers.push(Arc::new(Layer {
            attention: Attention {
                how,
                query: loader.transposed(&packed, hidden, 3 * hidden, 0..hidden)?,
                key_value: loader.transposed(&packed, hidden, 3 * hidden, hidden..3 * hidden)?,
                output: loader.transposed(
                    &format!("{prefix}.attn.c_proj"),
                    hidden,
                    hidden,
                    0..hidden,
                )?,
                rotary: None,
                query_norm: None,
                key_norm: None,
                relative: None,
                span: None,
            },
            feed_forward: FeedForward {
                input: vec![loader.transposed(
                    &format!("{prefix}.mlp.c_fc"),
                    hidden,
                    inner,
                    0..inner,
                )?],
                gated: false,
                activation,
                output: vec![loader.transposed(
                    &format!("{prefix}.mlp.c_proj"),
                    inner,
                    hidden,
                    0..hidden,
                )?],
            },
            norms: Norms {
                before_attention: Some(norm(&format!("{prefix}.ln_1"))?),
                before_feed_forward: Some(norm(&format!("{prefix}.ln_2"))?),
                ..Norms::default()
            },
            parallel: false,
            convolution: None,
        }));
    }
    Ok(Transformer {
        kind: ModelKind::Causal,
        norm: Some(norm("transformer.ln_f")?),
        head: causal_head(&loader, config, "lm_head", &tokens, Bias::None)?,
        embedding: Embedding {
            tokens,
            scale: 1.0,
            positions: Some(positions(
                &loader,
                "transformer.wpe.weight",
                stored,
                hidden,
                0,
                None,
            )?),
            constant: None,
            norm: None,
            projection: None,
        },
        layers,
        longest: Some(stored),
    })
}
