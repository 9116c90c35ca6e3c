//! GLM-4-0414: a norm on both sides of each half, half of each head turning.

use serde_json::json;

use super::{ATTENTION, Family, LIKE_LLAMA, NORMS, Names};

const OWN: Names = &[
    ("post_attention_norm", "post_self_attn_layernorm"),
    ("post_ffw_norm", "post_mlp_layernorm"),
    ("ffn_up", "mlp.gate_up_proj"),
    ("ffn_down", "mlp.down_proj"),
];

pub const GLM4: Family = Family {
    name: "glm4",
    inside: &[ATTENTION, NORMS, OWN],
    config: |reader| {
        reader.turning(
            ["glm4", "Glm4ForCausalLM"],
            json!({"attention_bias": reader.has("blk.0.attn_q.bias")}),
        )
    },
    ..LIKE_LLAMA
};
