//! Gemma 3n, its text part: Gemma 3 with copies of the residual stream, and a vector of each token for every layer. Weights of
//! norms do not count from one.

use serde_json::{Value, json};

use super::gemma::NORMS;
use super::{ATTENTION, Family, HEAD_NORMS, LIKE_LLAMA, NETWORK, Names};
use crate::gguf::GgufError;
use crate::gguf::config::Reader;

const OWN: Names = &[
    ("altup_correct_coef", "altup.correction_coefs"),
    ("altup_correct_scale", "altup.correct_output_scale!"),
    ("altup_predict_coef", "altup.prediction_coefs"),
    ("altup_router", "altup.modality_router"),
    ("altup_router_norm", "altup.router_norm"),
    ("laurel_l", "laurel.linear_left"),
    ("laurel_r", "laurel.linear_right"),
    ("laurel_post_norm", "laurel.post_laurel_norm"),
    ("inp_gate", "per_layer_input_gate"),
    ("proj", "per_layer_projection"),
    ("post_norm", "post_per_layer_input_norm"),
];
const TOKENS: &str = "per_layer_token_embd.weight";
const OUTSIDE: Names = &[
    ("token_embd", "model.embed_tokens"),
    ("output_norm", "model.norm"),
    ("output", "lm_head"),
    ("per_layer_token_embd", "model.embed_tokens_per_layer"),
    ("per_layer_model_proj", "model.per_layer_model_projection"),
    ("per_layer_proj_norm", "model.per_layer_projection_norm"),
    ("altup_proj", "model.altup_projections.*"),
    ("altup_unembd_proj", "model.altup_unembed_projections.*"),
];

pub const GEMMA3N: Family = Family {
    name: "gemma3n",
    inside: &[ATTENTION, HEAD_NORMS, NORMS, NETWORK, OWN],
    outside: OUTSIDE,
    config,
    ..LIKE_LLAMA
};

fn config(reader: &Reader<'_>) -> Result<Value, GgufError> {
    let size = reader.head_size()?;
    let cutoffs = reader.reals("activation_sparsity_scale")?;
    let share = |cutoff: &f32| epicene_stats::normal_cdf(f64::from(*cutoff));
    Ok(json!({
        "model_type": "gemma3n_text",
        "architectures": ["Gemma3nForCausalLM"],
        "hidden_activation": "gelu_pytorch_tanh",
        "num_key_value_heads": reader.heads()?.key,
        "head_dim": size,
        "rms_norm_eps": reader.real("attention.layer_norm_rms_epsilon")?,
        "rope_theta": reader.real("rope.freq_base")?.unwrap_or(1_000_000.0),
        "rope_local_base_freq": reader.real("rope.freq_base_swa")?.unwrap_or(10_000.0),
        "rope_scaling": reader.scaling(size)?,
        "sliding_window": reader.window()?,
        "layer_types": reader.layer_types(5)?,
        "num_kv_shared_layers": reader.count("attention.shared_kv_layers")?,
        "activation_sparsity_pattern": cutoffs.iter().map(share).collect::<Vec<_>>(),
        // Older converters leave it out; it is that of all models.
        "final_logit_softcapping": reader.real("final_logit_softcapping")?.unwrap_or(30.0),
        "altup_active_idx": reader.count("altup.active_idx")?,
        "altup_num_inputs": reader.size("altup.num_inputs")?,
        "altup_correct_scale": true,
        "laurel_rank": reader.needed_tensor("blk.0.laurel_l.weight")?.rows(),
        "hidden_size_per_layer_input": reader.size("embedding_length_per_layer_input")?,
        "vocab_size_per_layer_input": tokens(reader)?,
        "attention_bias": false,
    }))
}

/// How many tokens have vectors for the layers. Pictures and sounds have none; newer converters give them zeros.
fn tokens(reader: &Reader<'_>) -> Result<usize, GgufError> {
    let table = reader.needed_tensor(TOKENS)?;
    let mut count = table.rows();
    while count > 0
        && reader
            .row(table, count - 1)?
            .iter()
            .all(|value| *value == 0.0)
    {
        count -= 1;
    }
    Ok(count)
}
