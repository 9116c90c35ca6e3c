//! OLMoE (Muennighoff et al. 2024): norms of queries and keys over all heads together, and experts in every layer.

use std::sync::Arc;

use super::decoder::{Decoder, LLAMA_LIKE};
use super::experts::{Mixture, Stored};
use super::rope::PLAIN;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_transformer::Transformer;

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        LLAMA_LIKE,
        &["attention_bias clip_qkv norm_topk_prob num_experts num_experts_per_tok"]
    ),
    harmless: &["is_decoder output_router_logits router_aux_loss_coef"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let clip = config.optional_positive("clip_qkv")?;
    let decoder = Decoder::llama(config, weights)?;
    let bias = Bias::needed_if(config.flag("attention_bias", false)?);
    let (rotary, longest) = decoder.rotary(PLAIN, 1.0)?;
    let count = config.size(&["num_experts"])?;
    let mut mixture = Mixture::new(&decoder, count, decoder.inner, decoder.layers)?;
    mixture.to_one = config.flag("norm_topk_prob", false)?;
    decoder.llama_model(longest, |_, at| {
        let mut attention = decoder.llama_attention(at, bias, bias)?;
        attention.rotary = Some(rotary.clone());
        attention.clip = clip.map(|clip| clip as f32);
        decoder.add_wide_norms(&mut attention, at)?;
        let stored = Stored::Each {
            part: format!("{at}.mlp.experts"),
            names: ["gate_proj", "up_proj", "down_proj"],
        };
        let router = format!("{at}.mlp.gate");
        mixture.layer(attention, decoder.llama_norms(at)?, &router, stored)
    })
}
