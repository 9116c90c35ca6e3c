//! StarCoder and SantaCoder (Li et al. 2023): GPT-2's layers with one key and value for all heads.

use std::sync::Arc;

use super::decoder::{CAUSAL, Decoder, GPT};
use super::layers::Fused;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_transformer::{Layer, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(GPT, &["multi_query scale_attn_weights"]),
    harmless: all_of!(
        CAUSAL,
        &[
            "attention_softmax_in_fp32 inference_runner max_batch_size max_sequence_length",
            "num_key_value_heads pad_key_length pre_allocate_kv_cache scale_attention_softmax_in_fp32",
            "validate_runner_input"
        ]
    ),
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let mut decoder = Decoder::gpt(config, weights, "gelu_pytorch_tanh")?;
    let one_key = config.flag("multi_query", true)?;
    decoder.key_heads = if one_key { 1 } else { decoder.heads };
    let decoder = decoder;
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
    decoder.gpt_model(layers, stored)
}
