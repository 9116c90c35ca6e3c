//! Longformer (Beltagy et al. 2020): RoBERTa whose tokens see a window only. No token is global here, as none is in a
//! masked model that is told of none.

use std::sync::Arc;

use serde_json::Value;

use super::encoder::{ENCODER, PADDING};
use super::roberta::load_named;
use epicene_checkpoint::{CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::AttentionMask;
use epicene_transformer::Transformer;

pub const FIELDS: Fields = Fields {
    understood: all_of!(ENCODER, PADDING, &["attention_window"]),
    harmless: &["attention_mode ignore_attention_mask onnx_export"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let mut model = load_named(config, weights, "longformer.")?;
    let windows = windows(config, model.layers.len())?;
    for (layer, window) in model.layers.iter_mut().zip(windows) {
        let layer = Arc::get_mut(layer).expect("no layer is shared");
        layer.attention.how.mask = AttentionMask {
            causal: false,
            reach: Some(window / 2),
        };
    }
    Ok(model)
}

/// The window of each layer, both sides together: one for all, or one each.
fn windows(config: &Config, count: usize) -> Result<Vec<usize>, CheckpointError> {
    const FIELD: &str = "attention_window";
    let window = |value: &Value| match value.as_u64() {
        Some(window @ 2..=1_000_000) if window.is_multiple_of(2) => Ok(window as usize),
        _ => Err(config.unknown(FIELD)),
    };
    match config.get(FIELD) {
        Some(Value::Array(all)) if all.len() == count => all.iter().map(window).collect(),
        Some(one @ Value::Number(_)) => Ok(vec![window(one)?; count]),
        _ => Err(config.unknown(FIELD)),
    }
}
