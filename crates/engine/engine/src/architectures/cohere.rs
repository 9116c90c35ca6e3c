//! Command R and Command R7B (Cohere 2024): both halves of a layer side by side behind one norm without a bias, positions
//! that turn neighbours, scaled logits. The second generation has windows, and no positions where a layer sees everything.

use std::sync::Arc;

use super::decoder::{CAUSAL, DECODER, Decoder, NormKind, ROPE, SHARED_KEYS};
use super::rope::{PLAIN, sliding_layers};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::{AttentionMask, Norm};
use epicene_transformer::{Layer, Norms, Transformer};

const BOTH: &[&str] = all_of!(
    DECODER,
    SHARED_KEYS,
    ROPE,
    &["attention_bias head_dim layer_norm_eps logit_scale"]
);

pub const COHERE: Fields = Fields {
    understood: all_of!(BOTH, &["use_qk_norm"]),
    harmless: all_of!(CAUSAL, &["model_max_length"]),
};

pub const COHERE2: Fields = Fields {
    understood: all_of!(BOTH, &["layer_types sliding_window sliding_window_pattern"]),
    // Version 4 writes the first beside `layer_types`; the others were written by early versions and are read by none.
    harmless: all_of!(
        CAUSAL,
        &[
            "_sliding_window_pattern layer_switch order_of_interleaved_layers position_embedding_type",
            "rotary_pct use_embedding_sharing use_gated_activation use_parallel_block use_parallel_embedding",
            "use_qk_norm"
        ]
    ),
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let norm = NormKind::layer_without_bias(config, "layer_norm_eps")?;
    let activation = config.activation("hidden_act", "silu")?;
    let mut decoder = Decoder::new(config, weights, "model.", norm, activation)?;
    decoder.neighbours = Some(decoder.head_size);
    let decoder = decoder;
    let second = config.model_type() == Some("cohere2");
    let bias = Bias::needed_if(config.flag("attention_bias", false)?);
    let (rotary, longest) = decoder.rotary(PLAIN, 1.0)?;
    let (sliding, window) = if second {
        let every = config.optional_size("sliding_window_pattern")?.unwrap_or(4);
        let rule = |layer: usize| !(layer + 1).is_multiple_of(every);
        (
            sliding_layers(config, decoder.layers, rule)?,
            config.optional_size("sliding_window")?,
        )
    } else {
        (vec![true; decoder.layers], None)
    };
    let head_norms = !second && config.flag("use_qk_norm", false)?;
    let mut model = decoder.llama_model(longest, |layer, at| {
        let mut attention = decoder.llama_attention(at, bias, bias)?;
        if sliding[layer] {
            attention.rotary = Some(rotary.clone());
            attention.how.mask = AttentionMask::causal(window);
        }
        if head_norms {
            let own =
                |name: &str, heads| each_head(&decoder, &format!("{at}.self_attn.{name}"), heads);
            attention.query_norm = Some(own("q_norm", decoder.heads)?);
            attention.key_norm = Some(own("k_norm", decoder.key_heads)?);
        }
        let norms = Norms {
            before_attention: Some(decoder.norm(&format!("{at}.input_layernorm"))?),
            ..Norms::default()
        };
        let network = decoder.llama_network(&format!("{at}.mlp"), decoder.inner, Bias::None)?;
        Ok(Layer {
            parallel: true,
            ..Layer::new(attention, network, norms)
        })
    })?;
    if let Some(head) = &mut model.head {
        head.scale = config.positive("logit_scale", 0.0625)? as f32;
    }
    Ok(model)
}

/// Norms whose weights differ from head to head, in the order of the heads' features.
fn each_head(decoder: &Decoder<'_>, name: &str, heads: usize) -> Result<Norm, CheckpointError> {
    let size = decoder.head_size;
    let epsilon = decoder.config.epsilon("layer_norm_eps", 1e-5)? as f32;
    let all = decoder
        .loader
        .matrix(&format!("{name}.weight"), heads, size)?;
    let of_head = |head: usize| Norm::Layer {
        weight: decoder
            .head_rows(head * size)
            .map(|place| all.data[place])
            .collect(),
        bias: Vec::new(),
        epsilon,
    };
    Ok(Norm::Each((0..heads).map(of_head).collect()))
}
