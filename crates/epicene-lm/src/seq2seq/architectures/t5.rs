//! T5 (Raffel et al. 2020), mT5 and MADLAD-400: norms by root mean square before each part, no positions but a bias
//! by distance that all layers share, no scale in attention.

use std::sync::Arc;

use epicene_core::ModelKind;

use crate::architectures::parts::{BOTH_WAYS, full_attention};
use crate::checkpoint::{Bias, CheckpointError, Config, Loader, Weights};
use crate::cpu::{Activation, Attending, DistanceBias, Norm};
use crate::seq2seq::EncoderDecoder;
use crate::seq2seq::decoder::{
    Decoder, DecoderLayer, OwnAttention, Projection, SourceAttention, TargetEmbedding,
};
use crate::transformer::{Attention, Embedding, FeedForward, Layer, Norms, Transformer};

struct Sizes {
    width: usize,
    inner: usize,
    heads: usize,
    head_size: usize,
    epsilon: f64,
    activation: Activation,
    gated: bool,
}

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<EncoderDecoder, CheckpointError> {
    let loader = Loader::new(weights, "");
    let feed_forward = config.text("feed_forward_proj").unwrap_or("relu");
    let (gated, activation) = match feed_forward {
        // The name means the approximation by tanh.
        "gated-gelu" => (true, "gelu_new"),
        other => match other.strip_prefix("gated-") {
            Some(activation) => (true, activation),
            None => (false, other),
        },
    };
    let sizes = Sizes {
        width: config.size(&["d_model"])?,
        inner: config.size(&["d_ff"])?,
        heads: config.size(&["num_heads"])?,
        head_size: config.size(&["d_kv"])?,
        epsilon: config.number("layer_norm_epsilon", 1e-6)?,
        activation: Activation::named(activation).ok_or_else(|| {
            let problem = format!("is `{feed_forward}`, which is not known here");
            config.bad("feed_forward_proj", problem)
        })?,
        gated,
    };
    let vocabulary = config.size(&["vocab_size"])?;
    let tokens = |side: &str| {
        let own = format!("{side}.embed_tokens.weight");
        let names = ["shared.weight", own.as_str()];
        loader.table(loader.one_of(&names), vocabulary, sizes.width)
    };
    let bias = |side: &str, both_ways: bool| -> Result<Arc<DistanceBias>, CheckpointError> {
        let name = format!("{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight");
        let buckets = config.size_or("relative_attention_num_buckets", 32)?;
        Ok(Arc::new(DistanceBias {
            table: loader.matrix(&name, buckets, sizes.heads)?,
            farthest: config.size_or("relative_attention_max_distance", 128)?,
            both_ways,
        }))
    };
    let norm = |name: &str| loader.rms_norm(name, sizes.width, sizes.epsilon, 0.0);

    let (encoder_bias, decoder_bias) = (bias("encoder", true)?, bias("decoder", false)?);
    let count = config.size(&["num_layers"])?;
    let layers = (0..count)
        .map(|layer| encoder_layer(&loader, layer, &sizes, &encoder_bias).map(Arc::new))
        .collect::<Result<Vec<_>, _>>()?;
    let encoder = Transformer {
        kind: ModelKind::Translator,
        embedding: Embedding {
            tokens: tokens("encoder")?,
            scale: 1.0,
            positions: None,
            constant: None,
            norm: None,
            projection: None,
        },
        layers,
        norm: Some(norm("encoder.final_layer_norm")?),
        head: None,
        longest: None,
    };
    let layers = (0..config.size_or("num_decoder_layers", count)?)
        .map(|layer| decoder_layer(&loader, layer, &sizes, &decoder_bias))
        .collect::<Result<Vec<_>, _>>()?;
    let target = tokens("decoder")?;
    let tied = config.flag("tie_word_embeddings", true);
    let output = match tied {
        true => target.name().trim_end_matches(".weight").to_owned(),
        false => "lm_head".to_owned(),
    };
    let weight = loader
        .linear(&output, vocabulary, sizes.width, Bias::None)?
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
                scale: match tied {
                    true => 1.0 / (sizes.width as f32).sqrt(),
                    false => 1.0,
                },
            },
        },
    })
}

impl Sizes {
    /// Width of all heads together.
    fn attended(&self) -> usize {
        self.heads * self.head_size
    }

    fn feed_forward(&self, loader: &Loader, part: &str) -> Result<FeedForward, CheckpointError> {
        let part = format!("{part}.DenseReluDense");
        let (gate, gated) = (format!("{part}.wi_0"), format!("{part}.wi_1"));
        let input = match self.gated {
            true => loader.linears(&[&gate, &gated], self.inner, self.width, Bias::None)?,
            false => loader.linear(&format!("{part}.wi"), self.inner, self.width, Bias::None)?,
        };
        Ok(FeedForward {
            input: vec![input],
            gated: self.gated,
            activation: self.activation,
            output: vec![loader.linear(
                &format!("{part}.wo"),
                self.width,
                self.inner,
                Bias::None,
            )?],
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
    Ok(Layer {
        attention: Attention {
            how: Attending {
                scale: 1.0,
                bias: Some(bias.clone()),
                ..full_attention(sizes.heads, sizes.head_size, BOTH_WAYS)
            },
            query: loader.linear(&name("q"), attended, width, Bias::None)?,
            key_value: loader.linears(&[&name("k"), &name("v")], attended, width, Bias::None)?,
            output: loader.linear(&name("o"), width, attended, Bias::None)?,
            rotary: None,
            query_norm: None,
            key_norm: None,
            relative: None,
            span: None,
        },
        feed_forward: sizes.feed_forward(loader, &second)?,
        norms: Norms {
            before_attention: Some(sizes.norm(loader, &first)?),
            before_feed_forward: Some(sizes.norm(loader, &second)?),
            ..Norms::default()
        },
        parallel: false,
        convolution: None,
    })
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
