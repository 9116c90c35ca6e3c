//! gpt-oss: sinks, biases, experts with a bound; gates and what they gate stand apart here, and by turns in the checkpoint.

use serde_json::json;

use super::{ATTENTION, Family, LIKE_LLAMA, Names};

const OWN: Names = &[
    ("attn_norm", "input_layernorm"),
    ("post_attention_norm", "post_attention_layernorm"),
    ("attn_sinks", "self_attn.sinks!"),
    ("ffn_gate_inp", "mlp.router"),
    ("ffn_gate_exps", "mlp.experts.*.gate_proj"),
    ("ffn_up_exps", "mlp.experts.*.up_proj"),
    ("ffn_down_exps", "mlp.experts.*.down_proj"),
];

pub const GPT_OSS: Family = Family {
    name: "gpt-oss",
    inside: &[ATTENTION, OWN],
    config: |reader| {
        let experts = reader.needed_experts()?;
        let mut scaling = reader.scaling(reader.head_size()?)?;
        if let Some(scaling) = &mut scaling {
            // As the model was trained; no key says it.
            scaling["truncate"] = json!(false);
        }
        reader.llama(
            ["gpt_oss", "GptOssForCausalLM"],
            json!({
                "intermediate_size": reader.size("expert_feed_forward_length")?,
                "num_local_experts": experts.count,
                "num_experts_per_tok": experts.chosen,
                "sliding_window": reader.size("attention.sliding_window")?,
                "attention_bias": reader.has("blk.0.attn_q.bias"),
                "rope_scaling": scaling,
            }),
        )
    },
    ..LIKE_LLAMA
};
