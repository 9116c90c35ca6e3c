//! A translation model's decoder on the device, one token further for every hypothesis at once; the
//! twin on CPU is `epicene-transformer/src/decoder.rs`.

use std::sync::Arc;

use super::CudaError;
use super::attending::Scores;
use super::batch::{Integers, at};
use super::best::{Best, Choosing, Vocabulary};
use super::device::{Buffer, Device};
use super::filling::Filling;
use super::operations::{Keep, Listed, Operations, Tensor};
use super::slots::SlotCache;
use super::stream::Stream;
use super::weights::{DeviceLinear, DeviceNorm, place_table, vector};
use epicene_checkpoint::CheckpointError;
use epicene_kernels::{Activation, AttentionMask, AttentionShape};
use epicene_transformer::{Decoder, DecoderLayer};

#[derive(Debug)]
pub struct DeviceDecoder {
    operations: Operations,
    tokens: Buffer,
    columns: usize,
    scale: f32,
    /// The positions, and a row of zeros after the last.
    positions: Option<Buffer>,
    position_count: usize,
    without_position: Option<u32>,
    norm_embedding: Option<DeviceNorm>,
    layers: Vec<DeviceDecoderLayer>,
    norm: Option<DeviceNorm>,
    projection: Arc<Buffer>,
    bias: Option<Buffer>,
    /// Factor on the logits (T5).
    factor: f32,
    vocabulary: usize,
}

#[derive(Debug)]
struct DeviceDecoderLayer {
    how: AttentionShape,
    own: DeviceLinear,
    /// Of attention to what was written, and to the source.
    own_scores: Scores,
    source_scores: Scores,
    own_output: DeviceLinear,
    source_query: DeviceLinear,
    source: DeviceLinear,
    source_output: DeviceLinear,
    up: DeviceLinear,
    gated: bool,
    activation: Activation,
    down: DeviceLinear,
    norms: [DeviceNorm; 3],
    norm_first: bool,
}

/// One step's numbers: a row for each hypothesis.
#[derive(Debug, Default)]
pub struct Rows {
    pub tokens: Vec<usize>,
    pub positions: Vec<usize>,
    /// Where the key and value of this token go.
    pub slots: Vec<usize>,
    /// Slots of all tokens, this one included.
    pub written: SlotLists,
    /// Of each sentence of the step, the slots of its source.
    pub sources: SlotLists,
    /// Which of them a row translates.
    pub sentences: Vec<usize>,
}

/// Lists of slots, one after the other.
#[derive(Debug, Default)]
pub struct SlotLists {
    /// Where each begins, and how long it is.
    bounds: Vec<(usize, usize)>,
    slots: Vec<u32>,
}

impl SlotLists {
    pub fn push(&mut self, slots: &[u32]) {
        self.bounds.push((self.slots.len(), slots.len()));
        self.slots.extend_from_slice(slots);
    }

    /// Among a step's integers: for each row the whole of the list it names.
    fn place(
        &self,
        integers: &mut Integers,
        rows: impl Iterator<Item = usize> + Clone,
    ) -> ListPlaces {
        ListPlaces {
            firsts: integers.add(rows.clone().map(|row| self.bounds[row].0)),
            lengths: integers.add(rows.map(|row| self.bounds[row].1)),
            list: integers.add(self.slots.iter().map(|slot| *slot as usize)),
        }
    }
}

impl DeviceDecoder {
    pub fn new(device: Arc<Device>, decoder: &Decoder) -> Result<DeviceDecoder, CheckpointError> {
        let embedding = &decoder.embedding;
        let projection = decoder.projection.weight.device_buffer::<Buffer>();
        let projection = projection.ok_or(CudaError::Unsupported("a projection made here"))?;
        let (positions, position_count) = match &embedding.positions {
            None => (None, 0),
            Some(table) => {
                let mut rows = table.data.clone();
                rows.resize(rows.len() + table.columns, 0.0);
                (vector(&device, &rows)?, table.rows)
            }
        };
        Ok(DeviceDecoder {
            operations: Operations::new(device.clone())?,
            tokens: place_table(&device, &embedding.tokens)?,
            columns: embedding.tokens.columns,
            scale: embedding.scale,
            positions,
            position_count,
            without_position: embedding.without_position,
            norm_embedding: DeviceNorm::maybe(&device, embedding.norm.as_ref())?,
            layers: decoder
                .layers
                .iter()
                .map(|layer| DeviceDecoderLayer::new(&device, layer))
                .collect::<Result<_, _>>()?,
            norm: DeviceNorm::maybe(&device, decoder.norm.as_ref())?,
            vocabulary: decoder.projection.weight.outputs,
            projection,
            bias: vector(&device, &decoder.projection.bias)?,
            factor: decoder.projection.scale,
        })
    }

    /// The row of the position table a token is added: none for some tokens.
    pub fn position(&self, token: u32, place: usize) -> usize {
        if self.without_position == Some(token) {
            self.position_count
        } else {
            place
        }
    }

    /// Bytes of a token's keys and values in each layer.
    pub fn kept_widths(&self) -> Vec<usize> {
        let bytes = self.operations.device.precision().bytes();
        let width = |layer: &DeviceDecoderLayer| layer.source.outputs * bytes;
        self.layers.iter().map(width).collect()
    }

    pub fn slots(&self, slots: usize) -> Result<SlotCache, CudaError> {
        SlotCache::new(&self.operations.device, self.kept_widths(), slots)
    }

    /// Keys and values of the encoded source go to these slots, a row each.
    pub fn read_source(
        &self,
        encoded: &Tensor,
        slots: &[u32],
        sources: &mut SlotCache,
        used: usize,
    ) -> Result<(), CudaError> {
        let operations = &self.operations;
        sources.make_room(&operations.device, used)?;
        let mut integers = Integers::default();
        integers.add(slots.iter().map(|slot| *slot as usize));
        let base = operations.device.upload(integers.values())?;
        let narrow = operations.narrow(encoded)?;
        for (layer, cache) in self.layers.iter().zip(&sources.layers) {
            let all = operations.with_bias(&layer.source, &narrow)?;
            operations.scatter(&all, 0, at(&base, 0), all.columns, cache)?;
        }
        Ok(())
    }

    /// Reads the last token of every row; finds its best continuations, and what is wanted of others, where asked.
    pub fn step(
        &self,
        rows: &Rows,
        written: &mut SlotCache,
        used: usize,
        sources: &SlotCache,
        choosing: Option<Choosing<'_>>,
    ) -> Result<Best, CudaError> {
        let operations = &self.operations;
        let device = &operations.device;
        let count = rows.tokens.len();
        let mut integers = Integers::default();
        let tokens = integers.add(rows.tokens.iter().copied());
        let positions = integers.add(rows.positions.iter().copied());
        let slots = integers.add(rows.slots.iter().copied());
        let own = rows.written.place(&mut integers, 0..count);
        let of_rows = rows.sentences.iter().copied();
        let source = rows.sources.place(&mut integers, of_rows);
        // Others queue their steps while this one's answers are waited for.
        let alone = device.alone();
        written.make_room(device, used)?;
        let base = device.upload(integers.values())?;
        let (own, source) = (own.on(&base), source.on(&base));

        let residual = operations.embed(
            &self.tokens,
            at(&base, tokens),
            at(&base, positions),
            self.positions.as_ref(),
            None,
            self.scale,
            count,
            self.columns,
        )?;
        let mut stream = Stream {
            operations,
            residual,
            pending: Vec::new(),
            copy: None,
        };
        if let Some(norm) = &self.norm_embedding {
            stream.copy = Some(stream.normed(norm, Keep::Normed)?);
        }
        let caches = written.layers.iter().zip(&sources.layers);
        for (layer, (written, sources)) in self.layers.iter().zip(caches) {
            let how = &layer.how;
            layer.part(&mut stream, 0, |input| {
                let all = operations.with_bias(&layer.own, input)?;
                let width = how.heads * how.head_size;
                operations.scatter(&all, width, at(&base, slots), 2 * width, written)?;
                let scores = &layer.own_scores;
                let mixed = operations.attend_listed(how, scores, &all, written, own)?;
                operations.linear(&layer.own_output, &mixed)
            })?;
            layer.part(&mut stream, 1, |input| {
                let query = operations.with_bias(&layer.source_query, input)?;
                let scores = &layer.source_scores;
                let mixed = operations.attend_listed(how, scores, &query, sources, source)?;
                operations.linear(&layer.source_output, &mixed)
            })?;
            layer.part(&mut stream, 2, |input| {
                let inner = operations.linear(&layer.up, input)?;
                let bias = layer.up.bias.as_ref();
                let inner = if layer.gated {
                    operations.gate(&inner, bias, None, layer.activation, None)?
                } else {
                    operations.activate(&inner, bias, layer.activation)?;
                    inner
                };
                operations.linear(&layer.down, &inner)
            })?;
        }
        let Some(choosing) = choosing else {
            return Ok(Best::default());
        };
        let hidden = match &self.norm {
            Some(norm) => stream.normed(norm, Keep::Normed)?,
            None => stream.plain()?,
        };
        let vocabulary = Vocabulary {
            rows: &self.projection,
            size: self.vocabulary,
            columns: self.columns,
            bias: self.bias.as_ref(),
            factor: self.factor,
            soft_cap: None,
        };
        let finding = operations.best(&hidden, vocabulary, choosing)?;
        drop(alone);
        finding.wait()
    }
}

/// Places of lists among a step's integers.
struct ListPlaces {
    firsts: usize,
    lengths: usize,
    list: usize,
}

impl ListPlaces {
    fn on(&self, base: &Buffer) -> Listed {
        Listed {
            firsts: at(base, self.firsts),
            lengths: at(base, self.lengths),
            list: at(base, self.list),
        }
    }
}

impl DeviceDecoderLayer {
    fn new(device: &Device, layer: &DecoderLayer) -> Result<DeviceDecoderLayer, CudaError> {
        let feed = &layer.feed_forward;
        let ([up], [down]) = (feed.input.as_slice(), feed.output.as_slice()) else {
            return Err(CudaError::Unsupported("grouped linear maps"));
        };
        let filling = Filling::of(layer.head_size)?;
        let linear = |map| DeviceLinear::new(device, map);
        let to_heads = |map| filling.outputs(device, map);
        let from_heads = |map| filling.inputs(device, map);
        let [first, second, third] = &layer.norms;
        Ok(DeviceDecoderLayer {
            how: AttentionShape {
                scale: layer.scale,
                ..AttentionShape::new(layer.heads, filling.head_size(), AttentionMask::CAUSAL)
            },
            own_scores: Scores::by_distance(device, layer.own.bias.as_deref())?,
            source_scores: Scores::default(),
            own: to_heads(&layer.own.query_key_value)?,
            own_output: from_heads(&layer.own.output)?,
            source_query: to_heads(&layer.source.query)?,
            source: to_heads(&layer.source.key_value)?,
            source_output: from_heads(&layer.source.output)?,
            up: linear(up)?,
            gated: feed.gated,
            activation: feed.activation,
            down: linear(down)?,
            norms: [
                DeviceNorm::new(device, first)?,
                DeviceNorm::new(device, second)?,
                DeviceNorm::new(device, third)?,
            ],
            norm_first: layer.norm_first,
        })
    }

    fn bias_of(&self, part: usize) -> Option<&Buffer> {
        match part {
            0 => self.own_output.bias.as_ref(),
            1 => self.source_output.bias.as_ref(),
            _ => self.down.bias.as_ref(),
        }
    }

    /// One part of the layer with its norm and the way around it.
    fn part<'a>(
        &'a self,
        stream: &mut Stream<'a>,
        part: usize,
        compute: impl FnOnce(&Tensor) -> Result<Tensor, CudaError>,
    ) -> Result<(), CudaError> {
        let norm = &self.norms[part];
        let input = if self.norm_first {
            stream.normed(norm, Keep::Sum)?
        } else {
            stream.plain()?
        };
        let changed = compute(&input)?;
        stream.pending.push((changed, self.bias_of(part)));
        if !self.norm_first {
            stream.copy = Some(stream.normed(norm, Keep::Normed)?);
        }
        Ok(())
    }
}
