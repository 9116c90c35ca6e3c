//! Granite: Llama's layers with factors on embeddings, attention, residuals and logits.

use serde_json::json;

use super::{Family, LIKE_LLAMA, interleaved};

pub const GRANITE: Family = Family {
    name: "granite",
    layout: interleaved,
    config: |reader| {
        reader.llama(
            ["granite", "GraniteForCausalLM"],
            json!({
                "attention_multiplier": reader.needed_real("attention.scale")?,
                "embedding_multiplier": reader.needed_real("embedding_scale")?,
                "residual_multiplier": reader.needed_real("residual_scale")?,
                "logits_scaling": reader.needed_real("logit_scale")?,
                "attention_bias": reader.has("blk.0.attn_q.bias"),
                "mlp_bias": reader.has("blk.0.ffn_up.bias"),
            }),
        )
    },
    ..LIKE_LLAMA
};
