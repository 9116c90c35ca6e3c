//! StableLM: layer norms, a part of each head turning; in the 12B model a norm for each head and halves side by side.

use serde_json::json;

use super::{ATTENTION, Family, LIKE_LLAMA, NETWORK, NORMS, Names};

const EACH_HEAD: Names = &[
    ("attn_q_norm", "self_attn.q_layernorm.norms.*"),
    ("attn_k_norm", "self_attn.k_layernorm.norms.*"),
];

pub const STABLELM: Family = Family {
    name: "stablelm",
    inside: &[ATTENTION, EACH_HEAD, NORMS, NETWORK],
    config: |reader| {
        reader.needs_shared_width()?;
        reader.turning(
            ["stablelm", "StableLmForCausalLM"],
            json!({
                "head_dim": null,
                "layer_norm_eps": reader.needed_real("attention.layer_norm_epsilon")?,
                "qk_layernorm": reader.has("blk.0.attn_q_norm.weight"),
                "use_qkv_bias": reader.has("blk.0.attn_q.bias"),
                "use_parallel_residual": !reader.has("blk.0.ffn_norm.weight"),
            }),
        )
    },
    ..LIKE_LLAMA
};
