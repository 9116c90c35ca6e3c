//! A model on the device, and one pass over a packed batch; the processor's twin is
//! `transformer/forward.rs`.
//!
//! The residual stream is f32. What a layer adds to it waits, and is added by the norm that reads the
//! sum next: one sweep over memory instead of two.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::CudaError;
use super::device::{Argument, Buffer, Device};
use super::head::DeviceHead;
use super::operations::{Keep, Listed, Operations, Tensor};
use super::slots::SlotCache;
use super::weights::{DeviceDistances, DeviceLinear, DeviceNorm, place_table, vector};
use crate::checkpoint::CheckpointError;
use crate::cpu::{Activation, Attending, Norm, Precision, Rotary};
use crate::transformer::{Attention, Batch, Depth, Embedding, Layer, Transformer};

#[derive(Debug)]
pub struct DeviceModel {
    pub(super) operations: Operations,
    embedding: DeviceEmbedding,
    layers: Vec<Arc<DeviceLayer>>,
    norm: Option<DeviceNorm>,
    pub(super) head: Option<DeviceHead>,
    /// Factor on the logits, which the last norm applies.
    pub(super) head_scale: f32,
    /// Tokens of a group that free memory has room for.
    pub budget: usize,
    /// Bytes that are free for what is kept from pass to pass.
    pub free: usize,
}

#[derive(Debug)]
struct DeviceEmbedding {
    tokens: Arc<Buffer>,
    columns: usize,
    scale: f32,
    positions: Option<Buffer>,
    constant: Option<Buffer>,
    norm: Option<DeviceNorm>,
    projection: Option<DeviceLinear>,
}

#[derive(Debug)]
struct DeviceLayer {
    how: Attending,
    query: DeviceLinear,
    key_value: DeviceLinear,
    key_bias: Option<Buffer>,
    value_bias: Option<Buffer>,
    output: DeviceLinear,
    rotary: Option<(Buffer, usize, f32)>,
    distances: Option<DeviceDistances>,
    query_norm: Option<DeviceNorm>,
    key_norm: Option<DeviceNorm>,
    input: DeviceLinear,
    gated: bool,
    activation: Activation,
    down: DeviceLinear,
    norms: DeviceNorms,
    parallel: bool,
}

#[derive(Debug)]
struct DeviceNorms {
    before_attention: Option<DeviceNorm>,
    of_attention: Option<DeviceNorm>,
    after_attention: Option<DeviceNorm>,
    before_feed_forward: Option<DeviceNorm>,
    of_feed_forward: Option<DeviceNorm>,
    after_feed_forward: Option<DeviceNorm>,
}

/// A batch's numbers on the device: pointers into one upload.
#[derive(Debug, Clone, Copy)]
pub struct DeviceBatch {
    pub ids: Argument,
    pub positions: Argument,
    pub starts: Argument,
    pub read_rows: Argument,
    pub read_starts: Argument,
    pub read_positions: Argument,
    pub tokens: usize,
    pub sentences: usize,
    pub reads: usize,
    pub longest: usize,
}

/// All integers of several batches, one after the other.
#[derive(Debug, Default)]
pub struct Integers(Vec<i32>);

impl Integers {
    /// Where these begin.
    pub fn add(&mut self, values: impl Iterator<Item = usize>) -> usize {
        let start = self.0.len();
        self.0.extend(
            values.map(|value| i32::try_from(value).expect("places in a batch fit 32 bits")),
        );
        start
    }

    pub fn values(&self) -> &[i32] {
        &self.0
    }
}

/// Places of a batch's numbers among the integers, until they are uploaded.
#[derive(Debug)]
pub struct BatchPlaces {
    ids: usize,
    positions: usize,
    starts: usize,
    read_rows: usize,
    read_starts: usize,
    read_positions: usize,
    tokens: usize,
    sentences: usize,
    reads: usize,
    longest: usize,
}

/// The address of an integer.
pub fn at(base: &Buffer, place: usize) -> Argument {
    Argument::Pointer(base.pointer() + 4 * place as u64)
}

impl BatchPlaces {
    pub fn new(integers: &mut Integers, batch: &Batch) -> BatchPlaces {
        let rows = batch.read_rows();
        let lengths = batch.starts.windows(2).map(|bounds| bounds[1] - bounds[0]);
        BatchPlaces {
            longest: lengths.max().unwrap_or(0),
            ids: integers.add(batch.ids.iter().map(|id| *id as usize)),
            positions: integers.add(batch.all.positions.iter().copied()),
            starts: integers.add(batch.starts.iter().copied()),
            reads: rows.len(),
            read_rows: integers.add(rows.into_iter()),
            read_starts: integers.add(batch.read.starts.iter().copied()),
            read_positions: integers.add(batch.read.positions.iter().copied()),
            tokens: batch.ids.len(),
            sentences: batch.starts.len() - 1,
        }
    }

    pub fn on(&self, base: &Buffer) -> DeviceBatch {
        DeviceBatch {
            ids: at(base, self.ids),
            positions: at(base, self.positions),
            starts: at(base, self.starts),
            read_rows: at(base, self.read_rows),
            read_starts: at(base, self.read_starts),
            read_positions: at(base, self.read_positions),
            tokens: self.tokens,
            sentences: self.sentences,
            reads: self.reads,
            longest: self.longest,
        }
    }
}

/// Keys and values kept from pass to pass.
#[derive(Debug, Clone, Copy)]
pub struct Growing<'a> {
    pub cache: &'a SlotCache,
    /// Where each token's keys and values go.
    pub slots: Argument,
    /// What every token sees.
    pub all: Listed,
    /// What the tokens that are read see.
    pub read: Listed,
}

/// The residual stream, with what still has to be added to it.
pub(super) struct Stream<'a> {
    pub(super) operations: &'a Operations,
    pub(super) residual: Tensor,
    pub(super) pending: Vec<(Tensor, Option<&'a Buffer>)>,
    /// The residual in the device's precision, where somebody made it already.
    pub(super) copy: Option<Tensor>,
}

impl<'a> Stream<'a> {
    fn added(&self) -> Vec<(&Tensor, Option<&Buffer>)> {
        self.pending
            .iter()
            .map(|(tensor, bias)| (tensor, *bias))
            .collect()
    }

    /// Adds what waits, and gives the norm of the sum.
    pub(super) fn normed(&mut self, norm: &DeviceNorm, keep: Keep) -> Result<Tensor, CudaError> {
        let out = self
            .operations
            .tensor(self.residual.rows, self.residual.columns)?;
        let keep = match (keep, self.pending.is_empty()) {
            (Keep::Sum, true) => Keep::Nothing,
            (keep, _) => keep,
        };
        self.operations.add_norm(
            Some(&self.residual),
            &self.added(),
            Some(norm),
            keep,
            Some(&out),
        )?;
        self.pending.clear();
        Ok(out)
    }

    /// Adds what waits, and gives the sum itself.
    pub(super) fn plain(&mut self) -> Result<Tensor, CudaError> {
        if self.pending.is_empty()
            && let Some(copy) = self.copy.take()
        {
            return Ok(copy);
        }
        if self.pending.is_empty() {
            return self.operations.narrow(&self.residual);
        }
        let out = self
            .operations
            .tensor(self.residual.rows, self.residual.columns)?;
        self.operations.add_norm(
            Some(&self.residual),
            &self.added(),
            None,
            Keep::Sum,
            Some(&out),
        )?;
        self.pending.clear();
        Ok(out)
    }

    fn gather(&mut self, rows: Argument, count: usize) -> Result<(), CudaError> {
        self.residual = self.operations.gather_full(&self.residual, rows, count)?;
        self.copy = match self.copy.take() {
            Some(copy) => Some(self.operations.gather(&copy, rows, count)?),
            None => None,
        };
        Ok(())
    }
}

/// What a pass leaves on the device: f32 rows, and the same in the device's precision.
pub struct DeviceForward {
    pub hidden: Tensor,
    pub narrow: Option<Tensor>,
    /// f64, summed over layers, heads and queries.
    pub received: Option<Buffer>,
}

impl DeviceModel {
    /// From a model whose matrices are on the device already.
    pub fn new(device: Arc<Device>, model: &Transformer) -> Result<DeviceModel, CheckpointError> {
        let operations = Operations::new(device.clone())?;
        let mut tables: BTreeMap<String, Arc<Buffer>> = BTreeMap::new();
        let mut table = |table: &crate::checkpoint::Table| -> Result<Arc<Buffer>, CheckpointError> {
            if let Some(known) = tables.get(table.name()) {
                return Ok(known.clone());
            }
            let placed = Arc::new(place_table(&device, table)?);
            tables.insert(table.name().to_owned(), placed.clone());
            Ok(placed)
        };
        let tokens = table(&model.embedding.tokens)?;
        let decoder = match &model.head {
            Some(head) => Some((head, table(&head.decoder)?)),
            None => None,
        };
        let head = decoder
            .map(|(head, decoder)| DeviceHead::new(&device, head, decoder))
            .transpose()?;
        let embedding = DeviceEmbedding::new(&device, &model.embedding, tokens)?;
        // Layers that an architecture repeats are placed once.
        let mut known: Vec<(*const Layer, Arc<DeviceLayer>)> = Vec::new();
        let mut layers = Vec::with_capacity(model.layers.len());
        for layer in &model.layers {
            let address = Arc::as_ptr(layer);
            let placed = match known.iter().find(|(known, _)| *known == address) {
                Some((_, placed)) => placed.clone(),
                None => {
                    let placed = Arc::new(DeviceLayer::new(&device, layer)?);
                    known.push((address, placed.clone()));
                    placed
                }
            };
            layers.push(placed);
        }
        let head_scale = model.head.as_ref().map_or(1.0, |head| head.scale);
        let plain_head = model
            .head
            .as_ref()
            .is_none_or(|head| head.transform.is_none());
        let norm = match (head_scale == 1.0, plain_head, &model.norm) {
            (true, ..) => model.norm.clone(),
            (false, true, Some(norm)) => Some(norm.scaled(head_scale)),
            _ => {
                let reason = CudaError::Unsupported("scaled logits without a last norm");
                return Err(reason.into());
            }
        };
        let norm = DeviceNorm::maybe(&device, norm.as_ref())?;
        device.synchronize()?;
        let per_token = layers.first().map_or(1, |layer| layer.bytes_per_token());
        let free = device.free_bytes()?;
        let budget = free / 2 / per_token.max(1);
        Ok(DeviceModel {
            operations,
            embedding,
            layers,
            norm,
            head,
            head_scale,
            budget: budget.clamp(512, 16_384),
            free: free / 4 * 3,
        })
    }

    pub fn device(&self) -> &Arc<Device> {
        &self.operations.device
    }

    /// Room for the keys and values of so many tokens.
    pub fn slots(&self, slots: usize) -> Result<SlotCache, CudaError> {
        let device = self.device();
        SlotCache::new(device, self.kept_widths(), slots)
    }

    /// Bytes of a token's keys and values in each layer.
    pub fn kept_widths(&self) -> Vec<usize> {
        let precision = self.device().precision();
        let layers = self.layers.iter();
        layers.map(|layer| layer.kept_bytes(precision)).collect()
    }

    /// Puts one batch's work on the stream.
    pub fn forward(
        &self,
        batch: &DeviceBatch,
        depth: Depth,
        attention: bool,
    ) -> Result<DeviceForward, CudaError> {
        self.run(batch, depth, attention, None)
    }

    /// The same, with keys and values that are kept.
    pub fn run(
        &self,
        batch: &DeviceBatch,
        depth: Depth,
        attention: bool,
        growing: Option<Growing<'_>>,
    ) -> Result<DeviceForward, CudaError> {
        let received = match attention {
            true => Some(self.device().zeros(8 * batch.tokens)?),
            false => None,
        };
        let mut stream = self.embedding.apply(&self.operations, batch)?;
        for (index, layer) in self.layers.iter().enumerate() {
            let last = index + 1 == self.layers.len();
            let only_read = last && depth == Depth::Read;
            let growing = growing.as_ref().map(|growing| (growing, index));
            layer.apply(&mut stream, batch, only_read, received.as_ref(), growing)?;
        }
        if depth == Depth::Read && self.layers.is_empty() {
            stream.gather(batch.read_rows, batch.reads)?;
        }
        let narrow = match &self.norm {
            Some(norm) => Some(stream.normed(norm, Keep::Normed)?),
            None if stream.pending.is_empty() => stream.copy.take(),
            None => Some(stream.plain()?),
        };
        Ok(DeviceForward {
            hidden: stream.residual,
            narrow,
            received,
        })
    }
}

impl DeviceEmbedding {
    fn new(
        device: &Device,
        embedding: &Embedding,
        tokens: Arc<Buffer>,
    ) -> Result<DeviceEmbedding, CudaError> {
        if embedding.positions_behind() {
            return Err(CudaError::Unsupported(
                "positions wider than the tokens' rows (OPT 350M)",
            ));
        }
        if !embedding.tokens.columns.is_multiple_of(4) {
            return Err(CudaError::Unsupported(
                "embeddings whose width is no multiple of four",
            ));
        }
        Ok(DeviceEmbedding {
            tokens,
            columns: embedding.tokens.columns,
            scale: embedding.scale,
            positions: match &embedding.positions {
                Some(positions) => vector(device, &positions.data)?,
                None => None,
            },
            constant: match &embedding.constant {
                Some(constant) => vector(device, constant)?,
                None => None,
            },
            norm: DeviceNorm::maybe(device, embedding.norm.as_ref())?,
            projection: embedding
                .projection
                .as_ref()
                .map(|projection| DeviceLinear::new(device, projection))
                .transpose()?,
        })
    }

    fn apply<'a>(
        &'a self,
        operations: &'a Operations,
        batch: &DeviceBatch,
    ) -> Result<Stream<'a>, CudaError> {
        let residual = operations.embed(
            &self.tokens,
            batch.ids,
            batch.positions,
            self.positions.as_ref(),
            self.constant.as_ref(),
            self.scale,
            batch.tokens,
            self.columns,
        )?;
        let mut stream = Stream {
            operations,
            residual,
            pending: Vec::new(),
            copy: None,
        };
        if let Some(norm) = &self.norm {
            stream.copy = Some(stream.normed(norm, Keep::Normed)?);
        }
        if let Some(projection) = &self.projection {
            let source = stream.plain()?;
            let projected = operations.linear_to(projection, &source, Precision::F32)?;
            operations.activate_full(&projected, projection.bias.as_ref(), Activation::Identity)?;
            stream.residual = projected;
            stream.copy = None;
        }
        Ok(stream)
    }
}

fn rotary(device: &Device, rotary: &Rotary) -> Result<(Buffer, usize, f32), CudaError> {
    let half = rotary.frequencies.len();
    Ok((device.upload(&rotary.frequencies)?, half, rotary.factor))
}

fn unsupported(attention: &Attention, layer: &Layer) -> Option<&'static str> {
    if attention.how.slopes.is_some() {
        return Some("linear biases by distance (ALiBi)");
    }
    if attention.how.sinks.is_some() {
        return Some("attention sinks (gpt-oss)");
    }
    if attention.clip.is_some() {
        return Some("clipped queries, keys and values (OLMo, MPT)");
    }
    if attention.latent.is_some() {
        return Some("latent attention (DeepSeek)");
    }
    let of_head = |norm: &Option<Norm>| {
        norm.as_ref()
            .is_none_or(|norm| norm.width() == attention.how.head_size)
    };
    if !of_head(&attention.query_norm) || !of_head(&attention.key_norm) {
        return Some(
            "norms over all heads together (OLMo 2) or for each of them (Cohere, StableLM)",
        );
    }
    if layer.experts.is_some() || layer.feed_forward.input.is_empty() {
        return Some("mixtures of experts");
    }
    if matches!(
        layer.feed_forward.activation,
        Activation::ReluSquared | Activation::Xielu(_)
    ) {
        return Some("this activation (Nemotron, Apertus)");
    }
    if attention.relative.is_some() {
        return Some("disentangled attention (DeBERTa)");
    }
    if attention.span.is_some() || layer.convolution.is_some() {
        return Some("convolutions (ConvBERT, DeBERTa xlarge)");
    }
    if layer.feed_forward.input.len() != 1 || layer.feed_forward.output.len() != 1 {
        return Some("grouped linear maps");
    }
    if attention.how.head_size > 256 {
        return Some("heads wider than 256");
    }
    if !attention.how.head_size.is_multiple_of(4) {
        return Some("heads whose width is no multiple of four");
    }
    None
}

impl DeviceLayer {
    fn new(device: &Device, layer: &Layer) -> Result<DeviceLayer, CudaError> {
        let attention = &layer.attention;
        if let Some(reason) = unsupported(attention, layer) {
            return Err(CudaError::Unsupported(reason));
        }
        let (Some(input), Some(down)) = (
            layer.feed_forward.input.first(),
            layer.feed_forward.output.first(),
        ) else {
            return Err(CudaError::Unsupported(
                "a layer without a feed-forward network",
            ));
        };
        let biases = &attention.key_value.bias;
        let keys = attention.how.key_heads * attention.how.head_size;
        let (key_bias, value_bias) = match biases.is_empty() {
            true => (None, None),
            false => (
                vector(device, &biases[..keys])?,
                vector(device, &biases[keys..])?,
            ),
        };
        let maybe = |norm: &Option<_>| DeviceNorm::maybe(device, norm.as_ref());
        let norms = &layer.norms;
        Ok(DeviceLayer {
            how: attention.how.clone(),
            query: DeviceLinear::new(device, &attention.query)?,
            key_value: DeviceLinear::new(device, &attention.key_value)?,
            key_bias,
            value_bias,
            output: DeviceLinear::new(device, &attention.output)?,
            rotary: match &attention.rotary {
                Some(turns) => Some(rotary(device, turns)?),
                None => None,
            },
            distances: DeviceDistances::maybe(device, attention.how.bias.as_deref())?,
            query_norm: maybe(&attention.query_norm)?,
            key_norm: maybe(&attention.key_norm)?,
            input: DeviceLinear::new(device, input)?,
            gated: layer.feed_forward.gated,
            activation: layer.feed_forward.activation,
            down: DeviceLinear::new(device, down)?,
            norms: DeviceNorms {
                before_attention: maybe(&norms.before_attention)?,
                of_attention: maybe(&norms.of_attention)?,
                after_attention: maybe(&norms.after_attention)?,
                before_feed_forward: maybe(&norms.before_feed_forward)?,
                of_feed_forward: maybe(&norms.of_feed_forward)?,
                after_feed_forward: maybe(&norms.after_feed_forward)?,
            },
            parallel: layer.parallel,
        })
    }

    /// Memory that one token needs at the widest place of a pass, generously.
    fn bytes_per_token(&self) -> usize {
        let hidden = self.query.inputs;
        let attention = self.query.outputs * 2 + self.key_value.outputs;
        let inner = self.input.outputs + self.down.inputs;
        4 * (6 * hidden + attention + inner)
    }

    fn apply<'a>(
        &'a self,
        stream: &mut Stream<'a>,
        batch: &DeviceBatch,
        only_read: bool,
        received: Option<&Buffer>,
        growing: Option<(&Growing<'_>, usize)>,
    ) -> Result<(), CudaError> {
        let norms = &self.norms;
        let mut source = match &norms.before_attention {
            Some(norm) => stream.normed(norm, Keep::Sum)?,
            None => stream.plain()?,
        };
        let operations = stream.operations;
        let attended = match growing {
            Some((growing, index)) => {
                self.grow(operations, batch, &source, only_read, growing, index)?
            }
            None => self.attend(operations, batch, &source, only_read, received)?,
        };
        let mut attended = (attended, self.output.bias.as_ref());
        if let Some(norm) = &norms.of_attention {
            attended = (self.norm_alone(stream.operations, attended, norm)?, None);
        }
        if only_read {
            stream.gather(batch.read_rows, batch.reads)?;
            if self.parallel {
                source = stream
                    .operations
                    .gather(&source, batch.read_rows, batch.reads)?;
            }
        }
        if self.parallel {
            // Both halves read the layer's input, through one norm or one each.
            let source = match &norms.before_feed_forward {
                Some(norm) => stream.normed(norm, Keep::Nothing)?,
                None => source,
            };
            let fed = self.feed(stream.operations, &source)?;
            stream.pending.push(attended);
            stream.pending.push((fed, self.down.bias.as_ref()));
            return Ok(());
        }
        drop(source);
        stream.pending.push(attended);
        if let Some(norm) = &norms.after_attention {
            stream.copy = Some(stream.normed(norm, Keep::Normed)?);
        }
        let source = match &norms.before_feed_forward {
            Some(norm) => stream.normed(norm, Keep::Sum)?,
            None => stream.plain()?,
        };
        let mut fed = (
            self.feed(stream.operations, &source)?,
            self.down.bias.as_ref(),
        );
        if let Some(norm) = &norms.of_feed_forward {
            fed = (self.norm_alone(stream.operations, fed, norm)?, None);
        }
        stream.copy = None;
        stream.pending.push(fed);
        if let Some(norm) = &norms.after_feed_forward {
            stream.copy = Some(stream.normed(norm, Keep::Normed)?);
        }
        Ok(())
    }

    fn norm_alone(
        &self,
        operations: &Operations,
        (tensor, bias): (Tensor, Option<&Buffer>),
        norm: &DeviceNorm,
    ) -> Result<Tensor, CudaError> {
        let out = operations.tensor(tensor.rows, tensor.columns)?;
        operations.add_norm(
            None,
            &[(&tensor, bias)],
            Some(norm),
            Keep::Nothing,
            Some(&out),
        )?;
        Ok(out)
    }

    fn attend(
        &self,
        operations: &Operations,
        batch: &DeviceBatch,
        input: &Tensor,
        only_read: bool,
        received: Option<&Buffer>,
    ) -> Result<Tensor, CudaError> {
        let how = &self.how;
        let chosen = match only_read {
            true => Some(operations.gather(input, batch.read_rows, batch.reads)?),
            false => None,
        };
        let asking = chosen.as_ref().unwrap_or(input);
        let (starts, positions) = match only_read {
            true => (batch.read_starts, batch.read_positions),
            false => (batch.starts, batch.positions),
        };
        let query = operations.linear(&self.query, asking)?;
        let key_value = operations.linear(&self.key_value, input)?;
        // A bias is added by whoever touches the heads first: the rotation, or attention itself.
        let (mut query_bias, mut key_bias) = (self.query.bias.as_ref(), self.key_bias.as_ref());
        let rotary = self
            .rotary
            .as_ref()
            .map(|(frequencies, half, factor)| (frequencies, *half, *factor));
        if rotary.is_some() || self.query_norm.is_some() {
            let norm = self.query_norm.as_ref();
            let bias = query_bias.take();
            operations.turn(
                &query,
                bias,
                how.heads,
                how.head_size,
                norm,
                rotary,
                positions,
            )?;
        }
        if rotary.is_some() || self.key_norm.is_some() {
            let norm = self.key_norm.as_ref();
            let bias = key_bias.take();
            let (heads, size) = (how.key_heads, how.head_size);
            operations.turn(&key_value, bias, heads, size, norm, rotary, batch.positions)?;
        }
        let by_head = match received {
            Some(_) => Some(operations.device.zeros(4 * how.heads * batch.tokens)?),
            None => None,
        };
        let mixed = operations.attend(
            how,
            &query,
            &key_value,
            [
                query_bias.into(),
                key_bias.into(),
                self.value_bias.as_ref().into(),
            ],
            self.distances.as_ref(),
            batch.starts,
            starts,
            positions,
            batch.sentences,
            batch.longest,
            by_head.as_ref(),
        )?;
        if let (Some(by_head), Some(received)) = (&by_head, received) {
            operations.sum_heads(by_head, how.heads, batch.tokens, received)?;
        }
        operations.linear(&self.output, &mixed)
    }

    /// Attention to all that was kept, these tokens included.
    fn grow(
        &self,
        operations: &Operations,
        batch: &DeviceBatch,
        input: &Tensor,
        only_read: bool,
        growing: &Growing<'_>,
        index: usize,
    ) -> Result<Tensor, CudaError> {
        let how = &self.how;
        let chosen = match only_read {
            true => Some(operations.gather(input, batch.read_rows, batch.reads)?),
            false => None,
        };
        let asking = chosen.as_ref().unwrap_or(input);
        let (listed, positions) = match only_read {
            true => (growing.read, batch.read_positions),
            false => (growing.all, batch.positions),
        };
        let query = operations.linear(&self.query, asking)?;
        let key_value = operations.linear(&self.key_value, input)?;
        let plain = Activation::Identity;
        operations.activate(&query, self.query.bias.as_ref(), plain)?;
        operations.activate(&key_value, self.key_value.bias.as_ref(), plain)?;
        let rotary = self
            .rotary
            .as_ref()
            .map(|(frequencies, half, factor)| (frequencies, *half, *factor));
        let size = how.head_size;
        if rotary.is_some() || self.query_norm.is_some() {
            let norm = self.query_norm.as_ref();
            operations.turn(&query, None, how.heads, size, norm, rotary, positions)?;
        }
        if rotary.is_some() || self.key_norm.is_some() {
            let (norm, heads) = (self.key_norm.as_ref(), how.key_heads);
            operations.turn(&key_value, None, heads, size, norm, rotary, batch.positions)?;
        }
        let cache = &growing.cache.layers[index];
        operations.scatter(&key_value, 0, growing.slots, key_value.columns, cache)?;
        let distances = self.distances.as_ref();
        let mixed = operations.attend_listed(how, distances, &query, cache, listed)?;
        operations.linear(&self.output, &mixed)
    }

    /// Bytes of a token's keys and values.
    fn kept_bytes(&self, precision: Precision) -> usize {
        self.key_value.outputs * precision.bytes()
    }

    fn feed(&self, operations: &Operations, input: &Tensor) -> Result<Tensor, CudaError> {
        let inner = operations.linear(&self.input, input)?;
        let bias = self.input.bias.as_ref();
        let inner = match self.gated {
            true => operations.gate(&inner, bias, self.activation)?,
            false => {
                operations.activate(&inner, bias, self.activation)?;
                inner
            }
        };
        operations.linear(&self.down, &inner)
    }
}
