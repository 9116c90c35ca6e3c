//! A causal model in a few words: its sizes under the names most configurations use, its embedding and its
//! head. Its layers are in `layers.rs`.

use std::sync::Arc;

use epicene_core::ModelKind;

use super::parts::{causal_head, key_heads, positions};
use super::rope::{Rope, rotary};
use epicene_checkpoint::{Bias, CheckpointError, Config, Loader, Weights, all_of};
use epicene_kernels::{Activation, Linear, Norm, Rotary};
use epicene_transformer::{Embedding, Layer, Transformer};

/// The fields [`Decoder::new`] and [`Decoder::model`] read.
pub const DECODER: &[&str] = &[
    "hidden_act hidden_size intermediate_size max_position_embeddings num_attention_heads",
    "num_hidden_layers tie_word_embeddings vocab_size",
];
/// Those of heads that share keys and values.
pub const SHARED_KEYS: &[&str] = &["num_key_value_heads"];
/// Those of rotary positions.
pub const ROPE: &[&str] = &["rope_parameters rope_scaling rope_theta"];
/// Those of Llama's nearest relatives.
pub const LLAMA_LIKE: &[&str] = all_of!(DECODER, SHARED_KEYS, ROPE, &["head_dim rms_norm_eps"]);
/// Those of GPT-2 and what was made after it.
pub const GPT: &[&str] = &[
    "activation_function layer_norm_epsilon n_embd n_head n_inner n_layer n_positions",
    "tie_word_embeddings vocab_size",
];
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

/// The sizes of a model whose configuration has its own names for them; a key head for each head unless it says otherwise.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    pub hidden: usize,
    pub heads: usize,
    pub inner: usize,
    pub layers: usize,
}

impl<'a> Decoder<'a> {
    /// With the field names of GPT-2, and the activation it has where none is named.
    pub fn gpt(
        config: &'a Config,
        weights: Arc<dyn Weights>,
        activation: &'static str,
    ) -> Result<Decoder<'a>, CheckpointError> {
        let hidden = config.size(&["n_embd", "hidden_size"])?;
        let (heads, _) = config.heads(&["n_head", "num_attention_heads"], hidden)?;
        let sizes = Sizes {
            hidden,
            heads,
            inner: config.optional_size("n_inner")?.unwrap_or(4 * hidden),
            layers: config.layers(&["n_layer", "num_hidden_layers"])?,
        };
        let norm = NormKind::layer(config, "layer_norm_epsilon")?;
        let activation = config.activation("activation_function", activation)?;
        Ok(Decoder::sized(
            config,
            weights,
            "transformer.",
            sizes,
            norm,
            activation,
        ))
    }

    /// The whole model under GPT-2's names, with learned positions.
    pub fn gpt_model(
        &self,
        layers: Vec<Arc<Layer>>,
        stored: usize,
    ) -> Result<Transformer, CheckpointError> {
        let names = ["transformer.wte", "transformer.ln_f", "lm_head"];
        let mut model = self.model(names, layers, Some(stored))?;
        self.add_positions(&mut model, "transformer.wpe.weight", stored)?;
        Ok(model)
    }

    /// With sizes that the caller read; `heads` must divide the width.
    pub fn sized(
        config: &'a Config,
        weights: Arc<dyn Weights>,
        prefix: &'static str,
        sizes: Sizes,
        norm: NormKind,
        activation: Activation,
    ) -> Decoder<'a> {
        Decoder {
            config,
            loader: Loader::new(weights, prefix),
            hidden: sizes.hidden,
            inner: sizes.inner,
            heads: sizes.heads,
            key_heads: sizes.heads,
            head_size: sizes.hidden / sizes.heads,
            layers: sizes.layers,
            activation,
            norm,
            neighbours: None,
        }
    }

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
        let own_size = if config.declares("head_dim") {
            config.optional_size("head_dim")?
        } else {
            None
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
            key_heads: if config.declares("num_key_value_heads") {
                key_heads(config, heads)?
            } else {
                heads
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
            alternating: None,
            norm: Some(self.norm(norm)?),
            head: causal_head(&self.loader, self.config, head, &tokens, Bias::None)?,
            embedding: Embedding::of(tokens),
            layers,
            longest,
        })
    }

    /// Adds learned positions, a row for each from the first on.
    pub fn add_positions(
        &self,
        model: &mut Transformer,
        name: &str,
        stored: usize,
    ) -> Result<(), CheckpointError> {
        let rows = positions(&self.loader, name, stored, self.hidden, 0, None)?;
        model.embedding.positions = Some(rows);
        Ok(())
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
