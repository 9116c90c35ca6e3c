//! ConvBERT (Jiang et al. 2020): half of the heads are convolutions whose kernels depend on the
//! token; the feed-forward maps may be split into groups.

use std::sync::Arc;

use super::electra::{HEAD, narrow_embedding};
use super::encoder::{ENCODER, masked_layers};
use super::parts::Sizes;
use epicene_checkpoint::{Bias, CheckpointError, Config, Fields, Loader, Weights, all_of};
use epicene_kernels::{Activation, AttentionMask, AttentionShape, Linear};
use epicene_transformer::{Attention, FeedForward, Layer, Norms, SpanConvolution, Transformer};

pub const FIELDS: Fields = Fields {
    understood: all_of!(
        ENCODER,
        &["conv_kernel_size embedding_size head_ratio num_groups"]
    ),
    harmless: &[],
};

pub fn load(config: &Config, weights: Arc<dyn Weights>) -> Result<Transformer, CheckpointError> {
    let loader = Loader::new(weights, "convbert.");
    let sizes = Sizes::of(config)?;
    let embedding = narrow_embedding(&loader, config, &sizes, "convbert")?;
    let mut layers = Vec::new();
    for layer in 0..config.layers(&["num_hidden_layers"])? {
        let prefix = format!("convbert.encoder.layer.{layer}");
        layers.push(Arc::new(one_layer(&loader, config, &sizes, &prefix)?));
    }
    let head = (&HEAD, Activation::Gelu);
    masked_layers(&loader, config, &sizes, embedding, head, layers)
}

fn one_layer(
    loader: &Loader,
    config: &Config,
    sizes: &Sizes,
    prefix: &str,
) -> Result<Layer, CheckpointError> {
    let hidden = sizes.hidden;
    let kernel = config.size(&["conv_kernel_size"])?;
    if kernel.is_multiple_of(2) {
        return Err(config.bad("conv_kernel_size", format!("is {kernel}, which is even")));
    }
    let groups = config.size(&["num_groups"])?;
    if !hidden.is_multiple_of(groups) || !sizes.inner.is_multiple_of(groups) {
        let problem = format!("is {groups}, which does not divide the features");
        return Err(config.bad("num_groups", problem));
    }
    // With fewer heads than the ratio, one head is left.
    let ratio = config.size(&["head_ratio"])?.min(sizes.heads);
    let heads = sizes.heads / ratio;
    if !hidden.is_multiple_of(2 * heads) {
        let problem = format!("leaves {heads} heads, whose double does not divide {hidden}");
        return Err(config.bad("head_ratio", problem));
    }
    let head_size = hidden / heads / 2;
    let half = heads * head_size;
    let own = format!("{prefix}.attention.self");
    let dense = |name: &str, outputs: usize, inputs: usize| {
        loader.linear(&format!("{own}.{name}"), outputs, inputs, Bias::Needed)
    };
    let separable = format!("{own}.key_conv_attn_layer");
    let pointwise = loader.tensor(&format!("{separable}.pointwise.weight"), &[half, hidden, 1])?;
    let span = SpanConvolution {
        kernel,
        depthwise: loader.tensor(
            &format!("{separable}.depthwise.weight"),
            &[hidden, 1, kernel],
        )?,
        pointwise: loader.made(
            half,
            hidden,
            &pointwise,
            loader.tensor(&format!("{separable}.bias"), &[half, 1])?,
        )?,
        weights: dense("conv_kernel_layer", heads * kernel, half)?,
        values: dense("conv_out_layer", half, hidden)?,
    };
    let norm = |name: &str| {
        loader
            .layer_norm(
                &format!("{prefix}.{name}"),
                hidden,
                sizes.epsilon,
                Bias::Needed,
            )
            .map(Some)
    };
    let mut attention = Attention::new(
        AttentionShape::new(heads, head_size, AttentionMask::BOTH_WAYS),
        dense("query", half, hidden)?,
        loader.linears(
            &[&format!("{own}.key"), &format!("{own}.value")],
            half,
            hidden,
            Bias::Needed,
        )?,
        loader.linear(
            &format!("{prefix}.attention.output.dense"),
            hidden,
            2 * half,
            Bias::Needed,
        )?,
    );
    attention.span = Some(span);
    Ok(Layer::new(
        attention,
        FeedForward {
            input: grouped(
                loader,
                &format!("{prefix}.intermediate.dense"),
                groups,
                hidden,
                sizes.inner,
            )?,
            gated: false,
            activation: sizes.activation,
            output: grouped(
                loader,
                &format!("{prefix}.output.dense"),
                groups,
                sizes.inner,
                hidden,
            )?,
            bound: None,
            cutoff: None,
        },
        Norms {
            after_attention: norm("attention.output.LayerNorm")?,
            after_feed_forward: norm("output.LayerNorm")?,
            ..Norms::default()
        },
    ))
}

/// A map split into groups, stored groups x inputs x outputs; an ordinary one if there is one group.
fn grouped(
    loader: &Loader,
    name: &str,
    groups: usize,
    inputs: usize,
    outputs: usize,
) -> Result<Vec<Linear>, CheckpointError> {
    if groups == 1 {
        return Ok(vec![loader.linear(name, outputs, inputs, Bias::Needed)?]);
    }
    let (inputs, outputs) = (inputs / groups, outputs / groups);
    let all = loader.tensor(&format!("{name}.weight"), &[groups, inputs, outputs])?;
    let bias = loader.vector(&format!("{name}.bias"), groups * outputs)?;
    let maps = (0..groups).map(|group| {
        let stored = &all[group * inputs * outputs..(group + 1) * inputs * outputs];
        let mut rows = vec![0.0; inputs * outputs];
        for (input, values) in stored.chunks_exact(outputs).enumerate() {
            for (output, value) in values.iter().enumerate() {
                rows[output * inputs + input] = *value;
            }
        }
        let bias = bias[group * outputs..(group + 1) * outputs].to_vec();
        loader.made(outputs, inputs, &rows, bias)
    });
    maps.collect()
}
