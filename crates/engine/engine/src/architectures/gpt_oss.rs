//! gpt-oss (OpenAI 2025): attention with a sink in each head, every other layer with a window, and experts with biases whose
//! weights are published in four bits (MXFP4).

use std::sync::Arc;

use super::decoder::{Decoder, LLAMA_LIKE};
use super::experts::{Mixture, Stored};
use super::rope::{PLAIN, sliding_layers};
use epicene_checkpoint::{
    Bias, CheckpointError, Config, Fields, FourBits, Weights, Writer, all_of,
};
use epicene_kernels::AttentionMask;
use epicene_transformer::{FeedForward, Layer, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        LLAMA_LIKE,
        &[
            "attention_bias experts_per_token layer_types num_experts_per_tok num_local_experts",
            "quantization_config sliding_window swiglu_limit"
        ]
    ),
    // `rope_scaling` names the second too.
    harmless: &["is_decoder initial_context_length output_router_logits router_aux_loss_coef"],
};

/// The bound of the experts' gates; version 4 of `transformers` has no other.
const BOUND: f64 = 7.0;

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    if let Some(quantised) = config.stored("quantization_config")
        && quantised
            .get("quant_method")
            .and_then(|method| method.as_str())
            != Some("mxfp4")
    {
        return Err(config.unknown("quantization_config"));
    }
    let bound = config.positive("swiglu_limit", BOUND)?;
    if bound != BOUND && config.writer() == Writer::Four {
        return Err(config.unknown("swiglu_limit"));
    }
    let chosen = config.size(&["num_experts_per_tok"])?;
    if config.optional_size("experts_per_token")?.unwrap_or(chosen) != chosen {
        let problem = format!("differs from `num_experts_per_tok`, which is {chosen}");
        return Err(config.bad("experts_per_token", problem));
    }
    let weights = Arc::new(FourBits::over(weights)?);
    let decoder = Decoder::llama(config, weights)?;
    let bias = Bias::needed_if(config.flag("attention_bias", true)?);
    let (rotary, longest) = decoder.rotary(PLAIN, 1.0)?;
    let window = config.size(&["sliding_window"])?;
    let sliding = sliding_layers(config, decoder.layers, |layer| layer % 2 == 0)?;
    let count = config.size(&["num_local_experts"])?;
    let mixture = Mixture::new(&decoder, count, decoder.inner, decoder.layers)?;
    decoder.llama_model(longest, |layer, at| {
        let mut attention = decoder.llama_attention(at, bias, bias)?;
        attention.rotary = Some(rotary.clone());
        attention.how.mask = AttentionMask::causal(sliding[layer].then_some(window));
        let sinks = decoder
            .loader
            .vector(&format!("{at}.self_attn.sinks"), decoder.heads)?;
        attention.how.sinks = Some(sinks.into());
        let stored = Stored::ByTurns {
            part: format!("{at}.mlp.experts"),
            bound: bound as f32,
        };
        let router = format!("{at}.mlp.router");
        Ok(Layer {
            experts: Some(mixture.load(&router, Bias::Needed, None, stored)?),
            ..Layer::new(attention, FeedForward::none(), decoder.llama_norms(at)?)
        })
    })
}
