//! GPT-Neo (Black et al. 2021): GPT-2's layers, every other one with a window, scores that are not scaled.

use std::sync::Arc;

use serde_json::Value;

use super::decoder::{CAUSAL, Decoder, NormKind, Sizes};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::AttentionMask;
use epicene_transformer::{Layer, Transformer};

pub const FIELDS: Fields = Fields {
    understood: &[
        "activation_function attention_layers attention_types hidden_size intermediate_size",
        "layer_norm_epsilon max_position_embeddings num_heads num_layers tie_word_embeddings vocab_size",
        "window_size",
    ],
    harmless: all_of!(CAUSAL, &["embed_dropout resid_dropout"]),
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let hidden = config.size(&["hidden_size"])?;
    let (heads, _) = config.heads(&["num_heads"], hidden)?;
    let inner = config.optional_size("intermediate_size")?;
    let sizes = Sizes {
        hidden,
        heads,
        inner: inner.unwrap_or(4 * hidden),
        layers: config.layers(&["num_layers"])?,
    };
    let norm = NormKind::layer(config, "layer_norm_epsilon")?;
    let activation = config.activation("activation_function", "gelu_new")?;
    let decoder = Decoder::sized(config, weights, "transformer.", sizes, norm, activation);
    let local = local_layers(config, decoder.layers)?;
    let window = config.size(&["window_size"])?;
    let stored = config.size(&["max_position_embeddings"])?;
    let layers = decoder.each_layer("transformer.h", |layer, at| {
        let own = |name: &str| format!("{at}.attn.attention.{name}");
        let names = ["q_proj", "k_proj", "v_proj", "out_proj"].map(own);
        let names = names.each_ref().map(String::as_str);
        let mut attention = decoder.attention(names, Bias::None, Bias::Needed)?;
        attention.how.scale = 1.0;
        attention.how.mask = AttentionMask::causal(local[layer].then_some(window));
        let (inner, outer) = (format!("{at}.mlp.c_fc"), format!("{at}.mlp.c_proj"));
        let norms = decoder.norms(&format!("{at}.ln_1"), &format!("{at}.ln_2"))?;
        let network = decoder.plain(&inner, &outer, Bias::Needed)?;
        Ok(Layer::new(attention, network, norms))
    })?;
    decoder.gpt_model(layers, stored)
}

/// Which layers have a window: `attention_types` is a list of patterns, each with how often it comes.
fn local_layers(config: &Config, count: usize) -> Result<Vec<bool>, CheckpointError> {
    const FIELD: &str = "attention_types";
    let kinds: Option<Vec<&str>> = config.get(FIELD).and_then(Value::as_array).and_then(|all| {
        let mut kinds = Vec::new();
        for one in all {
            let pattern: Option<Vec<&str>> =
                one.get(0)?.as_array()?.iter().map(Value::as_str).collect();
            for _ in 0..one.get(1)?.as_u64().filter(|times| *times <= 1000)? {
                kinds.extend(pattern.as_deref()?);
            }
        }
        Some(kinds)
    });
    let kinds = kinds.filter(|kinds| kinds.len() == count);
    let kinds = kinds.ok_or_else(|| {
        let problem = format!("does not give a kind for each of {count} layers");
        config.bad(FIELD, problem)
    })?;
    kinds
        .into_iter()
        .map(|kind| match kind {
            "local" => Ok(true),
            "global" => Ok(false),
            _ => Err(config.unknown(FIELD)),
        })
        .collect()
}
