//! Gemma 3n, its text part (Gemma Team 2025): Gemma 3's windows and head norms, with what `transformer/alternating.rs` does
//! around the layers, networks that keep the highest of their gates, and late layers without keys of their own.

use std::sync::Arc;

use serde_json::Value;

use super::decoder::{Decoder, NormKind, Sizes};
use super::gemma::{ALL, FAR, NEAR};
use super::parts::key_heads;
use super::rope::sliding_layers;
use epicene_checkpoint::{
    Bias, CheckpointError, Config, Fields, Loader, Weights, Writer, all_of, short,
};
use epicene_kernels::{AttentionMask, AttentionShape, Linear, Norm};
use epicene_transformer::{Alternating, Around, Attention, Layer, Norms, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        ALL,
        &[
            "activation_sparsity_pattern altup_active_idx altup_coef_clip altup_correct_scale",
            "altup_num_inputs final_logit_softcapping hidden_size_per_layer_input laurel_rank layer_types",
            "num_kv_shared_layers rope_local_base_freq sliding_window vocab_size_per_layer_input"
        ]
    ),
    // The factor on scores is one, whatever the published files say.
    harmless: &["altup_lr_multiplier hidden_act is_decoder query_pre_attn_scalar"],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    config.refuse("use_bidirectional_attention")?;
    let heads = config.size(&["num_attention_heads"])?;
    let layers = config.layers(&["num_hidden_layers"])?;
    let inner = per_layer(config, "intermediate_size", layers, Value::as_u64)?;
    let sizes = Sizes {
        hidden: config.size(&["hidden_size"])?,
        heads,
        inner: 0,
        layers,
    };
    let activation = config.activation("hidden_activation", "gelu_pytorch_tanh")?;
    let norm = NormKind::rms(config)?;
    let mut decoder = Decoder::sized(config, weights, "model.", sizes, norm, activation);
    decoder.key_heads = key_heads(config, heads)?;
    decoder.head_size = config.size(&["head_dim"])?;
    let sliding = sliding_layers(config, layers, |layer| !(layer + 1).is_multiple_of(5))?;
    let window = config.size(&["sliding_window"])?;
    let keys = keys_of(config, &sliding)?;
    let cutoffs = cutoffs(config, layers)?;
    let (far, near) = (decoder.rotary(FAR, 1.0)?, decoder.rotary(NEAR, 1.0)?);
    let epsilon = config.epsilon("rms_norm_eps", 1e-6)?;
    let bias = Bias::needed_if(config.flag("attention_bias", false)?);
    let mut model = decoder.llama_model(far.1.or(near.1), |layer, at| {
        let around = |name: &str| decoder.norm(&format!("{at}.{name}")).map(Some);
        let mut attention = match keys[layer] {
            None => decoder.llama_attention(at, bias, bias)?,
            Some(_) => without_keys(&decoder, at, bias)?,
        };
        let norm = |name: &str| decoder.head_norm(&format!("{at}.self_attn.{name}"));
        attention.query_norm = norm("q_norm")?;
        if keys[layer].is_none() {
            attention.key_norm = norm("k_norm")?;
            attention.value_norm = Some(Norm::RootMeanSquare {
                weight: vec![1.0; decoder.head_size],
                epsilon: epsilon as f32,
            });
        }
        attention.rotary = Some(if sliding[layer] { &near.0 } else { &far.0 }.clone());
        attention.how.scale = 1.0;
        attention.how.mask = AttentionMask::causal(sliding[layer].then_some(window));
        let part = format!("{at}.mlp");
        let mut network = decoder.llama_network(&part, inner[layer] as usize, Bias::None)?;
        network.cutoff = cutoffs[layer];
        let norms = Norms {
            before_attention: around("input_layernorm")?,
            of_attention: around("post_attention_layernorm")?,
            before_feed_forward: around("pre_feedforward_layernorm")?,
            of_feed_forward: around("post_feedforward_layernorm")?,
            ..Norms::default()
        };
        Ok(Layer::new(attention, network, norms))
    })?;
    if let Some(head) = &mut model.head {
        let cap = config.optional_positive("final_logit_softcapping")?;
        head.soft_cap = cap.map(|cap| cap as f32);
    }
    model.embedding.scale = (decoder.hidden as f64).sqrt() as f32;
    model.alternating = Some(alternating(&decoder, &keys)?);
    Ok(model)
}

/// Something of each layer: a list, or one for all.
fn per_layer<T: Copy>(
    config: &Config,
    field: &str,
    layers: usize,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Vec<T>, CheckpointError> {
    let value = config.get(field).unwrap_or(&Value::Null);
    let found = match value {
        Value::Array(values) => values.iter().map(read).collect(),
        value => read(value).map(|value| vec![value; layers]),
    };
    found
        .filter(|found: &Vec<T>| found.len() == layers)
        .ok_or_else(|| {
            let value = short(value);
            config.bad(
                field,
                format!("is {value}, not one for each of {layers} layers"),
            )
        })
}

/// For each layer, how many standard deviations above the mean its gates are cut off.
fn cutoffs(config: &Config, layers: usize) -> Result<Vec<Option<f32>>, CheckpointError> {
    const FIELD: &str = "activation_sparsity_pattern";
    let shares = match config.get(FIELD) {
        Some(Value::Array(_)) => per_layer(config, FIELD, layers, Value::as_f64)?,
        Some(_) => return Err(config.unknown(FIELD)),
        None => {
            let sparse = if layers > 10 { 10 } else { 0 };
            (0..layers)
                .map(|layer| if layer < sparse { 0.95 } else { 0.0 })
                .collect()
        }
    };
    let cutoff = |share: f64| match share {
        _ if share <= 0.0 => Ok(None),
        // The quantile of an interval that leaves out as much on both sides.
        _ if share < 1.0 => {
            let level = (2.0 * share - 1.0).abs();
            let quantile = if level == 0.0 {
                0.0
            } else {
                epicene_stats::normal_quantile(level).map_err(|_| config.unknown(FIELD))?
            };
            Ok(Some((quantile * (share - 0.5).signum()) as f32))
        }
        _ => Err(config.unknown(FIELD)),
    };
    shares.into_iter().map(cutoff).collect()
}

/// For each of the last layers, the layer of its kind before them whose keys and values it reads.
fn keys_of(config: &Config, sliding: &[bool]) -> Result<Vec<Option<usize>>, CheckpointError> {
    const FIELD: &str = "num_kv_shared_layers";
    let layers = sliding.len();
    let shared = config.size_or(FIELD, 0)?;
    let first = match layers.checked_sub(shared) {
        Some(first) if first > 0 => first,
        _ => return Err(config.bad(FIELD, format!("is {shared} of {layers} layers"))),
    };
    let source = |layer: usize| {
        if layer < first {
            Ok(None)
        } else {
            let own = (0..first).rev().find(|own| sliding[*own] == sliding[layer]);
            own.map(Some).ok_or_else(|| {
                let problem =
                    format!("is {shared}: no layer before those has layer {layer}'s kind");
                config.bad(FIELD, problem)
            })
        }
    };
    (0..layers).map(source).collect()
}

/// Queries and output alone. Files of version 4 have keys and values here all the same, which nothing reads.
fn without_keys(decoder: &Decoder<'_>, at: &str, bias: Bias) -> Result<Attention, CheckpointError> {
    let (loader, size, hidden) = (&decoder.loader, decoder.head_size, decoder.hidden);
    let keys = decoder.key_heads * size;
    for (name, shape) in [
        ("k_proj.weight", vec![keys, hidden]),
        ("v_proj.weight", vec![keys, hidden]),
        ("k_proj.bias", vec![keys]),
        ("v_proj.bias", vec![keys]),
        ("k_norm.weight", vec![size]),
    ] {
        let name = format!("{at}.self_attn.{name}");
        if loader.has(&name) {
            loader.expect(&name, &shape)?;
        }
    }
    let wide = decoder.heads * size;
    let map = |name: &str, outputs, inputs| {
        decoder.linear(&format!("{at}.self_attn.{name}"), outputs, inputs, bias)
    };
    Ok(Attention::new(
        AttentionShape::causal(decoder.heads, decoder.key_heads, size),
        map("q_proj", wide, hidden)?,
        loader.made(0, hidden, &[], Vec::new())?,
        map("o_proj", hidden, wide)?,
    ))
}

fn alternating(
    decoder: &Decoder<'_>,
    keys: &[Option<usize>],
) -> Result<Alternating, CheckpointError> {
    let (config, hidden, layers) = (decoder.config, decoder.hidden, decoder.layers);
    let copies = config.size(&["altup_num_inputs"])?;
    let active = config.size_or("altup_active_idx", 0)?;
    if active >= copies {
        let problem = format!("is {active}: there are {copies} copies");
        return Err(config.bad("altup_active_idx", problem));
    }
    let vocabulary = config.size(&["vocab_size_per_layer_input"])?;
    let width = config.size(&["hidden_size_per_layer_input"])?;
    let linear = |name: &str, outputs, inputs| decoder.linear(name, outputs, inputs, Bias::None);
    let others = |name: &str| -> Result<Vec<Linear>, CheckpointError> {
        let names = (1..copies).map(|copy| format!("model.{name}.{}", copy - 1));
        names.map(|name| linear(&name, hidden, hidden)).collect()
    };
    let sizes = LayerSizes {
        decoder,
        copies,
        width,
        rank: config.size(&["laurel_rank"])?,
        scaled: config.flag("altup_correct_scale", true)?,
        bound: config.optional_positive("altup_coef_clip")?,
    };
    let tokens = "model.embed_tokens_per_layer.weight";
    let projection = "model.per_layer_model_projection";
    Ok(Alternating {
        active,
        spread: others("altup_projections")?,
        collected: others("altup_unembed_projections")?,
        tokens: decoder.loader.table(tokens, vocabulary, layers * width)?,
        token_scale: (width as f64).sqrt() as f32,
        projection: linear(projection, layers * width, hidden)?,
        norm: sizes.norm("model.per_layer_projection_norm", width)?,
        around: (0..layers)
            .map(|layer| sizes.around(&format!("model.layers.{layer}"), keys[layer]))
            .collect::<Result<_, _>>()?,
    })
}

/// The sizes of the parts that surround a layer.
struct LayerSizes<'a> {
    decoder: &'a Decoder<'a>,
    copies: usize,
    width: usize,
    rank: usize,
    scaled: bool,
    bound: Option<f64>,
}

impl LayerSizes<'_> {
    fn norm(&self, name: &str, width: usize) -> Result<Norm, CheckpointError> {
        self.decoder.norm.load(&self.decoder.loader, name, width)
    }

    fn around(&self, at: &str, keys_of: Option<usize>) -> Result<Around, CheckpointError> {
        let (decoder, copies, hidden) = (self.decoder, self.copies, self.decoder.hidden);
        let map = |loader: &Loader, name: &str, outputs, inputs| {
            loader.linear(&format!("{at}.{name}"), outputs, inputs, Bias::None)
        };
        let (loader, exact) = (&decoder.loader, &decoder.loader.exact());
        let norm = |name: &str| self.norm(&format!("{at}.{name}"), hidden);
        let scale = loader.vector(&format!("{at}.altup.correct_output_scale"), hidden)?;
        Ok(Around {
            router: map(exact, "altup.modality_router", copies, hidden)?,
            router_norm: norm("altup.router_norm")?,
            predicted: map(exact, "altup.prediction_coefs", copies * copies, copies)?,
            corrected: self.corrected(&format!("{at}.altup.correction_coefs.weight"))?,
            scale: self.scaled.then_some(scale),
            beside: (
                map(loader, "laurel.linear_left", self.rank, hidden)?,
                map(loader, "laurel.linear_right", hidden, self.rank)?,
                norm("laurel.post_laurel_norm")?,
            ),
            gate: map(loader, "per_layer_input_gate", self.width, hidden)?,
            added: map(loader, "per_layer_projection", hidden, self.width)?,
            added_norm: norm("post_per_layer_input_norm")?,
            keys_of,
        })
    }

    /// Version 4 bounds these when it reads a text, version 5 only in training.
    fn corrected(&self, name: &str) -> Result<Linear, CheckpointError> {
        let (decoder, copies) = (self.decoder, self.copies);
        let mut rows = decoder.loader.matrix(name, copies, copies)?.data;
        if let Some(bound) = self.bound
            && rows.iter().any(|value| f64::from(value.abs()) > bound)
        {
            decoder.config.remark_writer();
            if decoder.config.writer() == Writer::Four {
                let bound = bound as f32;
                rows.iter_mut()
                    .for_each(|value| *value = value.clamp(-bound, bound));
            }
        }
        let exact = decoder.loader.exact();
        exact.made(copies, copies, &rows, Vec::new())
    }
}
