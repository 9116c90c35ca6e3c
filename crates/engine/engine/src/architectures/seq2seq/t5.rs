//! T5 (Raffel et al. 2020), mT5 and MADLAD-400: norms by root mean square before each part, no positions but a bias
//! by distance that all layers share, no scale in attention.

use std::sync::Arc;

use epicene_core::ModelKind;

use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights, Writer};
use epicene_kernels::{Activation, AttentionMask, AttentionShape, DistanceBias, Norm};
use epicene_transformer::EncoderDecoder;
use epicene_transformer::{Attention, Embedding, FeedForward, Layer, Norms, Transformer};
use epicene_transformer::{
    Decoder, DecoderLayer, OwnAttention, Projection, SourceAttention, TargetEmbedding,
};

struct Sizes {
    width: usize,
    inner: usize,
    heads: usize,
    head_size: usize,
    epsilon: f64,
    activation: Activation,
    gated: bool,
}

pub const FIELDS: Fields = Fields {
    understood: &[
        "d_ff",
        "d_kv",
        "d_model",
        "dense_act_fn",
        "feed_forward_proj",
        "is_encoder_decoder",
        "is_gated_act",
        "layer_norm_epsilon",
        "num_decoder_layers",
        "num_heads",
        "num_layers",
        "relative_attention_max_distance",
        "relative_attention_num_buckets",
        "scale_decoder_outputs",
        "task_specific_params",
        "tie_word_embeddings",
        "vocab_size",
    ],
    harmless: &["n_positions"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<EncoderDecoder, CheckpointError> {
    let loader = Loader::new(weights, "");
    if !config.flag("is_encoder_decoder", true)? {
        return Err(config.unknown("is_encoder_decoder"));
    }
    let (gated, activation) = feed_forward(config)?;
    let sizes = Sizes {
        width: config.size(&["d_model"])?,
        inner: config.size(&["d_ff"])?,
        heads: config.size(&["num_heads"])?,
        head_size: config.size(&["d_kv"])?,
        epsilon: config.epsilon("layer_norm_epsilon", 1e-6)?,
        activation,
        gated,
    };
    let vocabulary = config.size(&["vocab_size"])?;
    let ties = Ties::of(config)?;
    let [source, target, output] = ties.names(&loader, config)?;
    let bias = |side: &str, both_ways: bool| -> Result<Arc<DistanceBias>, CheckpointError> {
        let name = format!("{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight");
        let buckets = config.size(&["relative_attention_num_buckets"])?;
        Ok(Arc::new(DistanceBias {
            table: loader.matrix(&name, buckets, sizes.heads)?,
            farthest: distance(config, buckets)?,
            both_ways,
        }))
    };
    let norm = |name: &str| loader.rms_norm(name, sizes.width, sizes.epsilon, 0.0);

    let (encoder_bias, decoder_bias) = (bias("encoder", true)?, bias("decoder", false)?);
    let count = config.layers(&["num_layers"])?;
    let layers = (0..count)
        .map(|layer| encoder_layer(&loader, layer, &sizes, &encoder_bias).map(Arc::new))
        .collect::<Result<Vec<_>, _>>()?;
    let encoder = Transformer {
        kind: ModelKind::Translator,
        alternating: None,
        embedding: Embedding::of(loader.table(&source, vocabulary, sizes.width)?),
        layers,
        norm: Some(norm("encoder.final_layer_norm")?),
        head: None,
        longest: None,
    };
    let count = match config.optional_size("num_decoder_layers")? {
        Some(_) => config.layers(&["num_decoder_layers"])?,
        None => count,
    };
    let layers = (0..count)
        .map(|layer| decoder_layer(&loader, layer, &sizes, &decoder_bias))
        .collect::<Result<Vec<_>, _>>()?;
    let target = loader.table(&target, vocabulary, sizes.width)?;
    let output = output.trim_end_matches(".weight");
    let weight = loader
        .linear(output, vocabulary, sizes.width, Bias::None)?
        .weight;
    Ok(EncoderDecoder {
        encoder,
        longest_target: None,
        decoder: Decoder {
            embedding: TargetEmbedding {
                tokens: target,
                scale: 1.0,
                positions: None,
                without_position: None,
                norm: None,
            },
            layers,
            norm: Some(norm("decoder.final_layer_norm")?),
            projection: Projection {
                weight,
                bias: Vec::new(),
                scale: if ties.scaled {
                    1.0 / (sizes.width as f32).sqrt()
                } else {
                    1.0
                },
            },
        },
    })
}

/// The farthest distance of the bias by distance; half of the buckets, of each direction, count single steps.
fn distance(config: &Config, buckets: usize) -> Result<usize, CheckpointError> {
    let field = "relative_attention_max_distance";
    let farthest = config.size(&[field])?;
    if buckets < 4 || farthest <= buckets / 2 {
        let problem = format!("is {farthest}, which {buckets} buckets cannot cover");
        return Err(config.bad(field, problem));
    }
    Ok(farthest)
}

/// Which tables of tokens are one, and whether the output is scaled.
#[derive(Debug, Clone, Copy)]
struct Ties {
    output: bool,
    scaled: bool,
}

impl Ties {
    /// Source and target share a table. In version 4 a flag says whether the output is that table too, and scaled then
    /// (T5) or neither (version 1.1, mT5). Version 5 has the output tied always, which a stored one overrules, and a flag
    /// of its own for the scale, which mT5 does not have.
    fn of(config: &Config) -> Result<Ties, CheckpointError> {
        const SCALED: &str = "scale_decoder_outputs";
        let flag = config.flag("tie_word_embeddings", true)?;
        let second = config.model_type() == Some("mt5");
        match config.writer() {
            Writer::Four => {
                if let Some(stated) = config.stored(SCALED)
                    && stated.as_bool() != Some(flag)
                {
                    return Err(config.unknown_field(SCALED, stated));
                }
                Ok(Ties {
                    output: flag,
                    scaled: flag,
                })
            }
            Writer::Five => Ok(Ties {
                output: true,
                scaled: !second
                    && match config.stored(SCALED) {
                        Some(_) => config.flag(SCALED, true)?,
                        None => flag,
                    },
            }),
        }
    }

    /// The names of the source's, the target's and the output's tables.
    fn names(self, loader: &Loader, config: &Config) -> Result<[String; 3], CheckpointError> {
        const SHARED: &str = "shared.weight";
        const SOURCE: &str = "encoder.embed_tokens.weight";
        const TARGET: &str = "decoder.embed_tokens.weight";
        const OUTPUT: &str = "lm_head.weight";
        let (source, target): (&[&str], &[&str]) = if self.output {
            (&[SHARED, TARGET, OUTPUT], &[SHARED, SOURCE, OUTPUT])
        } else {
            (&[SHARED, TARGET], &[SHARED, SOURCE])
        };
        let name = |tied: bool, own: &str, others: &[&str]| {
            loader
                .tied(config, tied, own, others)?
                .ok_or_else(|| loader.missing(own))
        };
        Ok([
            name(true, SOURCE, source)?,
            name(true, TARGET, target)?,
            name(self.output, OUTPUT, &[SHARED, SOURCE, TARGET])?,
        ])
    }
}

/// The feed-forward network's activation, and whether it is gated. Files say it twice; the two must agree.
fn feed_forward(config: &Config) -> Result<(bool, Activation), CheckpointError> {
    const FIELD: &str = "feed_forward_proj";
    let stated = match config.get(FIELD) {
        None => "relu",
        Some(stated) => stated.as_str().ok_or_else(|| config.unknown(FIELD))?,
    };
    let (gated, name) = match stated {
        // The name means the approximation by tanh.
        "gated-gelu" => (true, "gelu_new"),
        other => match other.strip_prefix("gated-") {
            Some(activation) => (true, activation),
            None => (false, other),
        },
    };
    for (field, same) in [
        (
            "is_gated_act",
            config
                .stored("is_gated_act")
                .is_none_or(|flag| flag.as_bool() == Some(gated)),
        ),
        (
            "dense_act_fn",
            config
                .stored("dense_act_fn")
                .is_none_or(|stated| stated.as_str() == Some(name)),
        ),
    ] {
        if !same {
            let problem = format!("does not agree with `{FIELD}`, which is {stated}");
            return Err(config.bad(field, problem));
        }
    }
    let activation = Activation::named(name).ok_or_else(|| config.unknown(FIELD))?;
    Ok((gated, activation))
}

impl Sizes {
    /// Width of all heads together.
    fn attended(&self) -> usize {
        self.heads * self.head_size
    }

    fn feed_forward(&self, loader: &Loader, part: &str) -> Result<FeedForward, CheckpointError> {
        let part = format!("{part}.DenseReluDense");
        let (gate, gated) = (format!("{part}.wi_0"), format!("{part}.wi_1"));
        let input = if self.gated {
            loader.linears(&[&gate, &gated], self.inner, self.width, Bias::None)?
        } else {
            loader.linear(&format!("{part}.wi"), self.inner, self.width, Bias::None)?
        };
        let output = loader.linear(&format!("{part}.wo"), self.width, self.inner, Bias::None)?;
        Ok(FeedForward {
            gated: self.gated,
            ..FeedForward::plain(input, self.activation, output)
        })
    }

    fn norm(&self, loader: &Loader, part: &str) -> Result<Norm, CheckpointError> {
        loader.rms_norm(&format!("{part}.layer_norm"), self.width, self.epsilon, 0.0)
    }
}

fn encoder_layer(
    loader: &Loader,
    layer: usize,
    sizes: &Sizes,
    bias: &Arc<DistanceBias>,
) -> Result<Layer, CheckpointError> {
    let (first, second) = (
        format!("encoder.block.{layer}.layer.0"),
        format!("encoder.block.{layer}.layer.1"),
    );
    let name = |part: &str| format!("{first}.SelfAttention.{part}");
    let (attended, width) = (sizes.attended(), sizes.width);
    let attention = Attention::new(
        AttentionShape {
            scale: 1.0,
            bias: Some(bias.clone()),
            ..AttentionShape::new(sizes.heads, sizes.head_size, AttentionMask::BOTH_WAYS)
        },
        loader.linear(&name("q"), attended, width, Bias::None)?,
        loader.linears(&[&name("k"), &name("v")], attended, width, Bias::None)?,
        loader.linear(&name("o"), width, attended, Bias::None)?,
    );
    let norms = Norms {
        before_attention: Some(sizes.norm(loader, &first)?),
        before_feed_forward: Some(sizes.norm(loader, &second)?),
        ..Norms::default()
    };
    let feed_forward = sizes.feed_forward(loader, &second)?;
    Ok(Layer::new(attention, feed_forward, norms))
}

fn decoder_layer(
    loader: &Loader,
    layer: usize,
    sizes: &Sizes,
    bias: &Arc<DistanceBias>,
) -> Result<DecoderLayer, CheckpointError> {
    let part = |part: usize| format!("decoder.block.{layer}.layer.{part}");
    let own = |name: &str| format!("{}.SelfAttention.{name}", part(0));
    let source = |name: &str| format!("{}.EncDecAttention.{name}", part(1));
    let (attended, width) = (sizes.attended(), sizes.width);
    let into = |names: &[&str]| loader.linears(names, attended, width, Bias::None);
    let back = |name: &str| loader.linear(name, width, attended, Bias::None);
    Ok(DecoderLayer {
        heads: sizes.heads,
        head_size: sizes.head_size,
        scale: 1.0,
        own: OwnAttention {
            query_key_value: into(&[&own("q"), &own("k"), &own("v")])?,
            output: back(&own("o"))?,
            bias: Some(bias.clone()),
        },
        source: SourceAttention {
            query: into(&[&source("q")])?,
            key_value: into(&[&source("k"), &source("v")])?,
            output: back(&source("o"))?,
        },
        feed_forward: sizes.feed_forward(loader, &part(2))?,
        norms: [
            sizes.norm(loader, &part(0))?,
            sizes.norm(loader, &part(1))?,
            sizes.norm(loader, &part(2))?,
        ],
        norm_first: true,
    })
}
