//! Granite: Llama's layers with factors on embeddings, attention, residuals and logits; and with experts.

use serde_json::{Value, json};

use super::{ATTENTION, Family, LIKE_LLAMA, NORMS, Names, interleaved};
use crate::gguf::GgufError;
use crate::gguf::config::{Reader, extend};

const EXPERTS: Names = &[
    ("ffn_gate_inp", "block_sparse_moe.router.layer"),
    ("ffn_gate_exps", "block_sparse_moe.experts.*.gate_proj"),
    ("ffn_up_exps", "block_sparse_moe.experts.*.up_proj"),
    ("ffn_down_exps", "block_sparse_moe.experts.*.down_proj"),
];

pub const GRANITE: Family = Family {
    name: "granite",
    layout: interleaved,
    config: |reader| {
        let own = json!({"mlp_bias": reader.has("blk.0.ffn_up.bias")});
        granite(reader, ["granite", "GraniteForCausalLM"], own)
    },
    ..LIKE_LLAMA
};

pub const GRANITE_MOE: Family = Family {
    name: "granitemoe",
    inside: &[ATTENTION, NORMS, EXPERTS],
    layout: interleaved,
    config: |reader| {
        let experts = reader.needed_experts()?;
        let own = json!({
            "num_local_experts": experts.count,
            "num_experts_per_tok": experts.chosen,
        });
        granite(reader, ["granitemoe", "GraniteMoeForCausalLM"], own)
    },
    ..LIKE_LLAMA
};

fn granite(reader: &Reader<'_>, named: [&str; 2], own: Value) -> Result<Value, GgufError> {
    let mut fields = json!({
        "attention_multiplier": reader.needed_real("attention.scale")?,
        "embedding_multiplier": reader.needed_real("embedding_scale")?,
        "residual_multiplier": reader.needed_real("residual_scale")?,
        "logits_scaling": reader.needed_real("logit_scale")?,
        "attention_bias": reader.has("blk.0.attn_q.bias"),
    });
    extend(&mut fields, own);
    reader.llama(named, fields)
}
