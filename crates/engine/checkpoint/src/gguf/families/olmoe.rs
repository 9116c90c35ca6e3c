//! OLMoE: OLMo's norms on whole queries and keys, experts in every layer.

use serde_json::json;

use super::{ATTENTION, EXPERTS, Family, HEAD_NORMS, LIKE_LLAMA, NORMS};

pub const OLMOE: Family = Family {
    name: "olmoe",
    inside: &[ATTENTION, HEAD_NORMS, NORMS, EXPERTS],
    config: |reader| {
        let experts = reader.needed_experts()?;
        reader.llama(
            ["olmoe", "OlmoeForCausalLM"],
            json!({
                "num_experts": experts.count,
                "num_experts_per_tok": experts.chosen,
                "norm_topk_prob": false,
                "attention_bias": false,
            }),
        )
    },
    ..LIKE_LLAMA
};
