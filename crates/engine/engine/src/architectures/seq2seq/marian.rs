//! Marian (Junczys-Dowmunt et al. 2018) as OPUS-MT's checkpoints have it: norms after each part, sinusoidal
//! positions, a bias on the logits, vocabularies shared or separate.

use std::sync::Arc;

use super::parts::{Bart, Ties, bart, room};
use epicene_checkpoint::{CheckpointError, Config, Fields, Loader, Weights, Writer};
use epicene_kernels::Matrix;
use epicene_transformer::EncoderDecoder;

pub const FIELDS: Fields = Fields {
    understood: &[
        "activation_function",
        "d_model",
        "decoder_attention_heads",
        "decoder_ffn_dim",
        "decoder_layers",
        "decoder_vocab_size",
        "encoder_attention_heads",
        "encoder_ffn_dim",
        "encoder_layers",
        "is_encoder_decoder",
        "max_position_embeddings",
        "pad_token_id",
        "scale_embedding",
        "share_encoder_decoder_embeddings",
        "tie_word_embeddings",
        "vocab_size",
    ],
    harmless: &[
        "add_bias_logits",
        "add_final_layer_norm",
        "do_blenderbot_90_layernorm",
        "extra_pos_embeddings",
        "normalize_before",
        "normalize_embedding",
        "num_hidden_layers",
        "save_step",
        "static_position_embeddings",
    ],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<EncoderDecoder, CheckpointError> {
    let loader = Loader::new(weights, "model.");
    let (positions, width) = room(config)?;
    let vocabulary = config.size(&["vocab_size"])?;
    let shared = config.flag("share_encoder_decoder_embeddings", true)?;
    let tied = config.flag("tie_word_embeddings", true)?;
    let target = if shared {
        vocabulary
    } else {
        config.size(&["decoder_vocab_size", "vocab_size"])?
    };
    // Files have the positions only if they were saved long ago.
    let stored = |side: &str| -> Result<Matrix, CheckpointError> {
        let name = format!("model.{side}.embed_positions.weight");
        if loader.has(&name) {
            loader.matrix(&name, positions, width)
        } else {
            Ok(sinusoids(positions, width))
        }
    };
    if shared && !tied {
        // The versions differ on whether source and target still share their table then.
        config.remark_writer();
    }
    let how = Bart {
        norm_first: false,
        embedding_norm: false,
        positions: [stored("encoder")?, stored("decoder")?],
        without_position: None,
        vocabularies: [vocabulary, target],
        ties: Ties {
            // In version 4 a shared table is shared whatever the flag of the output says.
            inputs: shared && (tied || config.writer() == Writer::Four),
            output: tied,
        },
        logits_bias: true,
    };
    bart(&loader, config, how)
}

/// Sines in the first half of the features, cosines in the second.
fn sinusoids(positions: usize, width: usize) -> Matrix {
    let mut table = Matrix::zeros(positions, width);
    let half = width.div_ceil(2);
    for position in 0..positions {
        let row = table.row_mut(position);
        for feature in 0..width {
            let exponent = (2 * (feature / 2)) as f64 / width as f64;
            let angle = position as f64 / 10000f64.powf(exponent);
            match feature % 2 {
                0 => row[feature / 2] = angle.sin() as f32,
                _ => row[half + feature / 2] = angle.cos() as f32,
            }
        }
    }
    table
}
