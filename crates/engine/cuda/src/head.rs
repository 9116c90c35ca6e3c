//! Logits and normalisers on the GPU; its twin on CPU is `epicene-transformer/src/head.rs`.

use std::sync::Arc;

use super::CudaError;
use super::best::Vocabulary;
use super::device::{Argument, Buffer, Device};
use super::forward::DeviceForward;
use super::operations::{Operations, Tensor};
use super::product::{Lines, Product};
use super::weights::{DeviceLinear, DeviceNorm, vector};
use epicene_kernels::{Activation, Precision};
use epicene_transformer::Head;

/// Logits held at once: 256 MB of f32.
const LOGITS: usize = 64 << 20;

#[derive(Debug)]
pub struct DeviceHead {
    transform: Option<(DeviceLinear, Activation, Option<DeviceNorm>)>,
    decoder: Arc<Buffer>,
    pub vocabulary: usize,
    columns: usize,
    bias: Option<Buffer>,
    soft_cap: Option<f32>,
}

/// What decoder rows are multiplied with: f32, and in the device's precision for whole vocabularies.
pub struct HeadRows {
    full: Tensor,
    narrow: Option<Tensor>,
}

impl HeadRows {
    /// In the device's precision.
    pub fn narrow(self, operations: &Operations) -> Result<Tensor, CudaError> {
        match self.narrow {
            Some(narrow) => Ok(narrow),
            None => operations.narrow(&self.full),
        }
    }
}

impl DeviceHead {
    pub fn new(
        device: &Device,
        head: &Head,
        decoder: Arc<Buffer>,
    ) -> Result<DeviceHead, CudaError> {
        let transform = match &head.transform {
            Some(transform) => Some((
                DeviceLinear::new(device, &transform.dense)?,
                transform.activation,
                DeviceNorm::maybe(device, transform.norm.as_ref())?,
            )),
            None => None,
        };
        Ok(DeviceHead {
            transform,
            decoder,
            vocabulary: head.decoder.rows,
            columns: head.decoder.columns,
            bias: vector(device, &head.bias)?,
            soft_cap: head.soft_cap,
        })
    }

    pub fn rows(
        &self,
        operations: &Operations,
        forward: DeviceForward,
    ) -> Result<HeadRows, CudaError> {
        let Some((dense, activation, norm)) = &self.transform else {
            return Ok(HeadRows {
                full: forward.hidden,
                narrow: forward.narrow,
            });
        };
        let narrow = match forward.narrow {
            Some(narrow) => narrow,
            None => operations.narrow(&forward.hidden)?,
        };
        let full = operations.linear_to(dense, &narrow, Precision::F32)?;
        operations.activate_full(&full, dense.bias.as_ref(), *activation)?;
        if let Some(norm) = norm {
            operations.norm_full(&full, norm)?;
        }
        Ok(HeadRows { full, narrow: None })
    }

    /// Logits of (row, token) pairs.
    pub fn logits(
        &self,
        operations: &Operations,
        rows: &HeadRows,
        pair_rows: Argument,
        pair_tokens: Argument,
        pairs: usize,
        out: Argument,
    ) -> Result<(), CudaError> {
        operations.logits(
            &rows.full,
            &self.decoder,
            self.bias.as_ref(),
            self.soft_cap,
            pair_rows,
            pair_tokens,
            pairs,
            out,
        )
    }

    /// The natural logarithm of each row's softmax normaliser, as f64 from `out` on.
    pub fn normalisers(
        &self,
        operations: &Operations,
        rows: &mut HeadRows,
        out: Argument,
    ) -> Result<(), CudaError> {
        let count = rows.full.rows;
        if count == 0 {
            return Ok(());
        }
        let device = &operations.device;
        let (peaks, sums) = (device.allocate(4 * count)?, device.allocate(8 * count)?);
        operations.start_fold(&peaks, &sums, count)?;
        let chunk = (LOGITS / count).clamp(64, self.vocabulary);
        let logits = device.allocate(4 * count * chunk)?;
        for first in (0..self.vocabulary).step_by(chunk) {
            let columns = chunk.min(self.vocabulary - first);
            self.sweep(operations, rows, first, columns, &logits)?;
            operations.fold_logits(
                &logits,
                count,
                columns,
                first,
                self.bias.as_ref(),
                self.soft_cap,
                &peaks,
                &sums,
            )?;
        }
        operations.finish_fold(&peaks, &sums, count, out)
    }

    /// Its rows, for the search for the best tokens.
    pub fn vocabulary(&self) -> Vocabulary<'_> {
        Vocabulary {
            rows: &self.decoder,
            size: self.vocabulary,
            columns: self.columns,
            bias: self.bias.as_ref(),
            // The last norm has it already.
            factor: 1.0,
            soft_cap: self.soft_cap,
        }
    }

    /// Raw products (no bias, no cap) of a chunk of the vocabulary.
    fn sweep(
        &self,
        operations: &Operations,
        rows: &mut HeadRows,
        first: usize,
        columns: usize,
        out: &Buffer,
    ) -> Result<(), CudaError> {
        let narrow = match rows.narrow.take() {
            Some(narrow) => narrow,
            None => operations.narrow(&rows.full)?,
        };
        operations.device.product(Product {
            rows: rows.full.rows,
            inputs: self.columns,
            outputs: columns,
            input: Lines::of(&narrow.buffer, 0, self.columns),
            weights: Lines::of(&self.decoder, first, self.columns),
            out: Lines::of(out, 0, columns),
            out_precision: Precision::F32,
            times: 1,
        })?;
        rows.narrow = Some(narrow);
        Ok(())
    }
}
