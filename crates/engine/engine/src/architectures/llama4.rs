//! Llama 4 (Meta 2025): Llama's layers with experts in all or every other one, no positions in every fourth. Layers with
//! positions see chunks of 8,192 tokens, those without get another temperature beyond as many: longer texts are refused.

use std::sync::Arc;

use serde_json::Value;

use super::decoder::{Decoder, LLAMA_LIKE};
use super::experts::{Mixture, Stored};
use super::rope::{PLAIN, turning_layers};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of, short};
use epicene_kernels::Norm;
use epicene_transformer::{Layer, Scoring, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        LLAMA_LIKE,
        &[
            "attention_bias attention_chunk_size attn_temperature_tuning floor_scale",
            "interleave_moe_layer_step intermediate_size_mlp layer_types moe_layers no_rope_layer_interval",
            "no_rope_layers num_experts_per_tok num_local_experts use_qk_norm"
        ]
    ),
    // The first counts beyond the length where longer texts are refused.
    harmless: &[
        "attn_scale for_llm_compressor is_decoder output_router_logits router_aux_loss_coef",
        "router_jitter_noise",
    ],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let mut decoder = Decoder::llama(config, weights)?;
    decoder.neighbours = Some(decoder.head_size);
    let decoder = decoder;
    let (rotary, longest) = decoder.rotary(PLAIN, 1.0)?;
    // A factor on what turns is read otherwise by version 5; the published models have none.
    if rotary.factor != 1.0 {
        let problem = "has a factor on what turns, which is not read for this architecture";
        return Err(config.bad("rope_parameters", problem));
    }
    let turning = turning_layers(config, decoder.layers)?;
    let bias = Bias::needed_if(config.flag("attention_bias", false)?);
    let chunk = config.optional_size("attention_chunk_size")?;
    // A number in the first files.
    let tuned = match config.get("attn_temperature_tuning") {
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        _ => config.flag("attn_temperature_tuning", true)?,
    };
    let steady = if tuned {
        Some(config.size(&["floor_scale"])? - 1)
    } else {
        None
    };
    let longest = [longest, chunk, steady].into_iter().flatten().min();
    let sparse = sparse_layers(config, decoder.layers)?;
    let count = config.size(&["num_local_experts"])?;
    let mut mixture = Mixture::new(&decoder, count, decoder.inner, sparse.len())?;
    mixture.scoring = Scoring::Sigmoid;
    mixture.to_one = false;
    mixture.weighs_input = true;
    let head_norm = config.flag("use_qk_norm", true)?.then(|| {
        let epsilon = config.epsilon("rms_norm_eps", 1e-5)? as f32;
        Ok::<Norm, CheckpointError>(Norm::RootMeanSquare {
            weight: vec![1.0; decoder.head_size],
            epsilon,
        })
    });
    let head_norm = head_norm.transpose()?;
    decoder.llama_model(longest, |layer, at| {
        let mut attention = decoder.llama_attention(at, bias, bias)?;
        if turning[layer] {
            // Turning changes no length, so that norms may stand in front of it.
            attention.rotary = Some(rotary.clone());
            attention.query_norm = head_norm.clone();
            attention.key_norm = head_norm.clone();
        }
        let norms = decoder.llama_norms(at)?;
        let part = format!("{at}.feed_forward");
        if !sparse.contains(&layer) {
            let inner = config.size(&["intermediate_size_mlp"])?;
            let network = decoder.llama_network(&part, inner, Bias::None)?;
            return Ok(Layer::new(attention, network, norms));
        }
        let stored = Stored::Turned {
            input: format!("{part}.experts.gate_up_proj"),
            output: format!("{part}.experts.down_proj"),
        };
        let experts = mixture.load(&format!("{part}.router"), Bias::None, None, stored)?;
        let shared = format!("{part}.shared_expert");
        let shared = decoder.llama_network(&shared, decoder.inner, Bias::None)?;
        Ok(Layer {
            experts: Some(experts),
            ..Layer::new(attention, shared, norms)
        })
    })
}

/// The layers with experts: as listed, or every so many.
fn sparse_layers(config: &Config, count: usize) -> Result<Vec<usize>, CheckpointError> {
    const FIELD: &str = "moe_layers";
    let Some(listed) = config.stored(FIELD) else {
        let step = config.size(&["interleave_moe_layer_step"])?;
        return Ok((0..count)
            .filter(|layer| (layer + 1).is_multiple_of(step))
            .collect());
    };
    let place = |value: &Value| usize::try_from(value.as_u64()?).ok();
    let list = listed
        .as_array()
        .and_then(|list| list.iter().map(place).collect());
    list.ok_or_else(|| config.bad(FIELD, format!("is {}, not a list of layers", short(listed))))
}
