//! StarCoder 2: layer norms, biases everywhere, no gate.

use serde_json::json;

use super::{ATTENTION, Family, LIKE_LLAMA, NORMS, Names};

const NETWORK: Names = &[("ffn_up", "mlp.c_fc"), ("ffn_down", "mlp.c_proj")];

pub const STARCODER2: Family = Family {
    name: "starcoder2",
    inside: &[ATTENTION, NORMS, NETWORK],
    config: |reader| {
        reader.llama(
            ["starcoder2", "Starcoder2ForCausalLM"],
            json!({
                "hidden_act": "gelu_pytorch_tanh",
                "norm_epsilon": reader.needed_real("attention.layer_norm_epsilon")?,
                "use_bias": reader.has("blk.0.attn_q.bias"),
                "sliding_window": reader.window()?,
            }),
        )
    },
    ..LIKE_LLAMA
};
