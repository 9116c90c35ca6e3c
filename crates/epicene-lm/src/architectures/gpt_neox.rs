//! GPT-NeoX (Black et al. 2022) and the Pythia models (Biderman et al. 2023): rotary positions on a
//! quarter of each head, both halves of a layer side by side.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{causal_head, full_attention};
use super::rope::{PLAIN, Rope, partial, rotary};
use crate::checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights, same};
use crate::cpu::Sight;
use crate::transformer::{Attention, Embedding, FeedForward, Layer, Norms, Transformer};

pub const FIELDS: Fields = Fields {
    understood: &[
        "attention_bias",
        "hidden_act",
        "hidden_size",
        "intermediate_size",
        "layer_norm_eps",
        "max_position_embeddings",
        "num_attention_heads",
        "num_hidden_layers",
        "partial_rotary_factor",
        "rope_parameters",
        "rope_scaling",
        "rope_theta",
        "rotary_emb_base",
        "rotary_pct",
        "tie_word_embeddings",
        "use_parallel_residual",
        "vocab_size",
    ],
    harmless: &["is_decoder"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "gpt_neox.");
    let hidden = config.size(&["hidden_size"])?;
    let (heads, head_size) = config.heads(&["num_attention_heads"], hidden)?;
    let inner = config.size(&["intermediate_size"])?;
    let epsilon = config.epsilon("layer_norm_eps", 1e-5)?;
    let activation = config.activation("hidden_act", "gelu")?;
    let bias = Bias::needed_if(config.flag("attention_bias", true)?);
    let tokens = loader.table(
        "gpt_neox.embed_in.weight",
        config.size(&["vocab_size"])?,
        hidden,
    )?;
    let norm = |name: &str| loader.layer_norm(name, hidden, epsilon, Bias::Needed);
    let (share, rope) = rotary_fields(config)?;
    let turning = rotary(config, rope, head_size, share)?;
    let rotary = Arc::new(turning.rotary);
    let sight = Sight {
        causal: true,
        reach: None,
    };
    // Query, key and value lie head by head.
    let rows = |part: usize| {
        (0..heads)
            .flat_map(move |head| (0..head_size).map(move |i| (head * 3 + part) * head_size + i))
    };
    let query_rows: Vec<usize> = rows(0).collect();
    let key_value_rows: Vec<usize> = rows(1).chain(rows(2)).collect();
    let mut layers = Vec::new();
    for layer in 0..config.layers(&["num_hidden_layers"])? {
        let prefix = format!("gpt_neox.layers.{layer}");
        let packed = format!("{prefix}.attention.query_key_value");
        let part = |rows: &[usize]| loader.linear_rows(&packed, 3 * hidden, hidden, rows, bias);
        layers.push(Arc::new(Layer {
            attention: Attention {
                how: full_attention(heads, head_size, sight),
                query: part(&query_rows)?,
                key_value: part(&key_value_rows)?,
                output: loader.linear(
                    &format!("{prefix}.attention.dense"),
                    hidden,
                    hidden,
                    bias,
                )?,
                rotary: Some(rotary.clone()),
                query_norm: None,
                key_norm: None,
                relative: None,
                span: None,
            },
            feed_forward: FeedForward {
                input: vec![loader.linear(
                    &format!("{prefix}.mlp.dense_h_to_4h"),
                    inner,
                    hidden,
                    Bias::Needed,
                )?],
                gated: false,
                activation,
                output: vec![loader.linear(
                    &format!("{prefix}.mlp.dense_4h_to_h"),
                    hidden,
                    inner,
                    Bias::Needed,
                )?],
            },
            norms: Norms {
                before_attention: Some(norm(&format!("{prefix}.input_layernorm"))?),
                before_feed_forward: Some(norm(&format!("{prefix}.post_attention_layernorm"))?),
                ..Norms::default()
            },
            parallel: config.flag("use_parallel_residual", true)?,
            convolution: None,
        }));
    }
    // Version 5 has a new name for it.
    let head = match loader.has("lm_head.weight") {
        true => "lm_head",
        false => "embed_out",
    };
    Ok(Transformer {
        kind: ModelKind::Causal,
        norm: Some(norm("gpt_neox.final_layer_norm")?),
        head: causal_head(&loader, config, head, &tokens, Bias::None)?,
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

/// The share of each head that turns, and where the base stands. Both have an older and a newer name; `transformers`
/// writes both and reads the older ones.
fn rotary_fields(config: &Config) -> Result<(f64, Rope), CheckpointError> {
    for (older, newer) in [
        ("rotary_pct", "partial_rotary_factor"),
        ("rotary_emb_base", "rope_theta"),
    ] {
        if let (Some(one), Some(other)) = (config.get(older), config.stored(newer))
            && !same(one, other)
        {
            let problem = format!("is {other}, but `{older}`, which counts, is {one}");
            return Err(config.bad(newer, problem));
        }
    }
    let base = "rotary_emb_base";
    Ok((partial(config, "rotary_pct", 0.25)?, Rope { base, ..PLAIN }))
}
