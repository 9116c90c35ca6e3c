//! ModernBERT (Warner et al. 2024): rotary positions, gated feed-forward, no biases; two layers out
//! of three see only a window.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::full_attention;
use super::rope::{rotary, sliding_layers};
use crate::checkpoint::{Bias, CheckpointError, Config, Loader, Weights};
use crate::cpu::Sight;
use crate::transformer::{
    Attention, Embedding, FeedForward, Head, Layer, Norms, Transform, Transformer,
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "model.");
    let hidden = config.size(&["hidden_size"])?;
    let (heads, head_size) = config.heads(&["num_attention_heads"], hidden)?;
    let inner = config.size(&["intermediate_size"])?;
    let epsilon = config.number("norm_eps", 1e-5)?;
    let norm_bias = Bias::needed_if(config.flag("norm_bias", false));
    let attention_bias = Bias::needed_if(config.flag("attention_bias", false));
    let inner_bias = Bias::needed_if(config.flag("mlp_bias", false));
    let activation = config.activation("hidden_activation", "gelu")?;
    let norm = |name: &str| loader.layer_norm(name, hidden, epsilon, norm_bias);
    let tokens = loader.table(
        "model.embeddings.tok_embeddings.weight",
        config.size(&["vocab_size"])?,
        hidden,
    )?;
    let count = config.size(&["num_hidden_layers"])?;
    let every = config.size_or("global_attn_every_n_layers", 3)?.max(1);
    let window = config.size_or("local_attention", 128)?;
    let far = Arc::new(rotary(
        config,
        head_size,
        "full_attention",
        config.number("global_rope_theta", 160_000.0)?,
    )?);
    let near = Arc::new(rotary(
        config,
        head_size,
        "sliding_attention",
        config.number("local_rope_theta", 10_000.0)?,
    )?);
    let mut layers = Vec::new();
    for (layer, sliding) in sliding_layers(config, count, |layer| layer % every != 0)
        .into_iter()
        .enumerate()
    {
        let prefix = format!("model.layers.{layer}");
        let sight = Sight {
            causal: false,
            reach: sliding.then_some(window / 2),
        };
        let packed = format!("{prefix}.attn.Wqkv");
        let rows: Vec<usize> = (0..3 * hidden).collect();
        let part =
            |rows: &[usize]| loader.linear_rows(&packed, 3 * hidden, hidden, rows, attention_bias);
        layers.push(Arc::new(Layer {
            attention: Attention {
                how: full_attention(heads, head_size, sight),
                query: part(&rows[..hidden])?,
                key_value: part(&rows[hidden..])?,
                output: loader.linear(
                    &format!("{prefix}.attn.Wo"),
                    hidden,
                    hidden,
                    attention_bias,
                )?,
                rotary: Some(if sliding { near.clone() } else { far.clone() }),
                query_norm: None,
                key_norm: None,
                relative: None,
                span: None,
            },
            feed_forward: FeedForward {
                input: vec![loader.linear(
                    &format!("{prefix}.mlp.Wi"),
                    2 * inner,
                    hidden,
                    inner_bias,
                )?],
                gated: true,
                activation,
                output: vec![loader.linear(
                    &format!("{prefix}.mlp.Wo"),
                    hidden,
                    inner,
                    inner_bias,
                )?],
            },
            norms: Norms {
                // The embeddings are normalised already.
                before_attention: match layer {
                    0 => None,
                    _ => Some(norm(&format!("{prefix}.attn_norm"))?),
                },
                before_feed_forward: Some(norm(&format!("{prefix}.mlp_norm"))?),
                ..Norms::default()
            },
            parallel: false,
            convolution: None,
        }));
    }
    let head = match loader.has("head.dense.weight") {
        false => None,
        true => Some(Head {
            transform: Some(Transform {
                dense: loader.linear(
                    "head.dense",
                    hidden,
                    hidden,
                    Bias::needed_if(config.flag("classifier_bias", false)),
                )?,
                activation: config.activation("classifier_activation", "gelu")?,
                norm: Some(norm("head.norm")?),
            }),
            decoder: match config.flag("tie_word_embeddings", true) {
                true => tokens.clone(),
                false => loader.table("decoder.weight", tokens.rows, hidden)?,
            },
            bias: match config.flag("decoder_bias", true) {
                true => loader.vector("decoder.bias", tokens.rows)?,
                false => Vec::new(),
            },
            soft_cap: None,
        }),
    };
    Ok(Transformer {
        kind: ModelKind::Masked,
        embedding: Embedding {
            tokens,
            scale: 1.0,
            positions: None,
            constant: None,
            norm: Some(norm("model.embeddings.norm")?),
            projection: None,
        },
        layers,
        norm: Some(norm("model.final_norm")?),
        head,
        longest: None,
    })
}
