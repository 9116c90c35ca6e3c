//! Apertus (Swiss AI Initiative 2025): Llama's attention with a norm on each query and key head, a network without a gate
//! whose activation is learned.

use std::sync::Arc;

use super::decoder::{CAUSAL, Decoder, LLAMA_LIKE, NormKind};
use super::rope::PLAIN;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, Writer, all_of};
use epicene_kernels::{Activation, Xielu};
use epicene_transformer::{Layer, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(LLAMA_LIKE, &["attention_bias"]),
    harmless: all_of!(CAUSAL, &["mlp_bias post_norm qk_norm"]),
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    if config.text("hidden_act") != Some("xielu") {
        return Err(config.unknown("hidden_act"));
    }
    let norm = NormKind::rms(config)?;
    let decoder = Decoder::new(config, weights, "model.", norm, Activation::Identity)?;
    let bias = Bias::needed_if(config.flag("attention_bias", false)?);
    let (rotary, longest) = decoder.rotary(PLAIN, 1.0)?;
    decoder.llama_model(longest, |_, at| {
        let name = |part: &str| format!("{at}.{part}");
        let mut attention = decoder.llama_attention(at, bias, bias)?;
        attention.rotary = Some(rotary.clone());
        decoder.add_head_norms(&mut attention, at)?;
        let mut network =
            decoder.plain(&name("mlp.up_proj"), &name("mlp.down_proj"), Bias::None)?;
        network.activation = Activation::Xielu(curve(&decoder, &name("mlp.act_fn"))?);
        let norms = decoder.norms(&name("attention_layernorm"), &name("feedforward_layernorm"))?;
        Ok(Layer::new(attention, network, norms))
    })
}

/// The bends are stored as the inverse of a softplus; the rest is part of the file or has its usual value.
fn curve(decoder: &Decoder<'_>, name: &str) -> Result<Xielu, CheckpointError> {
    let loader = &decoder.loader;
    // These few numbers are sixteen bits wide in version 4 of `transformers`, whatever the rest is.
    decoder.config.remark_writer();
    let narrow = |value: f32| match decoder.config.writer() {
        Writer::Four => half::bf16::from_f32(value).to_f32(),
        Writer::Five => value,
    };
    let bend = |part: &str| -> Result<f32, CheckpointError> {
        let stored = narrow(loader.vector(&format!("{name}.{part}"), 1)?[0]);
        Ok(narrow(stored.max(0.0) + (-stored.abs()).exp().ln_1p()))
    };
    let fixed = |part: &str, usual: f32| -> Result<f32, CheckpointError> {
        let name = format!("{name}.{part}");
        if loader.has(&name) {
            Ok(narrow(loader.tensor(&name, &[])?[0]))
        } else {
            Ok(narrow(usual))
        }
    };
    let beta = fixed("beta", 0.5)?;
    Ok(Xielu {
        above: bend("alpha_p")?,
        below: narrow(beta + bend("alpha_n")?),
        beta,
        epsilon: fixed("eps", -1e-6)?,
    })
}
