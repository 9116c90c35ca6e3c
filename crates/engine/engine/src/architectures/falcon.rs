//! Falcon (Almazrouei et al. 2023): queries, keys and values stored as one, few keys or one for all, both halves side by
//! side behind one norm or two; the RefinedWeb models know positions by distance instead.

use std::sync::Arc;

use super::alibi::slopes;
use super::decoder::{CAUSAL, Decoder, NormKind, ROPE, Sizes};
use super::layers::Fused;
use super::rope::PLAIN;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::Slopes;
use epicene_transformer::{Layer, Norms, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        ROPE,
        &[
            "activation alibi bias ffn_hidden_size hidden_size layer_norm_epsilon max_position_embeddings",
            "multi_query new_decoder_architecture num_attention_heads num_hidden_layers num_kv_heads",
            "num_ln_in_parallel_attn parallel_attn tie_word_embeddings vocab_size"
        ]
    ),
    harmless: all_of!(CAUSAL, &["apply_residual_connection_post_layernorm"]),
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let hidden = config.size(&["hidden_size"])?;
    let (heads, head_size) = config.heads(&["num_attention_heads"], hidden)?;
    let newer = config.flag("new_decoder_architecture", false)?;
    let one_key = !newer && config.flag("multi_query", true)?;
    let key_heads = match (newer, one_key) {
        (true, _) => match config.optional_size("num_kv_heads")?.unwrap_or(heads) {
            count if heads.is_multiple_of(count) => count,
            count => {
                let problem = format!("is {count}, which does not divide {heads}");
                return Err(config.bad("num_kv_heads", problem));
            }
        },
        (false, true) => 1,
        (false, false) => heads,
    };
    let inner = match config.stored("ffn_hidden_size") {
        Some(_) => config.size(&["ffn_hidden_size"])?,
        None => 4 * hidden,
    };
    let sizes = Sizes {
        hidden,
        heads,
        inner,
        layers: config.layers(&["num_hidden_layers"])?,
    };
    let norm = NormKind::layer(config, "layer_norm_epsilon")?;
    let activation = config.activation("activation", "gelu")?;
    let mut decoder = Decoder::sized(config, weights, "transformer.", sizes, norm, activation);
    decoder.key_heads = key_heads;
    let decoder = decoder;
    let bias = Bias::needed_if(config.flag("bias", false)?);
    let parallel = newer || config.flag("parallel_attn", true)?;
    let two_norms = match config.optional_size("num_ln_in_parallel_attn")? {
        None => newer,
        Some(1) => false,
        Some(2) if newer => true,
        Some(_) => return Err(config.unknown("num_ln_in_parallel_attn")),
    };
    let alibi = config.flag("alibi", false)?.then(|| {
        let rounded = |slope: f32| half::bf16::from_f32(slope).to_f32();
        Arc::new(Slopes {
            of_heads: slopes(heads).into_iter().map(rounded).collect(),
            rounded: Some(1.0 / (head_size as f32).sqrt()),
        })
    });
    let (rotary, longest) = decoder.rotary(PLAIN, 1.0)?;
    let layers = decoder.each_layer("transformer.h", |_, at| {
        let name = |part: &str| format!("{at}.{part}");
        let fused = if one_key { Fused::Parts } else { Fused::Groups };
        let mut attention = decoder.megatron_attention(&name("self_attention"), fused, bias)?;
        match &alibi {
            Some(alibi) => attention.how.slopes = Some(alibi.clone()),
            None => attention.rotary = Some(rotary.clone()),
        }
        let network = decoder.megatron_network(at, bias)?;
        let norms = match (parallel, two_norms) {
            (true, true) => {
                // llama.cpp's files have no other name for the network's.
                let own = decoder.loader.has(&name("ln_mlp.weight"));
                let network = if own { "ln_mlp" } else { "input_layernorm" };
                decoder.norms(&name("ln_attn"), &name(network))?
            }
            (true, false) => Norms {
                before_attention: Some(decoder.norm(&name("input_layernorm"))?),
                ..Norms::default()
            },
            (false, _) => decoder.llama_norms(at)?,
        };
        Ok(Layer {
            parallel,
            ..Layer::new(attention, network, norms)
        })
    })?;
    let names = ["transformer.word_embeddings", "transformer.ln_f", "lm_head"];
    decoder.model(names, layers, longest)
}
