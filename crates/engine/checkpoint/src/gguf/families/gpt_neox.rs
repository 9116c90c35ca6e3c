//! GPT-NeoX (Pythia).

use serde_json::json;

use super::{Family, Names};
use crate::gguf::layout::Layout;

const INSIDE: Names = &[
    ("attn_norm", "input_layernorm"),
    ("attn_qkv", "attention.query_key_value"),
    ("attn_output", "attention.dense"),
    ("ffn_norm", "post_attention_layernorm"),
    ("ffn_up", "mlp.dense_h_to_4h"),
    ("ffn_down", "mlp.dense_4h_to_h"),
];

pub const GPT_NEOX: Family = Family {
    name: "gptneox",
    layers: "gpt_neox.layers",
    inside: &[INSIDE],
    outside: &[
        ("token_embd", "gpt_neox.embed_in"),
        ("output_norm", "gpt_neox.final_layer_norm"),
        ("output", "embed_out"),
    ],
    layout: |part, _, heads| match part {
        "attn_qkv" => Layout::PartAfterPart { heads },
        _ => Layout::Same,
    },
    config: |reader| {
        Ok(json!({
            "model_type": "gpt_neox",
            "architectures": ["GPTNeoXForCausalLM"],
            "hidden_act": "gelu",
            "layer_norm_eps": reader.real("attention.layer_norm_epsilon")?,
            "rotary_pct": reader.turned()?,
            "rotary_emb_base": reader.base()?,
            "rope_scaling": reader.scaling(reader.head_size()?)?,
            "use_parallel_residual": reader.flag("use_parallel_residual")?.unwrap_or(true),
        }))
    },
};
