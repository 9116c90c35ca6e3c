//! GPT-NeoX (Black et al. 2022) and the Pythia models (Biderman et al. 2023): rotary positions on a
//! quarter of each head, both halves of a layer side by side.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{causal_head, full_attention};
use super::rope::{partial, rotary};
use crate::checkpoint::{Bias, CheckpointError, Config, Loader, Weights};
use crate::cpu::Sight;
use crate::transformer::{Attention, Embedding, FeedForward, Layer, Norms, Transformer};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "gpt_neox.");
    let hidden = config.size(&["hidden_size"])?;
    let (heads, head_size) = config.heads(&["num_attention_heads"], hidden)?;
    let inner = config.size(&["intermediate_size"])?;
    let epsilon = config.number("layer_norm_eps", 1e-5)?;
    let activation = config.activation("hidden_act", "gelu")?;
    let bias = Bias::needed_if(config.flag("attention_bias", true));
    let tokens = loader.table(
        "gpt_neox.embed_in.weight",
        config.size(&["vocab_size"])?,
        hidden,
    )?;
    let norm = |name: &str| loader.layer_norm(name, hidden, epsilon, Bias::Needed);
    let turned = (partial(config, "rotary_pct", 0.25)? * head_size as f64) as usize;
    let base = config.number("rotary_emb_base", 10_000.0)?;
    let rotary = Arc::new(rotary(config, turned, "full_attention", base)?);
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
    for layer in 0..config.size(&["num_hidden_layers"])? {
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
            parallel: config.flag("use_parallel_residual", true),
            convolution: None,
        }));
    }
    Ok(Transformer {
        kind: ModelKind::Causal,
        norm: Some(norm("gpt_neox.final_layer_norm")?),
        head: causal_head(&loader, config, "embed_out", &tokens, false)?,
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
