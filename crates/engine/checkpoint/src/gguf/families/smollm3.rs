//! SmolLM3: Llama without positions in every fourth layer.

use serde_json::json;

use super::{Family, LIKE_LLAMA, interleaved};

pub const SMOLLM3: Family = Family {
    name: "smollm3",
    layout: interleaved,
    config: |reader| {
        reader.llama(
            ["smollm3", "SmolLM3ForCausalLM"],
            json!({"attention_bias": false, "mlp_bias": false, "no_rope_layer_interval": 4}),
        )
    },
    ..LIKE_LLAMA
};
