//! A model on the device, and one pass over a packed batch; its twin on CPU is
//! `transformer/forward.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::CudaError;
use super::alternating::DeviceAlternating;
use super::batch::{DeviceBatch, Growing};
use super::device::{Buffer, Device};
use super::embedding::DeviceEmbedding;
use super::head::DeviceHead;
use super::layer::DeviceLayer;
use super::operations::{Keep, Operations, Tensor};
use super::slots::SlotCache;
use super::stream::Stream;
use super::weights::{DeviceNorm, place_table};
use epicene_checkpoint::CheckpointError;
use epicene_transformer::{Depth, Layer, Transformer};

#[derive(Debug)]
pub struct DeviceModel {
    pub(super) operations: Operations,
    pub(super) embedding: DeviceEmbedding,
    pub(super) layers: Vec<Arc<DeviceLayer>>,
    alternating: Option<DeviceAlternating>,
    norm: Option<DeviceNorm>,
    pub(super) head: Option<DeviceHead>,
    /// Factor on the logits, which the last norm applies.
    pub(super) head_scale: f32,
    /// Tokens of a group that free memory has room for.
    pub budget: usize,
    /// Bytes that are free for what is kept from pass to pass.
    pub free: usize,
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
        let mut table =
            |table: &epicene_checkpoint::Table| -> Result<Arc<Buffer>, CheckpointError> {
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
        let alternating = match &model.alternating {
            Some(alternating) => {
                let tokens = table(&alternating.tokens)?;
                let layers = &model.layers;
                Some(DeviceAlternating::new(
                    &device,
                    alternating,
                    layers,
                    tokens,
                )?)
            }
            None => None,
        };
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
        let of_layers = layers.iter().map(|layer| layer.bytes_per_token()).max();
        let beside = alternating.as_ref();
        let beside = beside.map_or(0, DeviceAlternating::bytes_per_token);
        let per_token = of_layers.unwrap_or(0) + beside;
        let free = device.free_bytes()?;
        let budget = free / 2 / per_token.max(1);
        Ok(DeviceModel {
            operations,
            embedding,
            layers,
            alternating,
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
        let received = if attention {
            Some(self.device().zeros(8 * batch.tokens)?)
        } else {
            None
        };
        let (received_there, growing) = (received.as_ref(), growing.as_ref());
        let mut stream = match &self.alternating {
            Some(alternating) => {
                self.alternate(alternating, batch, depth, received_there, growing)?
            }
            None => self.in_turn(batch, depth, received_there, growing)?,
        };
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

    /// The residual stream behind the last layer, before its norm.
    fn in_turn(
        &self,
        batch: &DeviceBatch,
        depth: Depth,
        received: Option<&Buffer>,
        growing: Option<&Growing<'_>>,
    ) -> Result<Stream<'_>, CudaError> {
        let mut stream = self.embedding.apply(&self.operations, batch)?;
        let embedded = if self.layers.iter().any(|layer| layer.convolution.is_some()) {
            Some(self.operations.narrow(&stream.residual)?)
        } else {
            None
        };
        let mut chosen = depth == Depth::All;
        for (index, layer) in self.layers.iter().enumerate() {
            let last = index + 1 == self.layers.len();
            let only_read = last && depth == Depth::Read && layer.convolution.is_none();
            chosen |= only_read;
            let growing = growing.map(|growing| (growing, index));
            layer.apply(&mut stream, batch, only_read, received, growing)?;
            if let (Some(convolution), Some(embedded)) = (&layer.convolution, &embedded) {
                convolution.apply(&mut stream, batch, embedded)?;
            }
        }
        if !chosen {
            stream.gather(batch.read_rows, batch.reads)?;
        }
        Ok(stream)
    }
}
