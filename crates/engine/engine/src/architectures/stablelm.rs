//! StableLM 2 and StableLM-3B (Bellagente et al. 2024): Llama's layers with layer norms, a quarter of each head turning;
//! the 12B model has both halves side by side and a norm for each head.

use std::sync::Arc;

use super::decoder::{CAUSAL, DECODER, Decoder, NormKind, ROPE, SHARED_KEYS};
use super::rope::{PLAIN, partial};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::Norm;
use epicene_transformer::{Layer, Norms, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        DECODER,
        SHARED_KEYS,
        ROPE,
        &["layer_norm_eps partial_rotary_factor qk_layernorm use_parallel_residual use_qkv_bias"]
    ),
    harmless: CAUSAL,
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let norm = NormKind::layer(config, "layer_norm_eps")?;
    let activation = config.activation("hidden_act", "silu")?;
    let decoder = Decoder::new(config, weights, "model.", norm, activation)?;
    let share = partial(config, "partial_rotary_factor", 0.25)?;
    let (rotary, longest) = decoder.rotary(PLAIN, share)?;
    let bias = Bias::needed_if(config.flag("use_qkv_bias", false)?);
    let parallel = config.flag("use_parallel_residual", false)?;
    let head_norms = config.flag("qk_layernorm", false)?;
    let of_heads = NormKind::layer_without_bias(config, "layer_norm_eps")?;
    decoder.llama_model(longest, |_, at| {
        let mut attention = decoder.llama_attention(at, bias, Bias::None)?;
        attention.rotary = Some(rotary.clone());
        if head_norms {
            let each = |name: &str, heads: usize| -> Result<Norm, CheckpointError> {
                let one = |head: usize| {
                    let name = format!("{at}.self_attn.{name}.norms.{head}");
                    of_heads.load(&decoder.loader, &name, decoder.head_size)
                };
                Ok(Norm::Each((0..heads).map(one).collect::<Result<_, _>>()?))
            };
            attention.query_norm = Some(each("q_layernorm", decoder.heads)?);
            attention.key_norm = Some(each("k_layernorm", decoder.key_heads)?);
        }
        let network = decoder.llama_network(&format!("{at}.mlp"), decoder.inner, Bias::None)?;
        let norms = if parallel {
            Norms {
                before_attention: Some(decoder.norm(&format!("{at}.input_layernorm"))?),
                ..Norms::default()
            }
        } else {
            decoder.llama_norms(at)?
        };
        Ok(Layer {
            parallel,
            ..Layer::new(attention, network, norms)
        })
    })
}
