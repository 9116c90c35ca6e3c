//! What BART's descendants have in common: names of tensors, layers, where the tied vocabulary lies.

use std::sync::Arc;

use epicene_core::ModelKind;

use crate::architectures::parts::{LayerNames, Sizes, encoder_layer};
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Loader};
use epicene_kernels::{AttentionMask, AttentionShape, Matrix, Norm};
use epicene_transformer::EncoderDecoder;
use epicene_transformer::{
    Decoder, DecoderLayer, OwnAttention, Projection, SourceAttention, TargetEmbedding,
};
use epicene_transformer::{Embedding, FeedForward, Transformer};

/// What M2M-100 and mBART are described by; the harmless ones are left over from the family's first checkpoints.
pub const FIELDS: Fields = Fields {
    understood: &[
        "activation_function",
        "d_model",
        "decoder_attention_heads",
        "decoder_ffn_dim",
        "decoder_layers",
        "encoder_attention_heads",
        "encoder_ffn_dim",
        "encoder_layers",
        "is_encoder_decoder",
        "max_position_embeddings",
        "pad_token_id",
        "scale_embedding",
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

/// Everything in which they differ.
#[derive(Debug)]
pub struct Bart {
    /// Norms stand before each part, and after the last layer.
    pub norm_first: bool,
    /// A norm on the embeddings.
    pub embedding_norm: bool,
    /// Positions of the encoder and of the decoder, the first row for the first token.
    pub positions: [Matrix; 2],
    /// A token without a position.
    pub without_position: Option<u32>,
    /// Sizes of the source's and the target's vocabularies.
    pub vocabularies: [usize; 2],
    pub ties: Ties,
    pub logits_bias: bool,
}

/// Which of the three tables of tokens are one.
#[derive(Debug, Clone, Copy)]
pub struct Ties {
    /// Source and target share a table.
    pub inputs: bool,
    /// The output is the target's table.
    pub output: bool,
}

const SHARED: &str = "model.shared.weight";
const SOURCE: &str = "model.encoder.embed_tokens.weight";
const TARGET: &str = "model.decoder.embed_tokens.weight";
const OUTPUT: &str = "lm_head.weight";

impl Ties {
    /// All by one flag, as in most models.
    pub fn all(config: &Config) -> Result<Ties, CheckpointError> {
        let tied = config.flag("tie_word_embeddings", true)?;
        Ok(Ties {
            inputs: tied,
            output: tied,
        })
    }

    /// The names of the source's, the target's and the output's tables.
    fn names(self, loader: &Loader, config: &Config) -> Result<[String; 3], CheckpointError> {
        let (source, target, output): (&[&str], &[&str], &[&str]) = match self {
            Ties {
                inputs: true,
                output: true,
            } => (
                &[SHARED, TARGET, OUTPUT],
                &[SHARED, SOURCE, OUTPUT],
                &[SHARED, TARGET, SOURCE],
            ),
            Ties {
                inputs: true,
                output: false,
            } => (&[SHARED, TARGET], &[SHARED, SOURCE], &[]),
            Ties {
                inputs: false,
                output: true,
            } => (&[SHARED], &[OUTPUT], &[TARGET]),
            Ties {
                inputs: false,
                output: false,
            } => (&[SHARED], &[], &[]),
        };
        let name = |tied: bool, own: &str, others: &[&str]| {
            loader
                .tied(config, tied, own, others)?
                .ok_or_else(|| loader.missing(own))
        };
        Ok([
            name(self.inputs, SOURCE, source)?,
            name(self.inputs || self.output, TARGET, target)?,
            name(self.output, OUTPUT, output)?,
        ])
    }
}

const EPSILON: f64 = 1e-5;

/// Numbers of a table of positions that can be right: a million positions of width 1024.
const MOST_POSITIONS: usize = 1 << 30;
const LEAST_POSITIONS: usize = 4;

/// Positions a configuration has room for, and the width of its layers.
pub fn room(config: &Config) -> Result<(usize, usize), CheckpointError> {
    let positions = config.size(&["max_position_embeddings"])?;
    let width = config.size(&["d_model"])?;
    let problem = match positions.checked_mul(width) {
        _ if positions < LEAST_POSITIONS => "too few for a sentence and the marks around it",
        Some(..=MOST_POSITIONS) => return Ok((positions, width)),
        _ => "more positions than any model has",
    };
    Err(config.bad(
        "max_position_embeddings",
        format!("is {positions}, {problem}"),
    ))
}

pub fn bart(
    loader: &Loader,
    config: &Config,
    how: Bart,
) -> Result<EncoderDecoder, CheckpointError> {
    let width = config.size(&["d_model"])?;
    let scale = if config.flag("scale_embedding", false)? {
        (width as f32).sqrt()
    } else {
        1.0
    };
    if !config.flag("is_encoder_decoder", true)? {
        return Err(config.unknown("is_encoder_decoder"));
    }
    let [source, target, output] = how.ties.names(loader, config)?;
    let norm = |name: &str| loader.layer_norm(name, width, EPSILON, Bias::Needed);
    let only_if = |wanted: bool, name: &str| {
        if wanted {
            norm(name).map(Some)
        } else {
            Ok(None)
        }
    };
    let [source_positions, target_positions] = how.positions;

    let (heads, head_size) = config.heads(&["encoder_attention_heads"], width)?;
    let sizes = Sizes {
        hidden: width,
        inner: config.size(&["encoder_ffn_dim"])?,
        heads,
        head_size,
        epsilon: EPSILON,
        activation: config.activation("activation_function", "gelu")?,
    };
    let mut layers = Vec::new();
    for layer in 0..config.layers(&["encoder_layers"])? {
        let layer = format!("model.encoder.layers.{layer}");
        let names = LayerNames {
            query: format!("{layer}.self_attn.q_proj"),
            key: format!("{layer}.self_attn.k_proj"),
            value: format!("{layer}.self_attn.v_proj"),
            mixed: format!("{layer}.self_attn.out_proj"),
            attention_norm: format!("{layer}.self_attn_layer_norm"),
            inner: format!("{layer}.fc1"),
            outer: format!("{layer}.fc2"),
            feed_forward_norm: format!("{layer}.final_layer_norm"),
        };
        layers.push(Arc::new(encoder_layer(
            loader,
            &names,
            &sizes,
            how.norm_first,
        )?));
    }
    let encoder = Transformer {
        kind: ModelKind::Translator,
        alternating: None,
        longest: Some(source_positions.rows),
        embedding: Embedding {
            scale,
            positions: Some(source_positions),
            norm: only_if(how.embedding_norm, "model.encoder.layernorm_embedding")?,
            ..Embedding::of(loader.table(&source, how.vocabularies[0], width)?)
        },
        layers,
        norm: only_if(how.norm_first, "model.encoder.layer_norm")?,
        head: None,
    };

    let (heads, head_size) = config.heads(&["decoder_attention_heads"], width)?;
    let sizes = Sizes {
        heads,
        head_size,
        inner: config.size(&["decoder_ffn_dim"])?,
        ..sizes
    };
    let layers = (0..config.layers(&["decoder_layers"])?)
        .map(|layer| decoder_layer(loader, layer, &sizes, how.norm_first))
        .collect::<Result<Vec<_>, _>>()?;
    let vocabulary = how.vocabularies[1];
    let bias = if how.logits_bias && loader.has("final_logits_bias") {
        loader.tensor("final_logits_bias", &[1, vocabulary])?
    } else {
        Vec::new()
    };
    let tokens = loader.table(&target, vocabulary, width)?;
    let output = output.trim_end_matches(".weight");
    let weight = loader.linear(output, vocabulary, width, Bias::None)?.weight;
    Ok(EncoderDecoder {
        encoder,
        longest_target: Some(target_positions.rows),
        decoder: Decoder {
            embedding: TargetEmbedding {
                tokens,
                scale,
                positions: Some(target_positions),
                without_position: how.without_position,
                norm: only_if(how.embedding_norm, "model.decoder.layernorm_embedding")?,
            },
            layers,
            norm: only_if(how.norm_first, "model.decoder.layer_norm")?,
            projection: Projection {
                weight,
                bias: if bias.iter().all(|value| *value == 0.0) {
                    Vec::new()
                } else {
                    bias
                },
                scale: 1.0,
            },
        },
    })
}

fn decoder_layer(
    loader: &Loader,
    layer: usize,
    sizes: &Sizes,
    norm_first: bool,
) -> Result<DecoderLayer, CheckpointError> {
    let layer = format!("model.decoder.layers.{layer}");
    let width = sizes.hidden;
    let name = |part: &str| format!("{layer}.{part}");
    let linear = |part: &str, outputs: usize, inputs: usize| {
        loader.linear(&name(part), outputs, inputs, Bias::Needed)
    };
    let several = |parts: &[&str]| {
        let names: Vec<String> = parts.iter().map(|part| name(part)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        loader.linears(&names, width, width, Bias::Needed)
    };
    let norm = |part: &str| -> Result<Norm, CheckpointError> {
        loader.layer_norm(&name(part), width, sizes.epsilon, Bias::Needed)
    };
    let how = AttentionShape::new(sizes.heads, sizes.head_size, AttentionMask::BOTH_WAYS);
    Ok(DecoderLayer {
        heads: sizes.heads,
        head_size: sizes.head_size,
        scale: how.scale,
        own: OwnAttention {
            query_key_value: several(&[
                "self_attn.q_proj",
                "self_attn.k_proj",
                "self_attn.v_proj",
            ])?,
            output: linear("self_attn.out_proj", width, width)?,
            bias: None,
        },
        source: SourceAttention {
            query: linear("encoder_attn.q_proj", width, width)?,
            key_value: several(&["encoder_attn.k_proj", "encoder_attn.v_proj"])?,
            output: linear("encoder_attn.out_proj", width, width)?,
        },
        feed_forward: FeedForward::plain(
            linear("fc1", sizes.inner, width)?,
            sizes.activation,
            linear("fc2", width, sizes.inner)?,
        ),
        norms: [
            norm("self_attn_layer_norm")?,
            norm("encoder_attn_layer_norm")?,
            norm("final_layer_norm")?,
        ],
        norm_first,
    })
}
