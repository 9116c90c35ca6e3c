//! Logits of single tokens, and normalisers folded over chunks of the vocabulary.

use super::CudaError;
use super::device::{Argument, Buffer};
use super::operations::{Operations, ROW_THREADS, Tensor, grid, int};

use Argument::Float;

impl Operations {
    /// The logit of each (row, token) pair, written from `out` on.
    #[allow(clippy::too_many_arguments)]
    pub fn logits(
        &self,
        rows: &Tensor,
        decoder: &Buffer,
        bias: Option<&Buffer>,
        soft_cap: Option<f32>,
        pair_rows: Argument,
        pair_tokens: Argument,
        pairs: usize,
        out: Argument,
    ) -> Result<(), CudaError> {
        let arguments = [
            (&rows.buffer).into(),
            decoder.into(),
            bias.into(),
            Float(soft_cap.unwrap_or(0.0)),
            int(rows.columns),
            pair_rows,
            pair_tokens,
            int(pairs),
            out,
        ];
        let blocks = grid(pairs.div_ceil(8));
        self.device
            .launch(&self.own.logits, blocks, ROW_THREADS, 0, &arguments)
    }

    pub fn start_fold(&self, peaks: &Buffer, sums: &Buffer, rows: usize) -> Result<(), CudaError> {
        let arguments = [peaks.into(), sums.into(), int(rows)];
        self.device.launch(
            &self.start_fold,
            grid(rows.div_ceil(256)),
            256,
            0,
            &arguments,
        )
    }

    #[allow(clippy::too_many_arguments)]
    pub fn fold_logits(
        &self,
        chunk: &Buffer,
        rows: usize,
        columns: usize,
        first: usize,
        bias: Option<&Buffer>,
        soft_cap: Option<f32>,
        peaks: &Buffer,
        sums: &Buffer,
    ) -> Result<(), CudaError> {
        let arguments = [
            chunk.into(),
            int(columns),
            int(first),
            bias.into(),
            Float(soft_cap.unwrap_or(0.0)),
            peaks.into(),
            sums.into(),
        ];
        self.device
            .launch(&self.fold_logits, grid(rows), ROW_THREADS, 0, &arguments)
    }

    pub fn finish_fold(
        &self,
        peaks: &Buffer,
        sums: &Buffer,
        rows: usize,
        out: Argument,
    ) -> Result<(), CudaError> {
        let arguments = [peaks.into(), sums.into(), int(rows), out];
        self.device.launch(
            &self.finish_fold,
            grid(rows.div_ceil(256)),
            256,
            0,
            &arguments,
        )
    }
}
