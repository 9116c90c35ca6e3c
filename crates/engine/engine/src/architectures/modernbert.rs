//! ModernBERT (Warner et al. 2024): rotary positions, gated feed-forward, no biases; two layers out
//! of three see only a window.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::rope::{PLAIN, Rope, rotary, sliding_layers};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights, Writer};
use epicene_kernels::{AttentionMask, AttentionShape};
use epicene_transformer::{
    Attention, Embedding, FeedForward, Head, Layer, Norms, Transform, Transformer,
};

pub const FIELDS: Fields = Fields {
    understood: &[
        "attention_bias classifier_activation classifier_bias decoder_bias global_attn_every_n_layers",
        "global_rope_theta hidden_activation hidden_size intermediate_size layer_types local_attention",
        "local_rope_theta max_position_embeddings mlp_bias norm_bias norm_eps num_attention_heads",
        "num_hidden_layers position_embedding_type rope_parameters rope_scaling rope_theta",
        "tie_word_embeddings vocab_size",
    ],
    harmless: &[
        "deterministic_flash_attn layer_norm_eps reference_compile repad_logits_with_grad",
        "sparse_pred_ignore_index sparse_prediction",
    ],
};

const FAR: Rope = Rope {
    base: "global_rope_theta",
    default_base: 160_000.0,
    by_kind: true,
    ..PLAIN
};
const NEAR: Rope = Rope {
    kind: "sliding_attention",
    base: "local_rope_theta",
    by_kind: true,
    ..PLAIN
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "model.");
    let hidden = config.size(&["hidden_size"])?;
    let (heads, head_size) = config.heads(&["num_attention_heads"], hidden)?;
    let inner = config.size(&["intermediate_size"])?;
    let epsilon = config.epsilon("norm_eps", 1e-5)?;
    let norm_bias = Bias::needed_if(config.flag("norm_bias", false)?);
    let attention_bias = Bias::needed_if(config.flag("attention_bias", false)?);
    let inner_bias = Bias::needed_if(config.flag("mlp_bias", false)?);
    let activation = config.activation("hidden_activation", "gelu")?;
    let norm = |name: &str| loader.layer_norm(name, hidden, epsilon, norm_bias);
    let tokens = loader.table(
        "model.embeddings.tok_embeddings.weight",
        config.size(&["vocab_size"])?,
        hidden,
    )?;
    let count = config.layers(&["num_hidden_layers"])?;
    let every = config
        .optional_size("global_attn_every_n_layers")?
        .unwrap_or(3);
    let window = config.size(&["local_attention"])?;
    if let Some(kind) = config.get("position_embedding_type")
        && kind.as_str() != Some("absolute")
    {
        return Err(config.unknown("position_embedding_type"));
    }
    if config.stored("rope_scaling").is_some() {
        return Err(config.unknown("rope_scaling"));
    }
    // In version 4 a window without a base of its own has that of the others.
    let null_base = config.is_null("local_rope_theta") && config.writer() == Writer::Four;
    let near = Rope {
        base: if null_base { FAR.base } else { NEAR.base },
        ..NEAR
    };
    let far = Arc::new(rotary(config, FAR, head_size, 1.0)?.rotary);
    let near = Arc::new(rotary(config, near, head_size, 1.0)?.rotary);
    let sliding = match (config.stored("layer_types"), config.writer()) {
        // Version 4 does not read it.
        (Some(types), Writer::Four) => return Err(config.unknown_field("layer_types", types)),
        _ => sliding_layers(config, count, |layer| layer % every != 0)?,
    };
    let mut layers = Vec::new();
    for (layer, sliding) in sliding.into_iter().enumerate() {
        let prefix = format!("model.layers.{layer}");
        let mask = AttentionMask {
            causal: false,
            reach: sliding.then_some(window / 2),
        };
        let packed = format!("{prefix}.attn.Wqkv");
        let rows: Vec<usize> = (0..3 * hidden).collect();
        let part =
            |rows: &[usize]| loader.linear_rows(&packed, 3 * hidden, hidden, rows, attention_bias);
        let mut attention = Attention::new(
            AttentionShape::new(heads, head_size, mask),
            part(&rows[..hidden])?,
            part(&rows[hidden..])?,
            loader.linear(&format!("{prefix}.attn.Wo"), hidden, hidden, attention_bias)?,
        );
        attention.rotary = Some(if sliding { near.clone() } else { far.clone() });
        layers.push(Arc::new(Layer::new(
            attention,
            FeedForward::gated(
                loader.linear(&format!("{prefix}.mlp.Wi"), 2 * inner, hidden, inner_bias)?,
                activation,
                loader.linear(&format!("{prefix}.mlp.Wo"), hidden, inner, inner_bias)?,
            ),
            Norms {
                // The embeddings are normalised already.
                before_attention: match layer {
                    0 => None,
                    _ => Some(norm(&format!("{prefix}.attn_norm"))?),
                },
                before_feed_forward: Some(norm(&format!("{prefix}.mlp_norm"))?),
                ..Norms::default()
            },
        )));
    }
    let head = if loader.has("head.dense.weight") {
        Some(Head {
            transform: Some(Transform {
                dense: loader.linear(
                    "head.dense",
                    hidden,
                    hidden,
                    Bias::needed_if(config.flag("classifier_bias", false)?),
                )?,
                activation: config.activation("classifier_activation", "gelu")?,
                norm: Some(norm("head.norm")?),
            }),
            bias: if config.flag("decoder_bias", true)? {
                loader.vector("decoder.bias", tokens.rows)?
            } else {
                Vec::new()
            },
            ..Head::of(
                loader
                    .head_table(
                        config,
                        config.flag("tie_word_embeddings", true)?,
                        "decoder.weight",
                        &tokens,
                    )?
                    .ok_or_else(|| loader.missing("decoder.weight"))?,
            )
        })
    } else {
        None
    };
    Ok(Transformer {
        kind: ModelKind::Masked,
        alternating: None,
        embedding: Embedding {
            norm: Some(norm("model.embeddings.norm")?),
            ..Embedding::of(tokens)
        },
        layers,
        norm: Some(norm("model.final_norm")?),
        head,
        longest: None,
    })
}
