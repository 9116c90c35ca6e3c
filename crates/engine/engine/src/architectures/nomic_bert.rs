//! NomicBERT (Nussbaum et al. 2024): BERT's norms around rotary attention and a gated network, without biases. Tensors have
//! the names of the authors' own code, in published files the fields too.

use std::sync::Arc;

use super::decoder::{Decoder, NormKind, ROPE};
use super::encoder::masked_encoder;
use super::layers::Fused;
use super::parts::{HeadNames, Sizes};
use super::rope::{PLAIN, Rope};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights, all_of};
use epicene_kernels::{Activation, AttentionMask};
use epicene_transformer::{Embedding, Layer, Norms, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        ROPE,
        &[
            "activation_function head_dim hidden_act hidden_size intermediate_size layer_norm_eps",
            "layer_norm_epsilon max_position_embeddings n_embd n_head n_inner n_layer n_positions",
            "num_attention_heads num_hidden_layers rotary_emb_base rotary_emb_fraction tie_word_embeddings",
            "type_vocab_size vocab_size"
        ],
        OFF
    ),
    harmless: &[
        "dense_seq_output fused_bias_fc fused_dropout_add_ln last_layer_subset max_trained_positions",
        "pad_vocab_size_multiple reorder_and_upcast_attn scale_attn_weights use_flash_attn use_xentropy",
    ],
};

/// Settings of the authors' code that must be off.
const OFF: &[&str] = &[
    "causal mlp_fc1_bias mlp_fc2_bias parallel_block parallel_block_tied_norm prenorm qkv_proj_bias",
    "rotary_emb_interleaved rotary_emb_scale_base rotary_scaling_factor",
    "scale_attn_by_inverse_layer_idx use_rms_norm",
];

const HEAD: HeadNames<'static> = HeadNames {
    dense: "cls.predictions.transform.dense",
    norm: "cls.predictions.transform.layer_norm",
    bias: "cls.predictions.bias",
    decoder_bias: Some(("cls.predictions.decoder.bias", false)),
    decoder: Some("cls.predictions.decoder.weight"),
};

/// The authors' names of a field, and that of `transformers`.
const RENAMED: &[(&str, &str)] = &[
    ("n_embd", "hidden_size"),
    ("n_head", "num_attention_heads"),
    ("n_inner", "intermediate_size"),
    ("n_layer", "num_hidden_layers"),
    ("n_positions", "max_position_embeddings"),
    ("layer_norm_epsilon", "layer_norm_eps"),
];

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let published = config.stored("n_embd").is_some();
    let config = &config.renamed(RENAMED);
    if published {
        for field in OFF {
            if config
                .stored(field)
                .is_some_and(|value| value.as_bool() != Some(false))
            {
                return Err(config.unknown(field));
            }
        }
        if config.text("activation_function") != Some("swiglu") {
            return Err(config.unknown("activation_function"));
        }
        if config.number("rotary_emb_fraction", 0.0)? != 1.0 {
            return Err(config.unknown("rotary_emb_fraction"));
        }
    }
    let epsilon = config.epsilon("layer_norm_eps", 1e-12)?;
    let norm = NormKind::Layer {
        epsilon,
        bias: Bias::Needed,
        offset: 0.0,
    };
    let activation = if published {
        Activation::Silu
    } else {
        config.activation("hidden_act", "silu")?
    };
    // Newer files have another beginning, and the same names behind it.
    let prefix = match weights.shape("nomic_bert.emb_ln.weight") {
        Some(_) => "nomic_bert.",
        None => "bert.",
    };
    let parts = Decoder::new(config, weights, prefix, norm, activation)?;
    let rope = Rope {
        base: if published {
            "rotary_emb_base"
        } else {
            "rope_theta"
        },
        default_base: 1000.0,
        ..PLAIN
    };
    let (rotary, longest) = parts.rotary(rope, 1.0)?;
    let place = format!("{prefix}embeddings");
    let tokens = parts.loader.table(
        &format!("{place}.word_embeddings.weight"),
        config.size(&["vocab_size"])?,
        parts.hidden,
    )?;
    let types = config.size(&["type_vocab_size"])?;
    let segments = format!("{place}.token_type_embeddings.weight");
    let embedding = Embedding {
        constant: Some(
            parts
                .loader
                .matrix(&segments, types, parts.hidden)?
                .row(0)
                .to_vec(),
        ),
        norm: Some(parts.norm(&format!("{prefix}emb_ln"))?),
        ..Embedding::of(tokens)
    };
    let sizes = Sizes {
        hidden: parts.hidden,
        inner: parts.inner,
        heads: parts.heads,
        head_size: parts.head_size,
        epsilon,
        activation,
    };
    let head = (&HEAD, activation);
    let mut model = masked_encoder(&parts.loader, config, &sizes, embedding, head, |layer| {
        let mut layer = self::layer(&parts, &format!("{prefix}encoder.layers.{layer}"))?;
        layer.attention.rotary = Some(rotary.clone());
        layer.attention.how.mask = AttentionMask::BOTH_WAYS;
        Ok(layer)
    })?;
    model.longest = longest;
    Ok(model)
}

/// The first matrix of the network is what the second one gates.
fn layer(parts: &Decoder<'_>, layer: &str) -> Result<Layer, CheckpointError> {
    let part = |name: &str| format!("{layer}.{name}");
    let network = [part("mlp.fc12"), part("mlp.fc11"), part("mlp.fc2")];
    let network = network.each_ref().map(String::as_str);
    let no_bias = [Bias::None, Bias::None];
    let (fused, output) = (part("attn.Wqkv"), part("attn.out_proj"));
    Ok(Layer::new(
        parts.fused_attention(&fused, Fused::Parts, &output, no_bias)?,
        parts.gated(network, parts.inner, Bias::None)?,
        Norms {
            after_attention: Some(parts.norm(&part("norm1"))?),
            after_feed_forward: Some(parts.norm(&part("norm2"))?),
            ..Norms::default()
        },
    ))
}
