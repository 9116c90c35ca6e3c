//! BLOOM: a norm behind the embeddings, positions by distance.

use serde_json::json;

use super::{Family, Names};
use crate::gguf::layout::Layout;

const INSIDE: Names = &[
    ("attn_norm", "input_layernorm"),
    ("attn_qkv", "self_attention.query_key_value"),
    ("attn_output", "self_attention.dense"),
    ("ffn_norm", "post_attention_layernorm"),
    ("ffn_up", "mlp.dense_h_to_4h"),
    ("ffn_down", "mlp.dense_4h_to_h"),
];

pub const BLOOM: Family = Family {
    name: "bloom",
    layers: "transformer.h",
    inside: &[INSIDE],
    outside: &[
        ("token_embd", "transformer.word_embeddings"),
        ("token_embd_norm", "transformer.word_embeddings_layernorm"),
        ("output_norm", "transformer.ln_f"),
        ("output", "lm_head"),
    ],
    layout: |part, _, heads| match part {
        "attn_qkv" => Layout::PartAfterPart { heads },
        _ => Layout::Same,
    },
    config: |reader| {
        Ok(json!({
            "model_type": "bloom",
            "architectures": ["BloomForCausalLM"],
            "n_head": reader.heads()?.query,
            "n_layer": reader.size("block_count")?,
            "layer_norm_epsilon": reader.needed_real("attention.layer_norm_epsilon")?,
        }))
    },
};
