//! Mixtral (Jiang et al. 2024): Mistral's attention, and eight experts of which a token takes two.

use std::sync::Arc;

use super::decoder::{Decoder, LLAMA_LIKE};
use super::experts::{Mixture, Stored};
use super::rope::PLAIN;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::AttentionMask;
use epicene_transformer::Transformer;

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        LLAMA_LIKE,
        &["num_experts_per_tok num_local_experts sliding_window"]
    ),
    harmless: &["is_decoder output_router_logits router_aux_loss_coef router_jitter_noise"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let decoder = Decoder::llama(config, weights)?;
    let (rotary, longest) = decoder.rotary(PLAIN, 1.0)?;
    let window = config.optional_size("sliding_window")?;
    let count = config.size(&["num_local_experts"])?;
    let mixture = Mixture::new(&decoder, count, decoder.inner, decoder.layers)?;
    decoder.llama_model(longest, |_, at| {
        let mut attention = decoder.llama_attention(at, Bias::None, Bias::None)?;
        attention.rotary = Some(rotary.clone());
        attention.how.mask = AttentionMask::causal(window);
        let stored = Stored::Each {
            part: format!("{at}.block_sparse_moe.experts"),
            names: ["w1", "w3", "w2"],
        };
        let router = format!("{at}.block_sparse_moe.gate");
        mixture.layer(attention, decoder.llama_norms(at)?, &router, stored)
    })
}
