//! Qwen 2 and Qwen 3.

use serde_json::json;

use super::{ATTENTION, Family, HEAD_NORMS, LIKE_LLAMA, NETWORK, NORMS};

pub const QWEN2: Family = Family {
    name: "qwen2",
    config: |reader| {
        reader.llama(
            ["qwen2", "Qwen2ForCausalLM"],
            json!({"sliding_window": reader.window()?}),
        )
    },
    ..LIKE_LLAMA
};

pub const QWEN3: Family = Family {
    name: "qwen3",
    inside: &[ATTENTION, HEAD_NORMS, NORMS, NETWORK],
    config: |reader| {
        reader.llama(
            ["qwen3", "Qwen3ForCausalLM"],
            json!({"attention_bias": false, "sliding_window": reader.window()?}),
        )
    },
    ..LIKE_LLAMA
};
