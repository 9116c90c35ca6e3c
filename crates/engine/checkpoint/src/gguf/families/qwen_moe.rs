//! Qwen 1.5 and 2 with experts, of which one is shared, and Qwen 3 with experts.

use serde_json::json;

use super::{ATTENTION, EXPERTS, Family, HEAD_NORMS, LIKE_LLAMA, NETWORK, NORMS, Names};
use crate::gguf::layout::Layout;

const SHARED: Names = &[
    ("ffn_gate_inp_shexp", "mlp.shared_expert_gate"),
    ("ffn_gate_shexp", "mlp.shared_expert.gate_proj"),
    ("ffn_up_shexp", "mlp.shared_expert.up_proj"),
    ("ffn_down_shexp", "mlp.shared_expert.down_proj"),
];

pub const QWEN2_MOE: Family = Family {
    name: "qwen2moe",
    inside: &[ATTENTION, NORMS, EXPERTS, SHARED],
    layout: |part, _, _| match part {
        "ffn_gate_inp_shexp" => Layout::Row,
        _ => Layout::Same,
    },
    config: |reader| {
        let experts = reader.needed_experts()?;
        reader.llama(
            ["qwen2_moe", "Qwen2MoeForCausalLM"],
            json!({
                "num_experts": experts.count,
                "num_experts_per_tok": experts.chosen,
                "moe_intermediate_size": reader.size("expert_feed_forward_length")?,
                "shared_expert_intermediate_size": reader.size("expert_shared_feed_forward_length")?,
                "decoder_sparse_step": 1,
                "norm_topk_prob": false,
                "qkv_bias": reader.has("blk.0.attn_q.bias"),
            }),
        )
    },
    ..LIKE_LLAMA
};

pub const QWEN3_MOE: Family = Family {
    name: "qwen3moe",
    inside: &[ATTENTION, HEAD_NORMS, NORMS, NETWORK, EXPERTS],
    config: |reader| {
        let experts = reader.needed_experts()?;
        reader.llama(
            ["qwen3_moe", "Qwen3MoeForCausalLM"],
            json!({
                "num_experts": experts.count,
                "num_experts_per_tok": experts.chosen,
                "moe_intermediate_size": reader.size("expert_feed_forward_length")?,
                "decoder_sparse_step": 1,
                "norm_topk_prob": true,
                "attention_bias": false,
            }),
        )
    },
    ..LIKE_LLAMA
};
