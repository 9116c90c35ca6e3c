//! OLMo 2, and OLMo 3, which llama.cpp files under the same name: some of its layers see a window.

use serde_json::json;

use super::{ATTENTION, Family, HEAD_NORMS, LIKE_LLAMA, NETWORK, NORMS_BEHIND};

pub const OLMO2: Family = Family {
    name: "olmo2",
    inside: &[ATTENTION, HEAD_NORMS, NORMS_BEHIND, NETWORK],
    config: |reader| {
        let Some(window) = reader.window()? else {
            return reader.llama(
                ["olmo2", "Olmo2ForCausalLM"],
                json!({"attention_bias": false}),
            );
        };
        reader.llama(
            ["olmo3", "Olmo3ForCausalLM"],
            json!({
                "attention_bias": false,
                "sliding_window": window,
                "layer_types": reader.layer_types(4)?,
            }),
        )
    },
    ..LIKE_LLAMA
};
