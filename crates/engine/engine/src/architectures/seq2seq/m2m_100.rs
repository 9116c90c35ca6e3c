//! M2M-100 (Fan et al. 2021) and NLLB-200 (NLLB team 2022): norms before each part, sinusoidal positions that begin
//! at the third row.

use std::sync::Arc;

use super::parts::{Bart, Ties, bart, room};
use epicene_checkpoint::{CheckpointError, Config, Fields, Loader, Weights};
use epicene_kernels::Matrix;
use epicene_transformer::EncoderDecoder;

pub const FIELDS: Fields = super::parts::FIELDS;

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<EncoderDecoder, CheckpointError> {
    let loader = Loader::new(weights, "model.");
    let (positions, width) = room(config)?;
    let vocabulary = config.size(&["vocab_size"])?;
    let padding = config.size_or("pad_token_id", 1)?;
    // Some files have a bias of the logits, which the model does not: all zero, or not understood.
    const BIAS: &str = "final_logits_bias";
    if loader.has(BIAS)
        && loader
            .tensor(BIAS, &[1, vocabulary])?
            .iter()
            .any(|b| *b != 0.0)
    {
        return Err(CheckpointError::Unread {
            file: "model.safetensors".to_owned(),
            tensors: format!("`{BIAS}`"),
        });
    }
    let how = Bart {
        norm_first: true,
        embedding_norm: false,
        positions: [
            sinusoids(positions, width, padding + 1),
            sinusoids(positions, width, padding + 1),
        ],
        without_position: Some(padding as u32),
        vocabularies: [vocabulary, vocabulary],
        ties: Ties::all(config)?,
        logits_bias: false,
    };
    bart(&loader, config, how)
}

/// Sines, then cosines; angles in single precision, as the model was trained with them.
fn sinusoids(positions: usize, width: usize, first: usize) -> Matrix {
    let mut table = Matrix::zeros(positions, width);
    let half = width / 2;
    let step = (10000f64.ln() / (half as f64 - 1.0)) as f32;
    for position in 0..positions {
        let row = table.row_mut(position);
        for feature in 0..half {
            let frequency = (feature as f32 * -step).exp();
            let angle = (position + first) as f32 * frequency;
            row[feature] = angle.sin();
            row[half + feature] = angle.cos();
        }
    }
    table
}
