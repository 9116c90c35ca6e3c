//! How `config.json` describes rotary positions: the older fields (`rope_theta`, `rope_scaling`)
//! and the newer `rope_parameters`, one for all layers or one for each kind of layer.

use serde_json::Value;

use crate::checkpoint::{CheckpointError, Config};
use crate::cpu::Rotary;

/// The rotary positions of layers of one kind (`full_attention`, `sliding_attention`).
pub fn rotary(
    config: &Config,
    dimensions: usize,
    kind: &str,
    default_base: f64,
) -> Result<Rotary, CheckpointError> {
    let parameters = config
        .get("rope_parameters")
        .map(|all| all.get(kind).unwrap_or(all));
    let base = match parameters.and_then(|parameters| parameters.get("rope_theta")) {
        Some(base) => base.as_f64().unwrap_or(default_base),
        None => config.number("rope_theta", default_base)?,
    };
    let mut rotary = Rotary::new(dimensions, base);
    if let Some(scaling) = parameters.or(config.get("rope_scaling")) {
        rescale(config, &mut rotary, scaling)?;
    }
    Ok(rotary)
}

fn rescale(config: &Config, rotary: &mut Rotary, scaling: &Value) -> Result<(), CheckpointError> {
    let number = |name: &str| {
        scaling
            .get(name)
            .and_then(Value::as_f64)
            .ok_or_else(|| config.bad("rope_scaling", format!("has no number `{name}`")))
    };
    let kind = scaling
        .get("rope_type")
        .or(scaling.get("type"))
        .and_then(Value::as_str)
        .unwrap_or("default");
    match kind {
        // `dynamic` only differs beyond the trained length.
        "default" | "dynamic" => Ok(()),
        "linear" => {
            let factor = number("factor")? as f32;
            rotary.frequencies.iter_mut().for_each(|f| *f /= factor);
            Ok(())
        }
        "llama3" => {
            let factor = number("factor")?;
            let (low, high) = (number("low_freq_factor")?, number("high_freq_factor")?);
            let trained = number("original_max_position_embeddings")?;
            for frequency in &mut rotary.frequencies {
                let exact = f64::from(*frequency);
                let turns = trained * exact / std::f64::consts::TAU;
                let smooth = ((turns - low) / (high - low)).clamp(0.0, 1.0);
                *frequency = ((1.0 - smooth) * exact / factor + smooth * exact) as f32;
            }
            Ok(())
        }
        kind => Err(config.bad(
            "rope_scaling",
            format!("is of type `{kind}`, which is not known here"),
        )),
    }
}

/// Whether each layer sees everything or a window, as `layer_types` says, or by the rule given.
pub fn sliding_layers(config: &Config, layers: usize, rule: impl Fn(usize) -> bool) -> Vec<bool> {
    match config.get("layer_types").and_then(Value::as_array) {
        Some(types) if types.len() == layers => types
            .iter()
            .map(|kind| kind.as_str() == Some("sliding_attention"))
            .collect(),
        _ => (0..layers).map(rule).collect(),
    }
}

/// The share of each head that turns.
pub fn partial(config: &Config, field: &str, default: f64) -> Result<f64, CheckpointError> {
    let newer = config
        .get("rope_parameters")
        .and_then(|parameters| parameters.get("partial_rotary_factor"))
        .and_then(Value::as_f64);
    match newer {
        Some(share) => Ok(share),
        None => config.number(field, default),
    }
}
