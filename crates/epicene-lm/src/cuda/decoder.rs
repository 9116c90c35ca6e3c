//! A translation model's decoder on the device, one token further for every hypothesis at once; the
//! processor's twin is `seq2seq/decoder.rs`.

use std::sync::Arc;

use super::CudaError;
use super::device::{Buffer, Device};
use super::forward::{Integers, Stream, at};
use super::operations::{Keep, Operations, Tensor};
use super::weights::{DeviceLinear, DeviceNorm, place_table, vector};
use crate::checkpoint::CheckpointError;
use crate::cpu::{Activation, Precision};
use crate::seq2seq::{Decoder, DecoderLayer};

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
    pub vocabulary: usize,
}

#[derive(Debug)]
struct DeviceDecoderLayer {
    heads: usize,
    size: usize,
    scale: f32,
    own: DeviceLinear,
    own_output: DeviceLinear,
    source_query: DeviceLinear,
    source: DeviceLinear,
    source_output: DeviceLinear,
    up: DeviceLinear,
    activation: Activation,
    down: DeviceLinear,
    norms: [DeviceNorm; 3],
    norm_first: bool,
}

/// Keys and values of what was written, for each layer, in slots.
#[derive(Debug)]
pub struct Written {
    layers: Vec<Buffer>,
    slots: usize,
}

/// One step's numbers: a row for each hypothesis.
#[derive(Debug, Default)]
pub struct Rows {
    pub tokens: Vec<usize>,
    pub positions: Vec<usize>,
    /// Where the key and value of this token go.
    pub slots: Vec<usize>,
    /// Slots of all tokens, this one included.
    pub written: Vec<Vec<u32>>,
    /// Rows of the source: the first, and how many.
    pub sources: Vec<(usize, usize)>,
}

impl DeviceDecoder {
    pub fn new(device: Arc<Device>, decoder: &Decoder) -> Result<DeviceDecoder, CheckpointError> {
        let embedding = &decoder.embedding;
        if decoder.projection.scale != 1.0 {
            return Err(CudaError::Unsupported("scaled logits (T5)").into());
        }
        let projection = decoder.projection.weight.on_device().cloned();
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
        })
    }

    /// The row of the position table a token is added: none for some tokens.
    pub fn position(&self, token: u32, place: usize) -> usize {
        match self.without_position == Some(token) {
            true => self.position_count,
            false => place,
        }
    }

    /// Keys and values of the encoded source, for each layer.
    pub fn read_source(&self, encoded: &Tensor) -> Result<Vec<Tensor>, CudaError> {
        let operations = &self.operations;
        let narrow = operations.narrow(encoded)?;
        self.layers
            .iter()
            .map(|layer| with_bias(operations, &layer.source, &narrow))
            .collect()
    }

    /// Room for this many slots; what is in the old ones stays.
    pub fn make_room(&self, written: &mut Option<Written>, slots: usize) -> Result<(), CudaError> {
        let device = &self.operations.device;
        if written
            .as_ref()
            .is_some_and(|written| written.slots >= slots)
        {
            return Ok(());
        }
        let slots = slots.next_power_of_two();
        let mut layers = Vec::with_capacity(self.layers.len());
        for (index, layer) in self.layers.iter().enumerate() {
            let bytes = 2 * layer.heads * layer.size * device.precision().bytes();
            let mut buffer = device.zeros(slots * bytes)?;
            if let Some(before) = written.as_ref() {
                device.copy(&before.layers[index], &mut buffer)?;
            }
            layers.push(buffer);
        }
        *written = Some(Written { layers, slots });
        Ok(())
    }

    /// Logits of every row over the whole vocabulary, without their bias.
    pub fn step(
        &self,
        rows: &Rows,
        written: &Written,
        source: &[Tensor],
    ) -> Result<Vec<f32>, CudaError> {
        let operations = &self.operations;
        let device = &operations.device;
        let count = rows.tokens.len();
        let mut integers = Integers::default();
        let tokens = integers.add(rows.tokens.iter().copied());
        let positions = integers.add(rows.positions.iter().copied());
        let slots = integers.add(rows.slots.iter().copied());
        let own_starts = integers.add(starts(rows.written.iter().map(Vec::len)));
        let own = integers.add(rows.written.iter().flatten().map(|slot| *slot as usize));
        let lengths = rows.sources.iter().map(|(_, length)| *length);
        let source_starts = integers.add(starts(lengths.clone()));
        let sources = rows.sources.iter();
        let source_list = integers.add(sources.flat_map(|(first, length)| *first..first + length));
        let longest_own = rows.written.iter().map(Vec::len).max().unwrap_or(0);
        let longest_source = lengths.max().unwrap_or(0);
        let base = device.upload(integers.values())?;

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
        for ((layer, written), source) in self.layers.iter().zip(&written.layers).zip(source) {
            let (heads, size) = (layer.heads, layer.size);
            layer.part(&mut stream, 0, |input| {
                let all = with_bias(operations, &layer.own, input)?;
                let width = heads * size;
                operations.scatter(&all, width, at(&base, slots), 2 * width, written)?;
                let mixed = operations.attend_listed(
                    heads,
                    size,
                    layer.scale,
                    &all,
                    written,
                    at(&base, own_starts),
                    at(&base, own),
                    longest_own,
                )?;
                operations.linear(&layer.own_output, &mixed)
            })?;
            layer.part(&mut stream, 1, |input| {
                let query = with_bias(operations, &layer.source_query, input)?;
                let mixed = operations.attend_listed(
                    heads,
                    size,
                    layer.scale,
                    &query,
                    &source.buffer,
                    at(&base, source_starts),
                    at(&base, source_list),
                    longest_source,
                )?;
                operations.linear(&layer.source_output, &mixed)
            })?;
            layer.part(&mut stream, 2, |input| {
                let inner = operations.linear(&layer.up, input)?;
                operations.activate(&inner, layer.up.bias.as_ref(), layer.activation)?;
                operations.linear(&layer.down, &inner)
            })?;
        }
        let hidden = match &self.norm {
            Some(norm) => stream.normed(norm, Keep::Normed)?,
            None => stream.plain()?,
        };
        let logits = device.allocate(4 * count * self.vocabulary)?;
        device.product(
            count,
            self.columns,
            self.vocabulary,
            &hidden.buffer,
            &self.projection,
            0,
            &logits,
            Precision::F32,
        )?;
        device.download(&logits, count * self.vocabulary)
    }
}

/// Where each list starts, and the end of the last.
fn starts(lengths: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
    let mut end = 0;
    std::iter::once(0).chain(lengths.map(move |length| {
        end += length;
        end
    }))
}

fn with_bias(
    operations: &Operations,
    map: &DeviceLinear,
    input: &Tensor,
) -> Result<Tensor, CudaError> {
    let out = operations.linear(map, input)?;
    operations.activate(&out, map.bias.as_ref(), Activation::Identity)?;
    Ok(out)
}

impl DeviceDecoderLayer {
    fn new(device: &Device, layer: &DecoderLayer) -> Result<DeviceDecoderLayer, CudaError> {
        if layer.own.bias.is_some() {
            return Err(CudaError::Unsupported("learned distances (T5)"));
        }
        let feed = &layer.feed_forward;
        let ([up], [down], false) = (feed.input.as_slice(), feed.output.as_slice(), feed.gated)
        else {
            return Err(CudaError::Unsupported("a gated feed-forward network (T5)"));
        };
        let linear = |map| DeviceLinear::new(device, map);
        let [first, second, third] = &layer.norms;
        Ok(DeviceDecoderLayer {
            heads: layer.heads,
            size: layer.head_size,
            scale: layer.scale,
            own: linear(&layer.own.query_key_value)?,
            own_output: linear(&layer.own.output)?,
            source_query: linear(&layer.source.query)?,
            source: linear(&layer.source.key_value)?,
            source_output: linear(&layer.source.output)?,
            up: linear(up)?,
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
        let input = match self.norm_first {
            true => stream.normed(norm, Keep::Sum)?,
            false => stream.plain()?,
        };
        let changed = compute(&input)?;
        stream.pending.push((changed, self.bias_of(part)));
        if !self.norm_first {
            stream.copy = Some(stream.normed(norm, Keep::Normed)?);
        }
        Ok(())
    }
}
