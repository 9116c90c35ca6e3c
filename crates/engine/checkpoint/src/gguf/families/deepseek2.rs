//! DeepSeek-V2, V3, R1 and what llama.cpp files under their name (Kimi-K2, Moonlight): latent attention, experts of which
//! some are shared.

use serde_json::{Value, json};

use super::{EXPERTS, Family, LIKE_LLAMA, NETWORK, NORMS, Names};
use crate::gguf::GgufError;
use crate::gguf::config::{Reader, extend};
use crate::gguf::layout::Layout;

const OWN: Names = &[
    ("attn_q", "self_attn.q_proj"),
    ("attn_q_a", "self_attn.q_a_proj"),
    ("attn_q_a_norm", "self_attn.q_a_layernorm"),
    ("attn_q_b", "self_attn.q_b_proj"),
    ("attn_kv_a_mqa", "self_attn.kv_a_proj_with_mqa"),
    ("attn_kv_a_norm", "self_attn.kv_a_layernorm"),
    // Whole in files from before April 2025, in two tensors since.
    ("attn_kv_b", "self_attn.kv_b_proj"),
    ("attn_k_b", "self_attn.kv_b_proj"),
    ("attn_v_b", "self_attn.kv_b_proj"),
    ("attn_output", "self_attn.o_proj"),
    ("exp_probs_b", "mlp.gate.e_score_correction_bias!"),
    ("ffn_gate_shexp", "mlp.shared_experts.gate_proj"),
    ("ffn_up_shexp", "mlp.shared_experts.up_proj"),
    ("ffn_down_shexp", "mlp.shared_experts.down_proj"),
];

pub const DEEPSEEK2: Family = Family {
    name: "deepseek2",
    inside: &[OWN, NORMS, NETWORK, EXPERTS],
    layout: |part, _, heads| {
        let share = |place| Layout::Share {
            place,
            of: 2,
            heads: heads.query,
            turned: place == 0,
        };
        match part {
            "attn_k_b" => share(0),
            "attn_v_b" => share(1),
            _ => Layout::Same,
        }
    },
    config,
    ..LIKE_LLAMA
};

/// What llama.cpp writes for the way experts are weighed.
const SOFTMAX: u64 = 1;
const SIGMOID: u64 = 2;
/// The experts of DeepSeek-V2 and of V3 and R1, which are chosen within groups.
const GROUPED: [u64; 2] = [160, 256];
/// Converters store a tenth of the share of the logarithm, which is 0.707 or 1 in all models; one of December 2025 stored it all.
const LARGEST_TENTH: f64 = 0.5;

fn config(reader: &Reader<'_>) -> Result<Value, GgufError> {
    let third = match reader.number("expert_gating_func")? {
        None | Some(0 | SOFTMAX) => false,
        Some(SIGMOID) => true,
        Some(_) => {
            return Err(reader.bad("expert_gating_func", "is neither softmax nor sigmoid"));
        }
    };
    let named = if third {
        ["deepseek_v3", "DeepseekV3ForCausalLM"]
    } else {
        ["deepseek_v2", "DeepseekV2ForCausalLM"]
    };
    const TEMPERATURE: &str = "attention.temperature_scale";
    if reader.real(TEMPERATURE)?.is_some_and(|scale| scale != 0.0) {
        return Err(reader.bad(TEMPERATURE, "is Mistral's, whose models are not supported"));
    }
    const TURNING: &str = "rope.dimension_count";
    let turning = reader.size(TURNING)?;
    let still = length(reader, "key")?.checked_sub(turning);
    let still = still.filter(|still| *still > 0);
    let still = still.ok_or_else(|| reader.bad(TURNING, "is no part of the length of a key"))?;
    let mut fields = json!({
        "model_type": named[0],
        "architectures": [named[1]],
        "hidden_act": "silu",
        // Newer files say one: that of the latent vector.
        "num_key_value_heads": reader.heads()?.query,
        "rms_norm_eps": reader.real("attention.layer_norm_rms_epsilon")?,
        "rope_theta": reader.base()?,
        "rope_scaling": scaling(reader, turning)?,
        "q_lora_rank": reader.number("attention.q_lora_rank")?.filter(|rank| *rank > 0),
        "kv_lora_rank": reader.size("attention.kv_lora_rank")?,
        "qk_rope_head_dim": turning,
        "qk_nope_head_dim": still,
        "v_head_dim": length(reader, "value")?,
        "first_k_dense_replace": reader.size_or("leading_dense_block_count", 0)?,
        "moe_intermediate_size": reader.size("expert_feed_forward_length")?,
        "attention_bias": false,
    });
    extend(&mut fields, experts(reader, third)?);
    Ok(fields)
}

/// Of a head. Newer files have it under a name of its own, and the latent vector's under the older name.
fn length(reader: &Reader<'_>, of: &str) -> Result<u64, GgufError> {
    match reader.number(&format!("attention.{of}_length_mla"))? {
        Some(length) => Ok(length),
        None => reader.size(&format!("attention.{of}_length")),
    }
}

fn scaling(reader: &Reader<'_>, turning: u64) -> Result<Option<Value>, GgufError> {
    const KEY: &str = "rope.scaling.yarn_log_multiplier";
    let mut scaling = reader.scaling(turning)?;
    if let (Some(scaling), Some(tenth)) = (&mut scaling, reader.real(KEY)?) {
        if !(0.0..LARGEST_TENTH).contains(&tenth) {
            return Err(reader.bad(KEY, "is not a tenth of the share; convert the model again"));
        }
        // Another share for the rotary positions alone is not stored; no model has one.
        let share = json!(10.0 * tenth);
        extend(scaling, json!({"mscale": share, "mscale_all_dim": share}));
    }
    Ok(scaling)
}

fn experts(reader: &Reader<'_>, third: bool) -> Result<Value, GgufError> {
    let Some(experts) = reader.experts()? else {
        return Ok(Value::Null);
    };
    const GROUPS: &str = "expert_group_count";
    let groups = reader.number(GROUPS)?;
    if groups.is_none() && GROUPED.contains(&experts.count) {
        return Err(reader.bad(
            GROUPS,
            "is missing: experts are chosen within groups, which files from before October 2025 do not store; convert the model again",
        ));
    }
    let grouped = groups.is_some_and(|groups| groups > 1);
    let method = match (third, grouped) {
        (true, _) => None,
        (false, true) => Some("group_limited_greedy"),
        (false, false) => Some("greedy"),
    };
    Ok(json!({
        "n_routed_experts": experts.count,
        "num_experts_per_tok": experts.chosen,
        "n_shared_experts": reader.size_or("expert_shared_count", 0)?,
        "routed_scaling_factor": reader.real("expert_weights_scale")?.unwrap_or(1.0),
        "norm_topk_prob": reader.flag("expert_weights_norm")?.unwrap_or(false),
        "topk_method": method,
        "n_group": if grouped { groups } else { Some(1) },
        "topk_group": if grouped { reader.size("expert_group_used_count")? } else { 1 },
    }))
}
