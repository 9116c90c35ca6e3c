//! One layer on the device: attention, then a network, each with the norms around it.

use super::CudaError;
use super::attention::DeviceAttention;
use super::batch::{DeviceBatch, Growing};
use super::device::{Buffer, Device};
use super::feeding::DeviceFeeding;
use super::operations::{Keep, Operations, Tensor};
use super::spans::DeviceConvolution;
use super::stream::Stream;
use super::weights::DeviceNorm;
use epicene_kernels::Precision;
use epicene_transformer::Layer;

#[derive(Debug)]
pub struct DeviceLayer {
    pub(super) attention: DeviceAttention,
    pub(super) feeding: DeviceFeeding,
    pub(super) norms: DeviceNorms,
    parallel: bool,
    pub convolution: Option<DeviceConvolution>,
}

#[derive(Debug)]
pub(super) struct DeviceNorms {
    pub(super) before_attention: Option<DeviceNorm>,
    pub(super) of_attention: Option<DeviceNorm>,
    after_attention: Option<DeviceNorm>,
    pub(super) before_feed_forward: Option<DeviceNorm>,
    pub(super) of_feed_forward: Option<DeviceNorm>,
    after_feed_forward: Option<DeviceNorm>,
}

impl DeviceLayer {
    pub fn new(device: &Device, layer: &Layer) -> Result<DeviceLayer, CudaError> {
        let maybe = |norm: &Option<_>| DeviceNorm::maybe(device, norm.as_ref());
        let norms = &layer.norms;
        Ok(DeviceLayer {
            attention: DeviceAttention::new(device, &layer.attention)?,
            feeding: DeviceFeeding::new(device, layer)?,
            norms: DeviceNorms {
                before_attention: maybe(&norms.before_attention)?,
                of_attention: maybe(&norms.of_attention)?,
                after_attention: maybe(&norms.after_attention)?,
                before_feed_forward: maybe(&norms.before_feed_forward)?,
                of_feed_forward: maybe(&norms.of_feed_forward)?,
                after_feed_forward: maybe(&norms.after_feed_forward)?,
            },
            parallel: layer.parallel,
            convolution: match &layer.convolution {
                Some(convolution) => Some(DeviceConvolution::new(device, convolution)?),
                None => None,
            },
        })
    }

    /// Memory that one token needs at the widest place of a pass, generously.
    pub fn bytes_per_token(&self) -> usize {
        let hidden = self.attention.output.outputs;
        let attention = self.attention.numbers_per_token();
        4 * (6 * hidden + attention + self.feeding.numbers_per_token())
    }

    /// Bytes of a token's keys and values.
    pub fn kept_bytes(&self, precision: Precision) -> usize {
        self.attention.kept_bytes(precision)
    }

    pub(super) fn apply<'a>(
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
        let attention = &self.attention;
        let (attended, _) = attention.apply(
            operations, batch, &source, only_read, received, growing, None,
        )?;
        let mut attended = (attended, self.attention.output.bias.as_ref());
        if let Some(norm) = &norms.of_attention {
            attended = (norm_alone(operations, attended, norm)?, None);
        }
        if only_read {
            stream.gather(batch.read_rows, batch.reads)?;
            if self.parallel {
                source = operations.gather(&source, batch.read_rows, batch.reads)?;
            }
        }
        if self.parallel {
            // Both halves read the layer's input, through one norm or one each.
            let source = match &norms.before_feed_forward {
                Some(norm) => stream.normed(norm, Keep::Nothing)?,
                None => source,
            };
            let fed = self.feeding.apply(operations, &source)?;
            stream.pending.push(attended);
            stream.pending.push(fed);
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
        let mut fed = self.feeding.apply(operations, &source)?;
        if let Some(norm) = &norms.of_feed_forward {
            fed = (norm_alone(operations, fed, norm)?, None);
        }
        stream.copy = None;
        stream.pending.push(fed);
        if let Some(norm) = &norms.after_feed_forward {
            stream.copy = Some(stream.normed(norm, Keep::Normed)?);
        }
        Ok(())
    }
}

pub(super) fn norm_alone(
    operations: &Operations,
    (tensor, bias): (Tensor, Option<&Buffer>),
    norm: &DeviceNorm,
) -> Result<Tensor, CudaError> {
    let out = operations.tensor(tensor.rows, tensor.columns)?;
    let added = [(&tensor, bias)];
    operations.add_norm(None, &added, Some(norm), Keep::Nothing, Some(&out))?;
    Ok(out)
}
