//! Granite 3 and its mixtures of experts (IBM 2024): Llama's layers with four factors: on the embeddings, on what each half
//! adds, on the scores of attention, and on the logits.
//!
//! A factor on what is added is the same as one on the whole stream: with `1 / factor` on the embeddings and the norms'
//! epsilons divided by its square, every norm gives what it gave. So the layers stay as they are.

use std::sync::Arc;

use super::decoder::{CAUSAL, Decoder, LLAMA_LIKE, NormKind};
use super::experts::{Mixture, Stored};
use super::rope::PLAIN;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_transformer::Transformer;

const FACTORS: &[&str] = &[
    "attention_bias attention_multiplier embedding_multiplier logits_scaling residual_multiplier",
];

pub const GRANITE: Fields = Fields {
    understood: all_of!(LLAMA_LIKE, FACTORS, &["mlp_bias"]),
    harmless: CAUSAL,
};

pub const GRANITE_MOE: Fields = Fields {
    understood: all_of!(
        LLAMA_LIKE,
        FACTORS,
        &["num_experts_per_tok num_local_experts position_embedding_type"]
    ),
    harmless: &["is_decoder output_router_logits router_aux_loss_coef"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let mut decoder = Decoder::llama(config, weights)?;
    let added = config.positive("residual_multiplier", 1.0)?;
    let epsilon = config.epsilon("rms_norm_eps", 1e-6)? / (added * added);
    decoder.norm = NormKind::RootMeanSquare {
        epsilon,
        offset: 0.0,
    };
    let experts = config.model_type() == Some("granitemoe");
    let bias = Bias::needed_if(config.flag("attention_bias", false)?);
    let inner_bias = Bias::needed_if(!experts && config.flag("mlp_bias", false)?);
    let scale = config.positive("attention_multiplier", 1.0)? as f32;
    let (rotary, longest) = decoder.rotary(PLAIN, 1.0)?;
    if experts
        && let Some(kind) = config.get("position_embedding_type")
        && kind.as_str() != Some("rope")
    {
        return Err(config.unknown("position_embedding_type"));
    }
    let mixture = if experts {
        let count = config.size(&["num_local_experts"])?;
        Some(Mixture::new(
            &decoder,
            count,
            decoder.inner,
            decoder.layers,
        )?)
    } else {
        None
    };
    let mut model = decoder.llama_model(longest, |_, at| {
        let mut made = match &mixture {
            None => decoder.llama_layer(at, &rotary, [bias, bias, inner_bias])?,
            Some(mixture) => {
                let mut attention = decoder.llama_attention(at, bias, bias)?;
                attention.rotary = Some(rotary.clone());
                let norms = decoder.llama_norms(at)?;
                let part = format!("{at}.block_sparse_moe");
                let stored = if decoder.loader.has(&format!("{part}.input_linear.weight")) {
                    Stored::Stacked {
                        input: format!("{part}.input_linear.weight"),
                        output: format!("{part}.output_linear.weight"),
                    }
                } else {
                    // As llama.cpp's files have them.
                    Stored::Each {
                        part: format!("{part}.experts"),
                        names: ["gate_proj", "up_proj", "down_proj"],
                    }
                };
                let router = format!("{part}.router.layer");
                mixture.layer(attention, norms, &router, stored)?
            }
        };
        made.attention.how.scale = scale;
        Ok(made)
    })?;
    model.embedding.scale = (config.positive("embedding_multiplier", 1.0)? / added) as f32;
    if let Some(head) = &mut model.head {
        head.scale = (1.0 / config.positive("logits_scaling", 1.0)?) as f32;
    }
    Ok(model)
}
