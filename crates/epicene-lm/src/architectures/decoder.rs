//! A causal model in a few words: its sizes under the names most configurations use, the layers of Llama, and the
//! pieces in which its relatives differ from it.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{causal_head, key_heads};
use super::rope::{Rope, rotary};
use crate::checkpoint::{Bias, CheckpointError, Config, Loader, Weights, all_of};
use crate::cpu::{Activation, Attending, Linear, Norm, Rotary};
use crate::transformer::{Attention, Embedding, FeedForward, Layer, Norms, Transformer};

/// The fields [`Decoder::new`] and [`Decoder::finish`] read.
pub const DECODER: &[&str] = &[
    "hidden_act",
    "hidden_size",
    "intermediate_size",
    "max_position_embeddings",
    "num_attention_heads",
    "num_hidden_layers",
    "tie_word_embeddings",
    "vocab_size",
];
/// Those of heads that share keys and values.
pub const SHARED_KEYS: &[&str] = &["num_key_value_heads"];
/// Those of rotary positions.
pub const ROPE: &[&str] = &["rope_parameters", "rope_scaling", "rope_theta"];
/// Those of Llama's nearest relatives.
pub const LLAMA_LIKE: &[&str] = all_of!(DECODER, SHARED_KEYS, ROPE, &["head_dim", "rms_norm_eps"]);
/// What changes nothing in a model that is causal anyway.
pub const CAUSAL: &[&str] = &["is_decoder"];

/// The norms of a model, all of one kind.
#[derive(Debug, Clone, Copy)]
pub enum NormKind {
    /// With what is added to the stored weights.
    RootMeanSquare { epsilon: f64, offset: f32 },
    Layer {
        epsilon: f64,
        bias: Bias,
        offset: f32,
    },
    /// Nothing stored (OLMo).
    Bare { epsilon: f64 },
}

impl NormKind {
    /// Root-mean-square norms with the usual field.
    pub fn rms(config: &Config) -> Result<NormKind, CheckpointError> {
        Ok(NormKind::RootMeanSquare {
            epsilon: config.epsilon("rms_norm_eps", 1e-6)?,
            offset: 0.0,
        })
    }

    /// Layer norms with a bias.
    pub fn layer(config: &Config, field: &str) -> Result<NormKind, CheckpointError> {
        Ok(NormKind::Layer {
            epsilon: config.epsilon(field, 1e-5)?,
            bias: Bias::Needed,
            offset: 0.0,
        })
    }

    /// Layer norms without one.
    pub fn layer_without_bias(config: &Config, field: &str) -> Result<NormKind, CheckpointError> {
        Ok(NormKind::Layer {
            epsilon: config.epsilon(field, 1e-5)?,
            bias: Bias::None,
            offset: 0.0,
        })
    }

    pub fn load(self, loader: &Loader, name: &str, width: usize) -> Result<Norm, CheckpointError> {
        match self {
            NormKind::RootMeanSquare { epsilon, offset } => {
                loader.rms_norm(name, width, epsilon, offset)
            }
            NormKind::Layer {
                epsilon,
                bias,
                offset,
            } => {
                let mut norm = loader.layer_norm(name, width, epsilon, bias)?;
                if let Norm::Layer { weight, .. } = &mut norm {
                    weight.iter_mut().for_each(|value| *value += offset);
                }
                Ok(norm)
            }
            NormKind::Bare { epsilon } => Ok(Norm::Layer {
                weight: vec![1.0; width],
                bias: Vec::new(),
                epsilon: epsilon as f32,
            }),
        }
    }
}

/// What the layers of a causal model have in common.
#[derive(Debug)]
pub struct Decoder<'a> {
    pub config: &'a Config,
    pub loader: Loader,
    pub hidden: usize,
    pub inner: usize,
    pub heads: usize,
    pub key_heads: usize,
    pub head_size: usize,
    pub layers: usize,
    pub activation: Activation,
    pub norm: NormKind,
    /// Leading features of a head that turn in pairs of neighbours, where a model turns them so. Rows are put into the
    /// engine's order, pairs half of them apart, as they are read.
    pub neighbours: Option<usize>,
}

/// How queries, keys and values lie in one stored matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fused {
    /// All queries, all keys, all values.
    Parts,
    /// For each key head its queries, its key, its value.
    Groups,
}

impl<'a> Decoder<'a> {
    /// With the field names of Llama.
    pub fn new(
        config: &'a Config,
        weights: Arc<dyn Weights>,
        prefix: &'static str,
        norm: NormKind,
        activation: Activation,
    ) -> Result<Decoder<'a>, CheckpointError> {
        let hidden = config.size(&["hidden_size"])?;
        let heads = config.size(&["num_attention_heads"])?;
        let own_size = match config.declares("head_dim") {
            true => config.optional_size("head_dim")?,
            false => None,
        };
        let head_size = match own_size {
            Some(size) => size,
            None => config.heads(&["num_attention_heads"], hidden)?.1,
        };
        Ok(Decoder {
            config,
            loader: Loader::new(weights, prefix),
            hidden,
            inner: config.size(&["intermediate_size"])?,
            heads,
            key_heads: match config.declares("num_key_value_heads") {
                true => key_heads(config, heads)?,
                false => heads,
            },
            head_size,
            layers: config.layers(&["num_hidden_layers"])?,
            activation,
            norm,
            neighbours: None,
        })
    }

    /// A model of Llama's kind: root-mean-square norms, tensors under `model.`
    pub fn llama(
        config: &'a Config,
        weights: Arc<dyn Weights>,
    ) -> Result<Decoder<'a>, CheckpointError> {
        let activation = config.activation("hidden_act", "silu")?;
        Decoder::new(
            config,
            weights,
            "model.",
            NormKind::rms(config)?,
            activation,
        )
    }

    /// A norm of a token's whole row.
    pub fn norm(&self, name: &str) -> Result<Norm, CheckpointError> {
        self.norm.load(&self.loader, name, self.hidden)
    }

    /// A norm of each head of the queries or keys.
    pub fn head_norm(&self, name: &str) -> Result<Option<Norm>, CheckpointError> {
        self.norm.load(&self.loader, name, self.head_size).map(Some)
    }

    /// A norm in front of each half.
    pub fn norms(&self, attention: &str, feed_forward: &str) -> Result<Norms, CheckpointError> {
        Ok(Norms {
            before_attention: Some(self.norm(attention)?),
            before_feed_forward: Some(self.norm(feed_forward)?),
            ..Norms::default()
        })
    }

    /// A norm of queries and one of keys over all heads together, under OLMo's names.
    pub fn add_wide_norms(
        &self,
        attention: &mut Attention,
        layer: &str,
    ) -> Result<(), CheckpointError> {
        let norm = |name: &str, heads: usize| {
            let name = format!("{layer}.self_attn.{name}");
            self.norm.load(&self.loader, &name, heads * self.head_size)
        };
        attention.query_norm = Some(norm("q_norm", self.heads)?);
        attention.key_norm = Some(norm("k_norm", self.key_heads)?);
        Ok(())
    }

    /// Norms of what each half gives, and none in front.
    pub fn norms_behind(&self, layer: &str) -> Result<Norms, CheckpointError> {
        let norm = |name: &str| self.norm(&format!("{layer}.{name}")).map(Some);
        Ok(Norms {
            of_attention: norm("post_attention_layernorm")?,
            of_feed_forward: norm("post_feedforward_layernorm")?,
            ..Norms::default()
        })
    }

    /// Rotary positions of `share` of each head, and how many tokens they are good for.
    pub fn rotary(
        &self,
        rope: Rope,
        share: f64,
    ) -> Result<(Arc<Rotary>, Option<usize>), CheckpointError> {
        let turning = rotary(self.config, rope, self.head_size, share)?;
        Ok((Arc::new(turning.rotary), turning.longest))
    }

    pub fn linear(
        &self,
        name: &str,
        outputs: usize,
        inputs: usize,
        bias: Bias,
    ) -> Result<Linear, CheckpointError> {
        self.loader.linear(name, outputs, inputs, bias)
    }

    /// Rows of one head in the engine's order.
    pub fn head_rows(&self, first: usize) -> impl Iterator<Item = usize> {
        let turned = self.neighbours.unwrap_or(0);
        let even = (0..turned).step_by(2);
        let odd = (0..turned).skip(1).step_by(2);
        even.chain(odd)
            .chain(turned..self.head_size)
            .map(move |row| first + row)
    }

    /// Attention with queries, keys and values under these names, and its output.
    pub fn attention(
        &self,
        [query, key, value, output]: [&str; 4],
        input_bias: Bias,
        output_bias: Bias,
    ) -> Result<Attention, CheckpointError> {
        let (size, hidden) = (self.head_size, self.hidden);
        let rows = |heads: usize| -> Vec<usize> {
            (0..heads)
                .flat_map(|head| self.head_rows(head * size))
                .collect()
        };
        let (queries, keys) = (self.heads * size, self.key_heads * size);
        let values: Vec<usize> = (0..keys).collect();
        Ok(Attention::new(
            Attending::causal(self.heads, self.key_heads, size),
            self.loader
                .linear_rows(query, queries, hidden, &rows(self.heads), input_bias)?,
            self.loader.chosen_rows(
                &[(key, keys, &rows(self.key_heads)), (value, keys, &values)],
                hidden,
                input_bias,
            )?,
            self.linear(output, hidden, queries, output_bias)?,
        ))
    }

    /// Attention whose queries, keys and values are stored as one.
    pub fn fused_attention(
        &self,
        stored: &str,
        fused: Fused,
        output: &str,
        bias: [Bias; 2],
    ) -> Result<Attention, CheckpointError> {
        let (heads, key_heads, size) = (self.heads, self.key_heads, self.head_size);
        let share = heads / key_heads;
        let (mut query, mut key, mut value) = (Vec::new(), Vec::new(), Vec::new());
        for head in 0..heads {
            let place = match fused {
                Fused::Parts => head,
                Fused::Groups => head / share * (share + 2) + head % share,
            };
            query.extend(self.head_rows(place * size));
        }
        for head in 0..key_heads {
            let places = match fused {
                Fused::Parts => [heads + head, heads + key_heads + head],
                Fused::Groups => [head * (share + 2) + share, head * (share + 2) + share + 1],
            };
            key.extend(self.head_rows(places[0] * size));
            value.extend(places[1] * size..(places[1] + 1) * size);
        }
        key.extend(value);
        let all = (heads + 2 * key_heads) * size;
        let rows = |rows: &[usize]| {
            self.loader
                .linear_rows(stored, all, self.hidden, rows, bias[0])
        };
        Ok(Attention::new(
            Attending::causal(heads, key_heads, size),
            rows(&query)?,
            rows(&key)?,
            self.linear(output, self.hidden, heads * size, bias[1])?,
        ))
    }

    /// In, activation, out.
    pub fn plain(
        &self,
        input: &str,
        output: &str,
        bias: Bias,
    ) -> Result<FeedForward, CheckpointError> {
        Ok(FeedForward::plain(
            self.linear(input, self.inner, self.hidden, bias)?,
            self.activation,
            self.linear(output, self.hidden, self.inner, bias)?,
        ))
    }

    /// A gated network of `inner` features: gate, what it gates, out.
    pub fn gated(
        &self,
        [gate, gated, output]: [&str; 3],
        inner: usize,
        bias: Bias,
    ) -> Result<FeedForward, CheckpointError> {
        Ok(FeedForward::gated(
            self.loader
                .linears(&[gate, gated], inner, self.hidden, bias)?,
            self.activation,
            self.linear(output, self.hidden, inner, bias)?,
        ))
    }

    /// A gated network under Llama's names.
    pub fn llama_network(
        &self,
        part: &str,
        inner: usize,
        bias: Bias,
    ) -> Result<FeedForward, CheckpointError> {
        let [gate, up, down] = ["gate_proj", "up_proj", "down_proj"].map(|n| format!("{part}.{n}"));
        self.gated([&gate, &up, &down], inner, bias)
    }

    /// A gated network whose gate is stored with what it gates.
    pub fn fused_network(&self, input: &str, output: &str) -> Result<FeedForward, CheckpointError> {
        Ok(FeedForward::gated(
            self.linear(input, 2 * self.inner, self.hidden, Bias::None)?,
            self.activation,
            self.linear(output, self.hidden, self.inner, Bias::None)?,
        ))
    }

    /// Llama's attention under Llama's names.
    pub fn llama_attention(
        &self,
        layer: &str,
        input_bias: Bias,
        output_bias: Bias,
    ) -> Result<Attention, CheckpointError> {
        let names = ["q_proj", "k_proj", "v_proj", "o_proj"];
        let [query, key, value, output] = names.map(|name| format!("{layer}.self_attn.{name}"));
        self.attention([&query, &key, &value, &output], input_bias, output_bias)
    }

    /// Norms on each head of queries and keys, under Qwen's names.
    pub fn add_head_norms(
        &self,
        attention: &mut Attention,
        layer: &str,
    ) -> Result<(), CheckpointError> {
        attention.query_norm = self.head_norm(&format!("{layer}.self_attn.q_norm"))?;
        attention.key_norm = self.head_norm(&format!("{layer}.self_attn.k_norm"))?;
        Ok(())
    }

    /// A layer as Llama has it; biases of queries, keys and values, of attention's output, of the network.
    pub fn llama_layer(
        &self,
        layer: &str,
        rotary: &Arc<Rotary>,
        bias: [Bias; 3],
    ) -> Result<Layer, CheckpointError> {
        self.llama_layer_with(layer, rotary, bias, |layer| self.llama_norms(layer))
    }

    /// The same with other norms.
    pub fn llama_layer_with(
        &self,
        layer: &str,
        rotary: &Arc<Rotary>,
        bias: [Bias; 3],
        norms: impl Fn(&str) -> Result<Norms, CheckpointError>,
    ) -> Result<Layer, CheckpointError> {
        let mut attention = self.llama_attention(layer, bias[0], bias[1])?;
        attention.rotary = Some(rotary.clone());
        Ok(Layer::new(
            attention,
            self.llama_network(&format!("{layer}.mlp"), self.inner, bias[2])?,
            norms(layer)?,
        ))
    }

    /// Norms in front of each half, under Llama's names.
    pub fn llama_norms(&self, layer: &str) -> Result<Norms, CheckpointError> {
        self.norms(
            &format!("{layer}.input_layernorm"),
            &format!("{layer}.post_attention_layernorm"),
        )
    }

    /// The layers, made one by one from their number and the beginning of their tensors' names.
    pub fn each_layer(
        &self,
        prefix: &str,
        mut make: impl FnMut(usize, &str) -> Result<Layer, CheckpointError>,
    ) -> Result<Vec<Arc<Layer>>, CheckpointError> {
        (0..self.layers)
            .map(|layer| make(layer, &format!("{prefix}.{layer}")).map(Arc::new))
            .collect()
    }

    /// The whole model, with the names of embedding, last norm and head.
    pub fn model(
        &self,
        [tokens, norm, head]: [&str; 3],
        layers: Vec<Arc<Layer>>,
        longest: Option<usize>,
    ) -> Result<Transformer, CheckpointError> {
        let vocabulary = self.config.size(&["vocab_size"])?;
        let tokens = self
            .loader
            .table(&format!("{tokens}.weight"), vocabulary, self.hidden)?;
        Ok(Transformer {
            kind: ModelKind::Causal,
            norm: Some(self.norm(norm)?),
            head: causal_head(&self.loader, self.config, head, &tokens, Bias::None)?,
            embedding: Embedding::of(tokens),
            layers,
            longest,
        })
    }

    /// Adds the bias of the head, where the model has one.
    pub fn add_head_bias(
        &self,
        model: &mut Transformer,
        name: &str,
    ) -> Result<(), CheckpointError> {
        if let Some(head) = &mut model.head {
            head.bias = self.loader.vector(name, head.decoder.rows)?;
        }
        Ok(())
    }

    /// The whole model under Llama's names.
    pub fn llama_model(
        &self,
        longest: Option<usize>,
        make: impl FnMut(usize, &str) -> Result<Layer, CheckpointError>,
    ) -> Result<Transformer, CheckpointError> {
        let layers = self.each_layer("model.layers", make)?;
        self.model(
            ["model.embed_tokens", "model.norm", "lm_head"],
            layers,
            longest,
        )
    }
}
