//! From token numbers to the residual stream.

use std::sync::Arc;

use super::CudaError;
use super::batch::DeviceBatch;
use super::device::{Buffer, Device};
use super::operations::{Keep, Operations};
use super::stream::Stream;
use super::weights::{DeviceLinear, DeviceNorm, vector};
use epicene_kernels::{Activation, Precision};
use epicene_transformer::Embedding;

#[derive(Debug)]
pub(super) struct DeviceEmbedding {
    tokens: Arc<Buffer>,
    columns: usize,
    scale: f32,
    positions: Option<Buffer>,
    /// Whether positions are added behind the projection (OPT 350M).
    positions_behind: bool,
    constant: Option<Buffer>,
    norm: Option<DeviceNorm>,
    projection: Option<DeviceLinear>,
}

impl DeviceEmbedding {
    pub(super) fn new(
        device: &Device,
        embedding: &Embedding,
        tokens: Arc<Buffer>,
    ) -> Result<DeviceEmbedding, CudaError> {
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
            positions_behind: embedding.positions_behind(),
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

    pub(super) fn apply<'a>(
        &'a self,
        operations: &'a Operations,
        batch: &DeviceBatch,
    ) -> Result<Stream<'a>, CudaError> {
        let residual = operations.embed(
            &self.tokens,
            batch.ids,
            batch.positions,
            self.positions.as_ref().filter(|_| !self.positions_behind),
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
            if let Some(positions) = self.positions.as_ref().filter(|_| self.positions_behind) {
                operations.add_positions(&projected, batch.positions, positions)?;
            }
            stream.residual = projected;
            stream.copy = None;
        }
        Ok(stream)
    }
}
