//! Falcon: few keys, both halves side by side behind one norm or two; with two, the network's has the place of the only one.

use serde_json::json;

use super::{Family, Names};
use crate::gguf::layout::Layout;

const INSIDE: Names = &[
    ("attn_norm", "input_layernorm"),
    ("attn_norm_2", "ln_attn"),
    ("attn_qkv", "self_attention.query_key_value"),
    ("attn_output", "self_attention.dense"),
    ("ffn_up", "mlp.dense_h_to_4h"),
    ("ffn_down", "mlp.dense_4h_to_h"),
];

pub const FALCON: Family = Family {
    name: "falcon",
    layers: "transformer.h",
    inside: &[INSIDE],
    outside: &[
        ("token_embd", "transformer.word_embeddings"),
        ("output_norm", "transformer.ln_f"),
        ("output", "lm_head"),
    ],
    layout: |part, _, heads| match part {
        "attn_qkv" => Layout::PartAfterPart { heads },
        _ => Layout::Same,
    },
    config: |reader| {
        reader.needs_shared_width()?;
        let two_norms = reader.has("blk.0.attn_norm_2.weight");
        Ok(json!({
            "model_type": "falcon",
            "architectures": ["FalconForCausalLM"],
            "activation": "gelu",
            "alibi": false,
            "bias": reader.has("blk.0.attn_qkv.bias"),
            "ffn_hidden_size": reader.size("feed_forward_length")?,
            "layer_norm_epsilon": reader.needed_real("attention.layer_norm_epsilon")?,
            "new_decoder_architecture": true,
            "num_kv_heads": reader.heads()?.key,
            "num_ln_in_parallel_attn": if two_norms { 2 } else { 1 },
            "rope_theta": reader.base()?,
            "rope_scaling": reader.scaling(reader.head_size()?)?,
        }))
    },
};
