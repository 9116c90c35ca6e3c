//! GPT-2.

use serde_json::json;

use super::{Family, Names};
use crate::gguf::layout::Layout;

const INSIDE: Names = &[
    ("attn_norm", "ln_1"),
    ("attn_qkv", "attn.c_attn"),
    ("attn_output", "attn.c_proj"),
    ("ffn_norm", "ln_2"),
    ("ffn_up", "mlp.c_fc"),
    ("ffn_down", "mlp.c_proj"),
];

pub const GPT2: Family = Family {
    name: "gpt2",
    layers: "transformer.h",
    inside: &[INSIDE],
    outside: &[
        ("token_embd", "transformer.wte"),
        ("position_embd", "transformer.wpe"),
        ("output_norm", "transformer.ln_f"),
        ("output", "lm_head"),
    ],
    layout: |part, end, _| match (part, end) {
        ("attn_qkv" | "attn_output" | "ffn_up" | "ffn_down", "weight") => Layout::Transposed,
        _ => Layout::Same,
    },
    config: |reader| {
        Ok(json!({
            "model_type": "gpt2",
            "architectures": ["GPT2LMHeadModel"],
            "activation_function": "gelu_new",
            "n_embd": reader.size("embedding_length")?,
            "n_head": reader.heads()?.query,
            "n_layer": reader.size("block_count")?,
            "n_inner": reader.size("feed_forward_length")?,
            "n_positions": reader.size("context_length")?,
            "layer_norm_epsilon": reader.real("attention.layer_norm_epsilon")?,
        }))
    },
};
