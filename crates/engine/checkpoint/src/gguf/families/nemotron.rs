//! Nemotron (Minitron): layer norms whose weights count from one, squared ReLU, half of each head turning.

use serde_json::json;

use super::{ATTENTION, Family, LIKE_LLAMA, NORMS, Names, plus_one};

const NETWORK: Names = &[("ffn_up", "mlp.up_proj"), ("ffn_down", "mlp.down_proj")];

pub const NEMOTRON: Family = Family {
    name: "nemotron",
    inside: &[ATTENTION, NORMS, NETWORK],
    layout: plus_one,
    config: |reader| {
        reader.turning(
            ["nemotron", "NemotronForCausalLM"],
            json!({
                "hidden_act": "relu2",
                "norm_eps": reader.needed_real("attention.layer_norm_epsilon")?,
                "attention_bias": reader.has("blk.0.attn_q.bias"),
                "mlp_bias": reader.has("blk.0.ffn_up.bias"),
            }),
        )
    },
    ..LIKE_LLAMA
};
