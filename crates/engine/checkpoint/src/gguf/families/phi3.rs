//! Phi-3 and Phi-4: queries, keys and values in one tensor, gates and what they gate in another; LongRoPE's factors are
//! tensors of the file.

use serde_json::{Value, json};

use super::{Family, LIKE_LLAMA, LONG_FACTORS, NORMS, Names, SHORT_FACTORS};
use crate::gguf::GgufError;
use crate::gguf::config::Reader;

const OWN: Names = &[
    ("attn_qkv", "self_attn.qkv_proj"),
    ("attn_output", "self_attn.o_proj"),
    ("ffn_up", "mlp.gate_up_proj"),
    ("ffn_down", "mlp.down_proj"),
];

pub const PHI3: Family = Family {
    name: "phi3",
    inside: &[NORMS, OWN],
    config,
    ..LIKE_LLAMA
};

fn config(reader: &Reader<'_>) -> Result<Value, GgufError> {
    reader.needs_shared_width()?;
    let trained = reader.size_or("rope.scaling.original_context_length", 0)?;
    let mut own = json!({
        "head_dim": null,
        "sliding_window": reader.window()?,
        "original_max_position_embeddings": (trained > 0).then_some(trained),
    });
    if let (Some(short), Some(long)) = (
        reader.numbers(SHORT_FACTORS)?,
        reader.numbers(LONG_FACTORS)?,
    ) {
        own["rope_scaling"] =
            json!({"rope_type": "longrope", "short_factor": short, "long_factor": long});
    }
    reader.turning(["phi3", "Phi3ForCausalLM"], own)
}
