//! A transformer as a handful of parts. Every architecture is a choice among them: what is added
//! to an embedding, where the norms stand, how far attention sees, what the head looks like.

mod alternating;
mod bans;
mod batch;
mod convolution;
mod decoder;
mod experts;
mod forward;
mod head;
mod latent;
mod layer;

pub use alternating::{Alternating, Around, cut_off};
pub use bans::{Bans, Rules};
pub use batch::{Batch, Past, Sequence};
pub use decoder::*;
pub use experts::{Expert, Experts, Groups, Router, Scoring};
pub use forward::{Depth, Growing};
pub use head::{Distribution, Vocabulary};
pub use latent::Latent;

use std::sync::Arc;

use epicene_core::ModelKind;

use epicene_checkpoint::Table;
use epicene_kernels::{Activation, AttentionShape, Linear, Matrix, Norm, Relative, Rotary};

/// A model ready to run.
#[derive(Debug)]
pub struct Transformer {
    pub kind: ModelKind,
    pub embedding: Embedding,
    /// In order of use; shared where an architecture repeats its weights (ALBERT).
    pub layers: Vec<Arc<Layer>>,
    /// After the last layer.
    pub norm: Option<Norm>,
    /// Absent in an encoder saved without it: such a model gives hidden states but no scores.
    pub head: Option<Head>,
    /// Longest sentence, in tokens, where positions are counted in a table.
    pub longest: Option<usize>,
    /// Where the layers change copies of the residual stream in turn (Gemma 3n).
    pub alternating: Option<Alternating>,
}

/// From token ids to the first layer's input.
#[derive(Debug)]
pub struct Embedding {
    pub tokens: Table,
    /// Factor on the token's row (Gemma).
    pub scale: f32,
    /// Learned positions, the first row for the first token; the constant segment row is in them.
    pub positions: Option<Matrix>,
    /// What every token gets where there are no learned positions.
    pub constant: Option<Vec<f32>>,
    pub norm: Option<Norm>,
    /// Where embeddings are narrower than the layers.
    pub projection: Option<Linear>,
}

impl Embedding {
    /// Whether positions are as wide as the layers and are added there (OPT 350M), not to narrower tokens.
    pub fn positions_behind(&self) -> bool {
        self.positions
            .as_ref()
            .is_some_and(|positions| positions.columns != self.tokens.columns)
    }

    /// The tokens' rows and nothing else.
    pub fn of(tokens: Table) -> Embedding {
        Embedding {
            tokens,
            scale: 1.0,
            positions: None,
            constant: None,
            norm: None,
            projection: None,
        }
    }
}

/// One layer: attention, then a feed-forward network, each with the norms its architecture puts
/// around it.
#[derive(Debug)]
pub struct Layer {
    pub attention: Attention,
    pub feed_forward: FeedForward,
    pub norms: Norms,
    /// Both halves read the layer's input (GPT-NeoX, Phi).
    pub parallel: bool,
    /// Added to the first layer's output (DeBERTa-v2 xlarge).
    pub convolution: Option<Convolution>,
    /// Where tokens choose among several networks; `feed_forward` is then what all of them pass through, if anything.
    pub experts: Option<Experts>,
}

impl Layer {
    /// One half after the other.
    pub fn new(attention: Attention, feed_forward: FeedForward, norms: Norms) -> Layer {
        Layer {
            attention,
            feed_forward,
            norms,
            parallel: false,
            convolution: None,
            experts: None,
        }
    }
}

/// The places where a norm can stand.
#[derive(Debug, Default)]
pub struct Norms {
    pub before_attention: Option<Norm>,
    /// On attention's output, before it is added.
    pub of_attention: Option<Norm>,
    /// After attention's output was added.
    pub after_attention: Option<Norm>,
    pub before_feed_forward: Option<Norm>,
    pub of_feed_forward: Option<Norm>,
    pub after_feed_forward: Option<Norm>,
}

#[derive(Debug)]
pub struct Attention {
    pub how: AttentionShape,
    pub query: Linear,
    /// Keys of all key heads, then values.
    pub key_value: Linear,
    pub output: Linear,
    pub rotary: Option<Arc<Rotary>>,
    /// On each head of the queries (Qwen 3, Gemma 3).
    pub query_norm: Option<Norm>,
    pub key_norm: Option<Norm>,
    /// On each head of the values (Gemma 3n).
    pub value_norm: Option<Norm>,
    pub relative: Option<Relative>,
    pub span: Option<SpanConvolution>,
    /// Bound of queries, keys and values, behind their norms (OLMo, OLMoE, MPT).
    pub clip: Option<f32>,
    /// Keys and values from a narrow row in between (DeepSeek); `query` and `key_value` read that row then.
    pub latent: Option<Latent>,
}

impl Attention {
    /// Without positions, norms or anything else of its own.
    pub fn new(how: AttentionShape, query: Linear, key_value: Linear, output: Linear) -> Attention {
        Attention {
            how,
            query,
            key_value,
            output,
            rotary: None,
            query_norm: None,
            key_norm: None,
            value_norm: None,
            relative: None,
            span: None,
            clip: None,
            latent: None,
        }
    }
}

#[derive(Debug)]
pub struct FeedForward {
    /// Where gated, the gate's features come first and the gated ones after them.
    pub input: Vec<Linear>,
    pub gated: bool,
    pub activation: Activation,
    pub output: Vec<Linear>,
    /// gpt-oss bounds the gate and what it gates.
    pub bound: Option<f32>,
    /// Gemma 3n keeps what is so many standard deviations above the mean of the gate.
    pub cutoff: Option<f32>,
}

impl FeedForward {
    /// In, activation, out.
    pub fn plain(input: Linear, activation: Activation, output: Linear) -> FeedForward {
        FeedForward {
            input: vec![input],
            gated: false,
            activation,
            output: vec![output],
            bound: None,
            cutoff: None,
        }
    }

    /// The gate's features first, then the gated ones.
    pub fn gated(input: Linear, activation: Activation, output: Linear) -> FeedForward {
        FeedForward {
            gated: true,
            ..FeedForward::plain(input, activation, output)
        }
    }

    /// Of a layer whose tokens all go to experts.
    pub fn none() -> FeedForward {
        FeedForward {
            input: Vec::new(),
            gated: false,
            activation: Activation::Identity,
            output: Vec::new(),
            bound: None,
            cutoff: None,
        }
    }
}

/// ConvBERT's other half of the heads: a convolution whose kernel depends on the token.
#[derive(Debug)]
pub struct SpanConvolution {
    pub kernel: usize,
    /// One kernel for each input feature: `features x kernel`.
    pub depthwise: Vec<f32>,
    pub pointwise: Linear,
    /// From features to kernels, heads x kernel.
    pub weights: Linear,
    pub values: Linear,
}

/// DeBERTa-v2's convolution over the embeddings.
#[derive(Debug)]
pub struct Convolution {
    /// One linear map for each offset, from the leftmost.
    pub taps: Vec<Linear>,
    pub bias: Vec<f32>,
    pub activation: Activation,
    pub norm: Norm,
}

/// From the last layer's output to logits.
#[derive(Debug)]
pub struct Head {
    pub transform: Option<Transform>,
    /// A row for each token of the vocabulary.
    pub decoder: Table,
    /// Empty where there is none.
    pub bias: Vec<f32>,
    pub soft_cap: Option<f32>,
    /// Factor on the logits (Cohere, Granite).
    pub scale: f32,
}

impl Head {
    /// A row for each token and nothing else.
    pub fn of(decoder: Table) -> Head {
        Head {
            transform: None,
            decoder,
            bias: Vec::new(),
            soft_cap: None,
            scale: 1.0,
        }
    }
}

/// The dense layer in front of a masked model's decoder.
#[derive(Debug)]
pub struct Transform {
    pub dense: Linear,
    pub activation: Activation,
    pub norm: Option<Norm>,
}
