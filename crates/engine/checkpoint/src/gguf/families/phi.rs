//! Phi-1, 1.5 and 2.

use serde_json::json;

use super::{Family, LIKE_LLAMA, Names};

const INSIDE: Names = &[
    ("attn_norm", "input_layernorm"),
    ("attn_q", "self_attn.q_proj"),
    ("attn_k", "self_attn.k_proj"),
    ("attn_v", "self_attn.v_proj"),
    // Written as one by older converters.
    (
        "attn_qkv",
        "self_attn.q_proj|self_attn.k_proj|self_attn.v_proj",
    ),
    ("attn_output", "self_attn.dense"),
    ("ffn_up", "mlp.fc1"),
    ("ffn_down", "mlp.fc2"),
];

pub const PHI2: Family = Family {
    name: "phi2",
    inside: &[INSIDE],
    outside: &[
        ("token_embd", "model.embed_tokens"),
        ("output_norm", "model.final_layernorm"),
        ("output", "lm_head"),
    ],
    config: |reader| {
        Ok(json!({
            "model_type": "phi",
            "architectures": ["PhiForCausalLM"],
            "hidden_act": "gelu_new",
            "num_key_value_heads": reader.heads()?.key,
            "layer_norm_eps": reader.real("attention.layer_norm_epsilon")?,
            "partial_rotary_factor": reader.turned()?,
            "rope_theta": reader.base()?,
            "rope_scaling": reader.scaling(reader.head_size()?)?,
        }))
    },
    ..LIKE_LLAMA
};
