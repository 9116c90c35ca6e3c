//! Llama, and what llama.cpp files under its name: Mistral, SmolLM, and Mixtral, which has experts.

use serde_json::{Value, json};

use super::{ATTENTION, Family, LIKE_LLAMA, NETWORK, NORMS, Names, interleaved};
use crate::gguf::GgufError;
use crate::gguf::config::Reader;

const MIXTRAL: Names = &[
    ("ffn_gate_inp", "block_sparse_moe.gate"),
    ("ffn_gate_exps", "block_sparse_moe.experts.*.w1"),
    ("ffn_up_exps", "block_sparse_moe.experts.*.w3"),
    ("ffn_down_exps", "block_sparse_moe.experts.*.w2"),
];

pub const LLAMA: Family = Family {
    name: "llama",
    inside: &[ATTENTION, NORMS, NETWORK, MIXTRAL],
    layout: interleaved,
    config,
    ..LIKE_LLAMA
};

fn config(reader: &Reader<'_>) -> Result<Value, GgufError> {
    let window = reader.window()?;
    if let Some(experts) = reader.experts()? {
        return reader.llama(
            ["mixtral", "MixtralForCausalLM"],
            json!({
                "num_local_experts": experts.count,
                "num_experts_per_tok": experts.chosen,
                "sliding_window": window,
            }),
        );
    }
    let named = match window {
        Some(_) => ["mistral", "MistralForCausalLM"],
        None => ["llama", "LlamaForCausalLM"],
    };
    reader.llama(
        named,
        json!({
            "sliding_window": window,
            "attention_bias": window.is_none() && reader.has("blk.0.attn_q.bias"),
            "mlp_bias": reader.has("blk.0.ffn_up.bias"),
        }),
    )
}
