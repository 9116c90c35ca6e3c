//! BLOOM and BLOOMZ (BigScience 2022): positions by distance alone, and a norm behind the embeddings.

use std::sync::Arc;

use super::alibi::slopes;
use super::decoder::{CAUSAL, Decoder, NormKind, Sizes};
use super::layers::Fused;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::{Activation, Slopes};
use epicene_transformer::{Layer, Transformer};

pub const FIELDS: Fields = Fields {
    understood: &[
        "apply_residual_connection_post_layernorm hidden_size layer_norm_epsilon n_embed n_head n_layer",
        "tie_word_embeddings vocab_size",
    ],
    // Of the programs it was trained with, and of how sums are split.
    harmless: all_of!(
        CAUSAL,
        &[
            "attention_softmax_in_fp32 bias_dropout_fusion masked_softmax_fusion n_inner offset_alibi",
            "seq_length skip_bias_add skip_bias_add_qkv slow_but_exact unk_token_id"
        ]
    ),
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    config.refuse("apply_residual_connection_post_layernorm")?;
    // The name it had first, which counts.
    let hidden = match config.stored("n_embed") {
        Some(_) => config.size(&["n_embed"])?,
        None => config.size(&["hidden_size"])?,
    };
    let (heads, _) = config.heads(&["n_head"], hidden)?;
    let sizes = Sizes {
        hidden,
        heads,
        inner: 4 * hidden,
        layers: config.layers(&["n_layer"])?,
    };
    let norm = NormKind::layer(config, "layer_norm_epsilon")?;
    let activation = Activation::GeluTanh;
    let decoder = Decoder::sized(config, weights, "transformer.", sizes, norm, activation);
    let alibi = Arc::new(Slopes {
        of_heads: slopes(heads),
        rounded: None,
    });
    let layers = decoder.each_layer("transformer.h", |_, at| {
        let part = format!("{at}.self_attention");
        let mut attention = decoder.megatron_attention(&part, Fused::Groups, Bias::Needed)?;
        attention.how.slopes = Some(alibi.clone());
        let network = decoder.megatron_network(at, Bias::Needed)?;
        Ok(Layer::new(attention, network, decoder.llama_norms(at)?))
    })?;
    let names = ["transformer.word_embeddings", "transformer.ln_f", "lm_head"];
    let mut model = decoder.model(names, layers, None)?;
    model.embedding.norm = Some(decoder.norm("transformer.word_embeddings_layernorm")?);
    Ok(model)
}
