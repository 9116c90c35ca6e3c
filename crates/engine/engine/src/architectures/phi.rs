//! Phi-1, Phi-1.5 and Phi-2 (Gunasekar et al. 2023): one norm, then attention and feed-forward side
//! by side.

use std::sync::Arc;

use super::decoder::{CAUSAL, DECODER, Decoder, NormKind, ROPE, SHARED_KEYS};
use super::rope::{PLAIN, partial};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_transformer::{Layer, Norms, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        DECODER,
        SHARED_KEYS,
        ROPE,
        &["layer_norm_eps partial_rotary_factor qk_layernorm"]
    ),
    harmless: CAUSAL,
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let head_norms = config.flag("qk_layernorm", false)?;
    let norm = NormKind::layer(config, "layer_norm_eps")?;
    let activation = config.activation("hidden_act", "gelu_new")?;
    let decoder = Decoder::new(config, weights, "model.", norm, activation)?;
    let share = partial(config, "partial_rotary_factor", 0.5)?;
    let (rotary, longest) = decoder.rotary(PLAIN, share)?;
    let layers = decoder.each_layer("model.layers", |_, at| {
        let own = |name: &str| format!("{at}.self_attn.{name}");
        let names = ["q_proj", "k_proj", "v_proj", "dense"].map(own);
        let mut attention = decoder.attention(
            names.each_ref().map(String::as_str),
            Bias::Needed,
            Bias::Needed,
        )?;
        attention.rotary = Some(rotary.clone());
        if head_norms {
            attention.query_norm = decoder.head_norm(&own("q_layernorm"))?;
            attention.key_norm = decoder.head_norm(&own("k_layernorm"))?;
        }
        let (inner, outer) = (format!("{at}.mlp.fc1"), format!("{at}.mlp.fc2"));
        let norms = Norms {
            before_attention: Some(decoder.norm(&format!("{at}.input_layernorm"))?),
            ..Norms::default()
        };
        let network = decoder.plain(&inner, &outer, Bias::Needed)?;
        Ok(Layer {
            parallel: true,
            ..Layer::new(attention, network, norms)
        })
    })?;
    let names = ["model.embed_tokens", "model.final_layernorm", "lm_head"];
    let mut model = decoder.model(names, layers, longest)?;
    decoder.add_head_bias(&mut model, "lm_head.bias")?;
    Ok(model)
}
