//! Named tensors, wherever they lie. Numbers come out as f32, a few rows at a time: nothing here
//! ever holds a whole checkpoint.

use std::fmt;
use std::sync::Arc;

use super::CheckpointError;
use crate::cpu::{Keeping, MOST_BYTES, Narrow, PackedMatrix, Precision};
use crate::cuda::Device;

/// A source of weights: safetensors here, other containers beside it.
pub trait Weights: Send + Sync + fmt::Debug {
    fn shape(&self, name: &str) -> Option<&[usize]>;

    /// How the numbers are kept; decides how packed weights are kept in memory.
    fn precision(&self, name: &str) -> Option<Precision>;

    /// Fills `out` with the numbers from element `first` on, row-major.
    fn read(&self, name: &str, first: usize, out: &mut [f32]) -> Result<(), CheckpointError>;

    /// Fills `out` with the numbers as they are kept, little-endian, if they are kept in this
    /// precision; where not, says so, and [`Weights::read`] has them as f32.
    fn read_kept(
        &self,
        _name: &str,
        _first: usize,
        _precision: Precision,
        _out: &mut [u8],
    ) -> Result<bool, CheckpointError> {
        Ok(false)
    }

    /// Tensors of plain bytes with their shapes: packed numbers that somebody else unpacks.
    fn byte_tensors(&self) -> Vec<(&str, &[usize])> {
        Vec::new()
    }

    /// Fills `out` with the bytes of such a tensor from `first` on.
    fn read_bytes(
        &self,
        name: &str,
        _first: usize,
        _out: &mut [u8],
    ) -> Result<(), CheckpointError> {
        Err(CheckpointError::NoTensor {
            file: self.file_of(name).to_owned(),
            tensor: name.to_owned(),
        })
    }

    /// The device that matrices go to as they are loaded, if not this machine's memory.
    fn device(&self) -> Option<&Arc<Device>> {
        None
    }

    /// What matrices in this machine's memory are rounded to as they are loaded, if products with them are not in f32.
    fn narrow(&self) -> Option<Narrow> {
        None
    }

    /// Told that a tensor is part of the model.
    fn note(&self, _name: &str) {}

    /// In alphabetical order.
    fn names(&self) -> Vec<&str>;

    /// The file a tensor is in, or would be in, for messages.
    fn file_of(&self, name: &str) -> &str;
}

/// How a matrix of so many inputs, stored under this name, is packed.
pub fn keeping(
    weights: &dyn Weights,
    name: &str,
    inputs: usize,
) -> Result<Keeping, CheckpointError> {
    match weights.narrow() {
        Some(Narrow::Int8) if inputs > MOST_BYTES => Err(CheckpointError::TooDeep {
            inputs,
            most: MOST_BYTES,
        }),
        Some(narrow) => Ok(Keeping::Rounded(narrow)),
        None => {
            let stored = weights.precision(name);
            Ok(Keeping::Wide(stored.unwrap_or(Precision::F32)))
        }
    }
}

/// A tensor of rows that are read one at a time: token embeddings and the language-model head.
#[derive(Debug, Clone)]
pub struct Table {
    weights: Arc<dyn Weights>,
    name: String,
    pub rows: usize,
    pub columns: usize,
}

impl Table {
    pub(super) fn new(
        weights: Arc<dyn Weights>,
        name: String,
        rows: usize,
        columns: usize,
    ) -> Table {
        Table {
            weights,
            name,
            rows,
            columns,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn weights(&self) -> &Arc<dyn Weights> {
        &self.weights
    }

    /// All of it in memory, for products with every row.
    pub fn packed(&self) -> Result<PackedMatrix, CheckpointError> {
        let keeping = keeping(&*self.weights, &self.name, self.columns)?;
        PackedMatrix::pack(self.rows, self.columns, keeping, |first, out| {
            self.read(first, out)
        })
    }

    /// Consecutive rows, as many as fit `out`.
    pub fn read(&self, first: usize, out: &mut [f32]) -> Result<(), CheckpointError> {
        self.weights.read(&self.name, first * self.columns, out)
    }
}
