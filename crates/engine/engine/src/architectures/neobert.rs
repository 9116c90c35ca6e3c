//! NeoBERT (Le Breton et al. 2025): norms in front, rotary positions on neighbouring features, gated networks. Not part of
//! `transformers`; tensors are called as the authors' own code calls them.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::decoder::{Decoder, NormKind};
use super::layers::Fused;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights};
use epicene_kernels::{Activation, AttentionMask, Rotary};
use epicene_transformer::{Layer, Transformer};

pub const FIELDS: Fields = Fields {
    understood: &[
        "hidden_size intermediate_size max_length norm_eps num_attention_heads num_hidden_layers",
        "tie_word_embeddings vocab_size",
    ],
    harmless: &[
        "classifier_init_range decoder_init_range dim_head embedding_init_range kwargs trust_remote_code",
    ],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let norm = NormKind::RootMeanSquare {
        epsilon: config.epsilon("norm_eps", 1e-6)?,
        offset: 0.0,
    };
    let mut parts = Decoder::new(config, weights, "model.", norm, Activation::Silu)?;
    // Two thirds, up to a multiple of eight.
    parts.inner = (2 * parts.inner / 3).next_multiple_of(8);
    parts.neighbours = Some(parts.head_size);
    let rotary = Arc::new(Rotary::new(parts.head_size, 10_000.0));
    let layers = parts.each_layer("model.transformer_encoder", |_, layer| {
        let part = |name: &str| format!("{layer}.{name}");
        let no_bias = [Bias::None, Bias::None];
        let mut attention =
            parts.fused_attention(&part("qkv"), Fused::Groups, &part("wo"), no_bias)?;
        attention.rotary = Some(rotary.clone());
        attention.how.mask = AttentionMask::BOTH_WAYS;
        Ok(Layer::new(
            attention,
            parts.fused_network(&part("ffn.w12"), &part("ffn.w3"))?,
            parts.norms(&part("attention_norm"), &part("ffn_norm"))?,
        ))
    })?;
    let longest = config.optional_size("max_length")?;
    let names = ["model.encoder", "model.layer_norm", "decoder"];
    let mut model = parts.model(names, layers, longest)?;
    parts.add_head_bias(&mut model, "decoder.bias")?;
    model.kind = ModelKind::Masked;
    Ok(model)
}
