//! Gemma, Gemma 2 and Gemma 3 (Gemma Team 2024, 2025): scaled embeddings, norms whose weights count
//! from one, a norm on both sides of each half from Gemma 2 on, soft caps in Gemma 2 and head norms
//! in Gemma 3.

use std::sync::Arc;

use super::decoder::{CAUSAL, Decoder, NormKind, ROPE, SHARED_KEYS};
use super::rope::{PLAIN, Rope, sliding_layers};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::{Activation, AttentionMask};
use epicene_transformer::{Norms, Transformer};

pub(super) const ALL: &[&str] = all_of!(
    SHARED_KEYS,
    ROPE,
    &[
        "attention_bias head_dim hidden_activation hidden_size intermediate_size max_position_embeddings",
        "num_attention_heads num_hidden_layers rms_norm_eps tie_word_embeddings",
        "use_bidirectional_attention vocab_size"
    ]
);
pub(super) const LATER: &[&str] = all_of!(
    ALL,
    &["final_logit_softcapping layer_types query_pre_attn_scalar sliding_window"]
);

pub const GEMMA3: Fields = Fields {
    understood: all_of!(
        LATER,
        &["_sliding_window_pattern rope_local_base_freq sliding_window_pattern"]
    ),
    harmless: &["attn_logit_softcapping hidden_act is_decoder"],
};

pub const GEMMA2: Fields = Fields {
    understood: all_of!(LATER, &["attn_logit_softcapping"]),
    harmless: &["hidden_act is_decoder"],
};

pub const GEMMA: Fields = Fields {
    understood: all_of!(ALL, &["hidden_act"]),
    harmless: CAUSAL,
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let generation = match config.model_type() {
        Some("gemma2") => 2,
        Some("gemma3_text") => 3,
        _ => 1,
    };
    let activation = match generation {
        1 => first_activation(config)?,
        _ => config.activation("hidden_activation", "gelu_pytorch_tanh")?,
    };
    let norm = NormKind::RootMeanSquare {
        epsilon: config.epsilon("rms_norm_eps", 1e-6)?,
        offset: 1.0,
    };
    config.refuse("use_bidirectional_attention")?;
    let mut decoder = Decoder::new(config, weights, "model.", norm, activation)?;
    decoder.head_size = config.optional_size("head_dim")?.unwrap_or(256);
    let count = decoder.layers;
    let sliding = match generation {
        1 => vec![false; count],
        2 => sliding_layers(config, count, |layer| layer % 2 == 0)?,
        _ => {
            let pattern = pattern(config)?;
            sliding_layers(config, count, |layer| !(layer + 1).is_multiple_of(pattern))?
        }
    };
    let window = match generation {
        1 => 1,
        _ => config.optional_size("sliding_window")?.unwrap_or(4096),
    };
    let (far, near) = match generation {
        3 => (decoder.rotary(FAR, 1.0)?, decoder.rotary(NEAR, 1.0)?),
        _ => (decoder.rotary(PLAIN, 1.0)?, decoder.rotary(PLAIN, 1.0)?),
    };
    let cap = |name: &str| -> Result<Option<f32>, CheckpointError> {
        Ok(config.optional_positive(name)?.map(|cap| cap as f32))
    };
    let scale = match generation {
        1 => decoder.head_size as f64,
        _ => config.positive("query_pre_attn_scalar", 256.0)?,
    };
    let bias = Bias::needed_if(config.flag("attention_bias", false)?);
    let mut model = decoder.llama_model(far.1.or(near.1), |layer, at| {
        let around = |name: &str| decoder.norm(&format!("{at}.{name}")).map(Some);
        let rotary = if sliding[layer] { &near.0 } else { &far.0 };
        let mut made = decoder.llama_layer(at, rotary, [bias, bias, Bias::None])?;
        made.attention.how.scale = (1.0 / scale.sqrt()) as f32;
        made.attention.how.mask = AttentionMask::causal(sliding[layer].then_some(window));
        match generation {
            // The third generation has the field and does not use it.
            2 => made.attention.how.soft_cap = cap("attn_logit_softcapping")?,
            3 => decoder.add_head_norms(&mut made.attention, at)?,
            _ => {}
        }
        if generation > 1 {
            made.norms = Norms {
                before_attention: around("input_layernorm")?,
                of_attention: around("post_attention_layernorm")?,
                before_feed_forward: around("pre_feedforward_layernorm")?,
                of_feed_forward: around("post_feedforward_layernorm")?,
                ..Norms::default()
            };
        }
        Ok(made)
    })?;
    if let (Some(head), true) = (&mut model.head, generation > 1) {
        head.soft_cap = cap("final_logit_softcapping")?;
    }
    model.embedding.scale = (decoder.hidden as f64).sqrt() as f32;
    Ok(model)
}

/// Gemma 3's layers that see everything, and those with a window.
pub(super) const FAR: Rope = Rope {
    default_base: 1_000_000.0,
    by_kind: true,
    ..PLAIN
};
pub(super) const NEAR: Rope = Rope {
    kind: "sliding_attention",
    base: "rope_local_base_freq",
    default_base: 10_000.0,
    scaled: false,
    by_kind: true,
    sections: false,
};

/// The first generation's activation has two names; `transformers` reads `hidden_act`, which in the first files says
/// gelu and means its tanh form, as `hidden_activation` beside it says.
fn first_activation(config: &Config) -> Result<Activation, CheckpointError> {
    if let Some(other) = config.stored("hidden_activation")
        && let Some(stated) = config.get("hidden_act")
        && stated != other
    {
        let problem = format!("is {other}, but `hidden_act`, which counts, is {stated}");
        return Err(config.bad("hidden_activation", problem));
    }
    config.activation("hidden_act", "gelu_pytorch_tanh")
}

/// Every how many layers one sees everything. `transformers` reads the field without the underscore only, and writes
/// the other one beside `layer_types`.
fn pattern(config: &Config) -> Result<usize, CheckpointError> {
    if let Some(hidden) = config.stored("_sliding_window_pattern")
        && config.stored("layer_types").is_none()
        && config.stored("sliding_window_pattern").is_none()
        && hidden.as_u64() != Some(6)
    {
        return Err(config.unknown("_sliding_window_pattern"));
    }
    Ok(config.optional_size("sliding_window_pattern")?.unwrap_or(6))
}
