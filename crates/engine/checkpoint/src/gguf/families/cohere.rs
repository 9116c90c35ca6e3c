//! Command R and Command R7B: one norm for both halves, which stand side by side; positions turn neighbours in the
//! checkpoint, too.

use serde_json::json;

use super::{ATTENTION, Family, HEAD_NORMS, LIKE_LLAMA, NETWORK, Names};

const NORM: Names = &[("attn_norm", "input_layernorm")];

pub const COMMAND_R: Family = Family {
    name: "command-r",
    inside: &[ATTENTION, HEAD_NORMS, NORM, NETWORK],
    config: |reader| {
        reader.llama(
            ["cohere", "CohereForCausalLM"],
            json!({
                "layer_norm_eps": reader.needed_real("attention.layer_norm_epsilon")?,
                "logit_scale": reader.needed_real("logit_scale")?,
                "attention_bias": reader.has("blk.0.attn_q.bias"),
                "use_qk_norm": reader.has("blk.0.attn_q_norm.weight"),
            }),
        )
    },
    ..LIKE_LLAMA
};

pub const COHERE2: Family = Family {
    name: "cohere2",
    inside: &[ATTENTION, NORM, NETWORK],
    config: |reader| {
        reader.llama(
            ["cohere2", "Cohere2ForCausalLM"],
            json!({
                "layer_norm_eps": reader.needed_real("attention.layer_norm_epsilon")?,
                "logit_scale": reader.needed_real("logit_scale")?,
                "attention_bias": reader.has("blk.0.attn_q.bias"),
                "sliding_window": reader.window()?,
                "layer_types": reader.layer_types(4)?,
            }),
        )
    },
    ..LIKE_LLAMA
};
