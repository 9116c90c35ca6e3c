//! The residual stream. It is f32; what a layer adds to it waits, and is added by the norm that reads the sum next: one sweep
//! over memory instead of two.

use super::CudaError;
use super::device::{Argument, Buffer};
use super::operations::{Keep, Operations, Tensor};
use super::weights::DeviceNorm;

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

    pub(super) fn gather(&mut self, rows: Argument, count: usize) -> Result<(), CudaError> {
        self.residual = self.operations.gather_full(&self.residual, rows, count)?;
        self.copy = match self.copy.take() {
            Some(copy) => Some(self.operations.gather(&copy, rows, count)?),
            None => None,
        };
        Ok(())
    }
}
