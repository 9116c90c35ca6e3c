//! GPT-2 (Radford et al. 2019): learned positions, weights stored inputs first.

use std::sync::Arc;

use super::decoder::{Decoder, GPT};
use epicene_checkpoint::{CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::AttentionShape;
use epicene_transformer::{Attention, FeedForward, Layer, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(GPT, &["scale_attn_by_inverse_layer_idx scale_attn_weights"]),
    harmless: &["is_decoder n_ctx n_special predict_special_tokens reorder_and_upcast_attn"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let decoder = Decoder::gpt(config, weights, "gelu_new")?;
    let (hidden, inner, heads) = (decoder.hidden, decoder.inner, decoder.heads);
    let stored = config.size(&["n_positions", "n_ctx", "max_position_embeddings"])?;
    let loader = &decoder.loader;
    let layers = decoder.each_layer("transformer.h", |layer, at| {
        let packed = format!("{at}.attn.c_attn");
        let mut how = AttentionShape::causal(heads, heads, decoder.head_size);
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
    decoder.gpt_model(layers, stored)
}
