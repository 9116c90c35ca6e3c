//! GPT-2 (Radford et al. 2019): learned positions, weights stored inputs first.

use std::sync::Arc;

use super::decoder::{Decoder, NormKind};
use super::parts::positions;
use crate::checkpoint::{CheckpointError, Config, Fields, Loader, Weights};
use crate::cpu::Attending;
use crate::transformer::{Attention, FeedForward, Layer, Transformer};

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
    let hidden = config.size(&["n_embd", "hidden_size"])?;
    let (heads, head_size) = config.heads(&["n_head", "num_attention_heads"], hidden)?;
    let inner = config.optional_size("n_inner")?.unwrap_or(4 * hidden);
    let stored = config.size(&["n_positions", "n_ctx", "max_position_embeddings"])?;
    let decoder = Decoder {
        config,
        loader: Loader::new(weights, "transformer."),
        hidden,
        inner,
        heads,
        key_heads: heads,
        head_size,
        layers: config.layers(&["n_layer", "num_hidden_layers"])?,
        activation: config.activation("activation_function", "gelu_new")?,
        norm: NormKind::layer(config, "layer_norm_epsilon")?,
        neighbours: None,
    };
    let loader = &decoder.loader;
    let layers = decoder.each_layer("transformer.h", |layer, at| {
        let packed = format!("{at}.attn.c_attn");
        let mut how = Attending::causal(heads, heads, head_size);
        if !config.flag("scale_attn_weights", true)? {
            how.scale = 1.0;
        }
        if config.flag("scale_attn_by_inverse_layer_idx", false)? {
            how.scale /= (layer + 1) as f32;
        }
        let whole = |name: &str, inputs: usize, outputs: usize| {
            loader.transposed(&format!("{at}.{name}"), inputs, outputs, 0..outputs)
        };
        let attention = Attention::new(
            how,
            loader.transposed(&packed, hidden, 3 * hidden, 0..hidden)?,
            loader.transposed(&packed, hidden, 3 * hidden, hidden..3 * hidden)?,
            whole("attn.c_proj", hidden, hidden)?,
        );
        let network = FeedForward::plain(
            whole("mlp.c_fc", hidden, inner)?,
            decoder.activation,
            whole("mlp.c_proj", inner, hidden)?,
        );
        let norms = decoder.norms(&format!("{at}.ln_1"), &format!("{at}.ln_2"))?;
        Ok(Layer::new(attention, network, norms))
    })?;
    let names = ["transformer.wte", "transformer.ln_f", "lm_head"];
    let mut model = decoder.model(names, layers, Some(stored))?;
    let table = "transformer.wpe.weight";
    model.embedding.positions = Some(positions(loader, table, stored, hidden, 0, None)?);
    Ok(model)
}
