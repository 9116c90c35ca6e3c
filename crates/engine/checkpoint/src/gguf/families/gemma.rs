//! Gemma 1 to 3: weights of norms count from one; from Gemma 2 on a norm stands on both sides of each half.

use serde_json::{Value, json};

use super::{ATTENTION, Family, HEAD_NORMS, LIKE_LLAMA, NETWORK, Names, plus_one};
use crate::gguf::GgufError;
use crate::gguf::config::Reader;

pub(super) const NORMS: Names = &[
    ("attn_norm", "input_layernorm"),
    ("post_attention_norm", "post_attention_layernorm"),
    ("ffn_norm", "pre_feedforward_layernorm"),
    ("post_ffw_norm", "post_feedforward_layernorm"),
];

pub const GEMMA: Family = Family {
    name: "gemma",
    layout: plus_one,
    config: |reader| config(reader, ["gemma", "GemmaForCausalLM"], None, None),
    ..LIKE_LLAMA
};

pub const GEMMA2: Family = Family {
    name: "gemma2",
    inside: &[ATTENTION, HEAD_NORMS, NORMS, NETWORK],
    config: |reader| config(reader, ["gemma2", "Gemma2ForCausalLM"], Some(46), Some(2)),
    ..GEMMA
};

pub const GEMMA3: Family = Family {
    name: "gemma3",
    config: |reader| {
        config(
            reader,
            ["gemma3_text", "Gemma3ForCausalLM"],
            Some(62),
            Some(6),
        )
    },
    ..GEMMA2
};

/// `largest`: the layers of the 27B model; `period`: one layer of so many sees everything.
fn config(
    reader: &Reader<'_>,
    [kind, class]: [&str; 2],
    largest: Option<u64>,
    period: Option<u64>,
) -> Result<Value, GgufError> {
    let size = reader.head_size()?;
    let heads = reader.heads()?;
    // What queries are scaled by is not stored: the size of a head, except in the 27B models.
    let scalar = if largest == Some(reader.size("block_count")?) {
        reader.size("embedding_length")? / heads.query as u64
    } else {
        size
    };
    let third = period == Some(6);
    let base = if third { 1_000_000.0 } else { 10_000.0 };
    let local = if third {
        Some(reader.real("rope.freq_base_swa")?.unwrap_or(10_000.0))
    } else {
        None
    };
    let types = match period {
        Some(period) => Some(reader.layer_types(period)?),
        None => None,
    };
    Ok(json!({
        "model_type": kind,
        "architectures": [class],
        "hidden_activation": "gelu_pytorch_tanh",
        "num_key_value_heads": heads.key,
        "head_dim": size,
        "rms_norm_eps": reader.real("attention.layer_norm_rms_epsilon")?,
        "rope_theta": reader.real("rope.freq_base")?.unwrap_or(base),
        "rope_local_base_freq": local,
        "rope_scaling": reader.scaling(size)?,
        "sliding_window": reader.window()?,
        "layer_types": types,
        "query_pre_attn_scalar": scalar,
        "attn_logit_softcapping": reader.real("attn_logit_softcapping")?,
        "final_logit_softcapping": reader.real("final_logit_softcapping")?,
        "attention_bias": false,
    }))
}
