//! OPT (Zhang et al. 2022): learned positions that begin at the third row; the 350M model has narrower embeddings and norms
//! behind each half.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::decoder::{CAUSAL, Decoder, NormKind, Sizes};
use super::parts::{causal_head, positions};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Weights};
use epicene_kernels::Activation;
use epicene_transformer::{Embedding, Layer, Norms, Transform, Transformer};

pub const FIELDS: Fields = Fields {
    understood: &[
        "_remove_final_layer_norm activation_function do_layer_norm_before enable_bias ffn_dim",
        "hidden_size max_position_embeddings num_attention_heads num_hidden_layers tie_word_embeddings",
        "vocab_size word_embed_proj_dim",
    ],
    harmless: CAUSAL,
};

/// Rows in front of the first position.
const SKIPPED: usize = 2;

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let hidden = config.size(&["hidden_size"])?;
    let (heads, _) = config.heads(&["num_attention_heads"], hidden)?;
    let sizes = Sizes {
        hidden,
        heads,
        inner: config.size(&["ffn_dim"])?,
        layers: config.layers(&["num_hidden_layers"])?,
    };
    let norm = NormKind::Layer {
        epsilon: 1e-5,
        bias: Bias::Needed,
        offset: 0.0,
    };
    let activation = config.activation("activation_function", "relu")?;
    let decoder = Decoder::sized(config, weights, "model.", sizes, norm, activation);
    let bias = Bias::needed_if(config.flag("enable_bias", true)?);
    let norm_first = config.flag("do_layer_norm_before", true)?;
    let layers = decoder.each_layer("model.decoder.layers", |_, at| {
        let own = |name: &str| format!("{at}.self_attn.{name}");
        let names = ["q_proj", "k_proj", "v_proj", "out_proj"].map(own);
        let attention = decoder.attention(names.each_ref().map(String::as_str), bias, bias)?;
        let first = Some(decoder.norm(&format!("{at}.self_attn_layer_norm"))?);
        let second = Some(decoder.norm(&format!("{at}.final_layer_norm"))?);
        let norms = if norm_first {
            Norms {
                before_attention: first,
                before_feed_forward: second,
                ..Norms::default()
            }
        } else {
            Norms {
                after_attention: first,
                after_feed_forward: second,
                ..Norms::default()
            }
        };
        let network = decoder.plain(&format!("{at}.fc1"), &format!("{at}.fc2"), bias)?;
        Ok(Layer::new(attention, network, norms))
    })?;
    let loader = &decoder.loader;
    let width = config
        .optional_size("word_embed_proj_dim")?
        .unwrap_or(hidden);
    let vocabulary = config.size(&["vocab_size"])?;
    let tokens = loader.table("model.decoder.embed_tokens.weight", vocabulary, width)?;
    let longest = config.size(&["max_position_embeddings"])?;
    let table = "model.decoder.embed_positions.weight";
    let rows = positions(loader, table, longest + SKIPPED, hidden, SKIPPED, None)?;
    let mut head = causal_head(loader, config, "lm_head", &tokens, Bias::None)?;
    let mut embedding = Embedding::of(tokens);
    embedding.positions = Some(rows);
    if width != hidden {
        let narrower = |name: &str, outputs: usize, inputs: usize| {
            loader.linear(
                &format!("model.decoder.{name}"),
                outputs,
                inputs,
                Bias::None,
            )
        };
        embedding.projection = Some(narrower("project_in", hidden, width)?);
        let dense = narrower("project_out", width, hidden)?;
        if let Some(head) = &mut head {
            head.transform = Some(Transform {
                dense,
                activation: Activation::Identity,
                norm: None,
            });
        }
    }
    let norm = norm_first && !config.flag("_remove_final_layer_norm", false)?;
    Ok(Transformer {
        kind: ModelKind::Causal,
        alternating: None,
        embedding,
        layers,
        norm: if norm {
            Some(decoder.norm("model.decoder.final_layer_norm")?)
        } else {
            None
        },
        head,
        longest: Some(longest),
    })
}
