//! Gemma 3n's way through its layers on the GPU; its twin on CPU is `epicene-transformer/src/alternating.rs`.

use std::f32::consts::FRAC_1_SQRT_2;
use std::sync::Arc;

use super::CudaError;
use super::batch::{DeviceBatch, Growing};
use super::copies::Copies;
use super::device::{Buffer, Device};
use super::forward::DeviceModel;
use super::layer::{DeviceLayer, norm_alone};
use super::operations::{Keep, Operations, Tensor};
use super::stream::Stream;
use super::weights::{DeviceLinear, DeviceNorm, vector};
use epicene_kernels::{Activation, Linear, Precision};
use epicene_transformer::{Alternating, Around, Depth, Layer};

#[derive(Debug)]
pub struct DeviceAlternating {
    active: usize,
    spread: Vec<DeviceLinear>,
    collected: Vec<DeviceLinear>,
    tokens: Arc<Buffer>,
    token_count: usize,
    token_scale: f32,
    projection: DeviceLinear,
    norm: DeviceNorm,
    around: Vec<DeviceAround>,
}

#[derive(Debug)]
struct DeviceAround {
    router: DeviceLinear,
    router_norm: DeviceNorm,
    predicted: DeviceLinear,
    corrected: DeviceLinear,
    scale: Option<Buffer>,
    beside: (DeviceLinear, DeviceLinear, DeviceNorm),
    gate: DeviceLinear,
    activation: Activation,
    added: DeviceLinear,
    added_norm: DeviceNorm,
    keys_of: Option<usize>,
    /// Whether a later layer reads its keys and values.
    is_read: bool,
}

impl DeviceAlternating {
    /// `tokens`: the tokens' vectors, on the device already.
    pub fn new(
        device: &Device,
        alternating: &Alternating,
        layers: &[Arc<Layer>],
        tokens: Arc<Buffer>,
    ) -> Result<DeviceAlternating, CudaError> {
        let all = |maps: &[Linear]| -> Result<Vec<DeviceLinear>, CudaError> {
            let maps = maps.iter().map(|map| DeviceLinear::new(device, map));
            maps.collect()
        };
        // Both parts of a vector get the factor of their sum. What is normed would be divided by the root of its width before:
        // that leaves a norm as it is, but for its epsilon.
        let mut norm = DeviceNorm::new(device, &alternating.norm.scaled(FRAC_1_SQRT_2))?;
        norm.epsilon *= alternating.projection.weight.inputs as f32;
        let around = alternating.around.iter().zip(layers).enumerate();
        Ok(DeviceAlternating {
            active: alternating.active,
            spread: all(&alternating.spread)?,
            collected: all(&alternating.collected)?,
            tokens,
            token_count: alternating.tokens.rows,
            token_scale: alternating.token_scale * FRAC_1_SQRT_2,
            projection: DeviceLinear::new(device, &alternating.projection)?,
            norm,
            around: around
                .map(|(index, (around, layer))| {
                    let mut later = alternating.around.iter();
                    let is_read = later.any(|later| later.keys_of == Some(index));
                    let activation = layer.feed_forward.activation;
                    DeviceAround::new(device, around, activation, is_read)
                })
                .collect::<Result<_, _>>()?,
        })
    }

    /// Memory that one token needs beside the layers, generously.
    pub fn bytes_per_token(&self) -> usize {
        let copies = (1 + self.spread.len()) * self.projection.inputs;
        4 * (3 * copies + 3 * self.projection.outputs)
    }

    /// Each token's vectors for all layers.
    fn own_vectors(
        &self,
        operations: &Operations,
        batch: &DeviceBatch,
        embedded: &Tensor,
    ) -> Result<Tensor, CudaError> {
        if batch.highest_id >= self.token_count {
            return Err(CudaError::NoText(batch.highest_id));
        }
        let (layers, columns) = (self.around.len(), self.projection.outputs);
        let (width, norm) = (columns / layers, Some(&self.norm));
        let projected = operations.linear(&self.projection, embedded)?;
        operations.rotate(
            &projected,
            0,
            None,
            layers,
            width,
            norm,
            None,
            batch.positions,
        )?;
        let stored = operations.embed(
            &self.tokens,
            batch.ids,
            batch.positions,
            None,
            None,
            self.token_scale,
            batch.tokens,
            columns,
        )?;
        let out = operations.tensor(batch.tokens, columns)?;
        let added = [(&projected, None)];
        operations.add_norm(Some(&stored), &added, None, Keep::Nothing, Some(&out))?;
        Ok(out)
    }
}

impl DeviceModel {
    /// The residual stream behind the last layer, before its norm.
    pub(super) fn alternate<'a>(
        &'a self,
        alternating: &'a DeviceAlternating,
        batch: &DeviceBatch,
        depth: Depth,
        received: Option<&Buffer>,
        growing: Option<&Growing<'_>>,
    ) -> Result<Stream<'a>, CudaError> {
        let operations = &self.operations;
        let mut stream = self.embedding.apply(operations, batch)?;
        let narrow = stream.plain()?;
        let vectors = alternating.own_vectors(operations, batch, &narrow)?;
        let width = vectors.columns / alternating.around.len();
        let (spread, active) = (&alternating.spread, alternating.active);
        let (mut copies, active) =
            Copies::of(operations, &stream.residual, &narrow, spread, active)?;
        stream.residual = active;
        drop(narrow);
        let mut kept: Vec<Option<Tensor>> = Vec::new();
        for (index, (layer, around)) in self.layers.iter().zip(&alternating.around).enumerate() {
            let source = around.keys_of;
            let keys = source.map(|source| {
                let keys = kept[source].as_ref();
                keys.expect("what a later layer reads is kept")
            });
            let growing = growing.map(|growing| (growing, source.unwrap_or(index)));
            let pass = Pass {
                batch,
                layer,
                around,
                vectors: (&vectors, index * width),
            };
            let own = pass.apply(&mut stream, &copies, keys, received, growing)?;
            kept.push(around.is_read.then_some(own));
        }
        if depth == Depth::Read {
            copies.gather(batch.read_rows, batch.reads)?;
        }
        stream.residual = copies.mean(&alternating.collected)?;
        Ok(stream)
    }
}

/// One layer's work on one batch.
struct Pass<'p> {
    batch: &'p DeviceBatch,
    layer: &'p DeviceLayer,
    around: &'p DeviceAround,
    /// The tokens' vectors, and the column where this layer's begin.
    vectors: (&'p Tensor, usize),
}

impl Pass<'_> {
    /// Changes the copies, and the active one that is the residual stream; the layer's own keys and values.
    fn apply(
        &self,
        stream: &mut Stream<'_>,
        copies: &Copies<'_>,
        keys: Option<&Tensor>,
        received: Option<&Buffer>,
        growing: Option<(&Growing<'_>, usize)>,
    ) -> Result<Tensor, CudaError> {
        let (around, layer, norms) = (self.around, self.layer, &self.layer.norms);
        let operations = stream.operations;
        let needed = |norm| -> &DeviceNorm {
            let norm: &Option<DeviceNorm> = norm;
            norm.as_ref()
                .expect("Gemma 3n's layers have all four norms")
        };
        let routed = around.routed(stream)?;
        copies.predict(&routed, &around.predicted, &stream.residual)?;
        let input = stream.normed(needed(&norms.before_attention), Keep::Nothing)?;
        let (down, up, norm) = &around.beside;
        let beside = operations.linear(up, &operations.linear(down, &input)?)?;
        let beside = norm_alone(operations, (beside, None), norm)?;
        let attention = &layer.attention;
        let (attended, own) = attention.apply(
            operations, self.batch, &input, false, received, growing, keys,
        )?;
        let attended = (attended, attention.output.bias.as_ref());
        let attended = norm_alone(operations, attended, needed(&norms.of_attention))?;
        let parts = [&input, &beside, &attended];
        operations.join(&stream.residual, parts, FRAC_1_SQRT_2)?;
        let source = stream.normed(needed(&norms.before_feed_forward), Keep::Nothing)?;
        let fed = layer.feeding.apply(operations, &source)?;
        let fed = norm_alone(operations, fed, needed(&norms.of_feed_forward))?;
        stream.pending.push((fed, None));
        let routed = around.routed(stream)?;
        let scale = around.scale.as_ref();
        let source = copies.correct(&routed, &around.corrected, &stream.residual, scale)?;
        let gate = operations.linear(&around.gate, &source)?;
        operations.activate(&gate, None, around.activation)?;
        let (vectors, first) = self.vectors;
        operations.multiply(&gate, None, vectors, first)?;
        let added = operations.linear(&around.added, &gate)?;
        let added = norm_alone(operations, (added, None), &around.added_norm)?;
        copies.add(&added, &stream.residual)?;
        Ok(own)
    }
}

impl DeviceAround {
    fn new(
        device: &Device,
        around: &Around,
        activation: Activation,
        is_read: bool,
    ) -> Result<DeviceAround, CudaError> {
        let linear = |map| DeviceLinear::new(device, map);
        let odd = |map| DeviceLinear::of_odd_width(device, map);
        let norm = |norm| DeviceNorm::new(device, norm);
        let (down, up, beside) = &around.beside;
        Ok(DeviceAround {
            router: odd(&around.router)?,
            router_norm: norm(&around.router_norm)?,
            predicted: odd(&around.predicted)?,
            corrected: odd(&around.corrected)?,
            scale: match &around.scale {
                Some(scale) => vector(device, scale)?,
                None => None,
            },
            beside: (odd(down)?, odd(up)?, norm(beside)?),
            gate: linear(&around.gate)?,
            activation,
            added: linear(&around.added)?,
            added_norm: norm(&around.added_norm)?,
            keys_of: around.keys_of,
            is_read,
        })
    }

    /// What the active copy, with what waits for it, says about each copy.
    fn routed(&self, stream: &mut Stream<'_>) -> Result<Tensor, CudaError> {
        let normed = stream.normed(&self.router_norm, Keep::Sum)?;
        let operations = stream.operations;
        operations.linear_to(&self.router, &normed, Precision::F32)
    }
}
