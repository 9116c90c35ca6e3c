//! GPT-NeoX (Black et al. 2022) and the Pythia models (Biderman et al. 2023): rotary positions on a
//! quarter of each head, both halves of a layer side by side.

use std::sync::Arc;

use super::decoder::{CAUSAL, DECODER, Decoder, NormKind, ROPE};
use super::layers::Fused;
use super::rope::{PLAIN, Rope, partial};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of, same};
use epicene_transformer::{Layer, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        DECODER,
        ROPE,
        &[
            "attention_bias layer_norm_eps partial_rotary_factor rotary_emb_base rotary_pct",
            "use_parallel_residual"
        ]
    ),
    harmless: CAUSAL,
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let norm = NormKind::layer(config, "layer_norm_eps")?;
    let activation = config.activation("hidden_act", "gelu")?;
    let decoder = Decoder::new(config, weights, "gpt_neox.", norm, activation)?;
    let bias = Bias::needed_if(config.flag("attention_bias", true)?);
    let (share, rope) = rotary_fields(config)?;
    let (rotary, longest) = decoder.rotary(rope, share)?;
    let parallel = config.flag("use_parallel_residual", true)?;
    let layers = decoder.each_layer("gpt_neox.layers", |_, at| {
        let part = format!("{at}.attention");
        let mut attention = decoder.megatron_attention(&part, Fused::Groups, bias)?;
        attention.rotary = Some(rotary.clone());
        let network = decoder.megatron_network(at, Bias::Needed)?;
        Ok(Layer {
            parallel,
            ..Layer::new(attention, network, decoder.llama_norms(at)?)
        })
    })?;
    // Version 5 has a new name for it.
    let head = if decoder.loader.has("lm_head.weight") {
        "lm_head"
    } else {
        "embed_out"
    };
    let names = ["gpt_neox.embed_in", "gpt_neox.final_layer_norm", head];
    decoder.model(names, layers, longest)
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
