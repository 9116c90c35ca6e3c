//! StarCoder and SantaCoder (Li et al. 2023): GPT-2's layers with one key and value for all heads.

use std::sync::Arc;

use super::decoder::{CAUSAL, Decoder, Fused, NormKind};
use super::parts::positions;
use crate::checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights, all_of};
use crate::transformer::{Layer, Transformer};

pub const FIELDS: Fields = Fields {
    understood: &[
        "activation_function",
        "layer_norm_epsilon",
        "multi_query",
        "n_embd",
        "n_head",
        "n_inner",
        "n_layer",
        "n_positions",
        "scale_attn_weights",
        "tie_word_embeddings",
        "vocab_size",
    ],
    harmless: all_of!(
        CAUSAL,
        &[
            "attention_softmax_in_fp32",
            "inference_runner",
            "max_batch_size",
            "max_sequence_length",
            "num_key_value_heads",
            "pad_key_length",
            "pre_allocate_kv_cache",
            "scale_attention_softmax_in_fp32",
            "validate_runner_input",
        ]
    ),
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let hidden = config.size(&["n_embd"])?;
    let (heads, head_size) = config.heads(&["n_head"], hidden)?;
    let one_key = config.flag("multi_query", true)?;
    let decoder = Decoder {
        config,
        loader: Loader::new(weights, "transformer."),
        hidden,
        inner: config.optional_size("n_inner")?.unwrap_or(4 * hidden),
        heads,
        key_heads: if one_key { 1 } else { heads },
        head_size,
        layers: config.layers(&["n_layer"])?,
        activation: config.activation("activation_function", "gelu_pytorch_tanh")?,
        norm: NormKind::layer(config, "layer_norm_epsilon")?,
        neighbours: None,
    };
    let scaled = config.flag("scale_attn_weights", true)?;
    let stored = config.size(&["n_positions"])?;
    let layers = decoder.each_layer("transformer.h", |_, at| {
        let name = |part: &str| format!("{at}.{part}");
        let mut attention = decoder.fused_attention(
            &name("attn.c_attn"),
            if one_key { Fused::Parts } else { Fused::Groups },
            &name("attn.c_proj"),
            [Bias::Needed; 2],
        )?;
        if !scaled {
            attention.how.scale = 1.0;
        }
        let network = decoder.plain(&name("mlp.c_fc"), &name("mlp.c_proj"), Bias::Needed)?;
        let norms = decoder.norms(&name("ln_1"), &name("ln_2"))?;
        Ok(Layer::new(attention, network, norms))
    })?;
    let names = ["transformer.wte", "transformer.ln_f", "lm_head"];
    let mut model = decoder.model(names, layers, Some(stored))?;
    let table = "transformer.wpe.weight";
    model.embedding.positions = Some(positions(&decoder.loader, table, stored, hidden, 0, None)?);
    Ok(model)
}
