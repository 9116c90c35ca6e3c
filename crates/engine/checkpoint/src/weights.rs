//! Named tensors, wherever they lie. Numbers come out as f32, a few rows at a time: nothing here
//! ever holds a whole checkpoint.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::CheckpointError;
use epicene_kernels::{Keeping, MOST_BYTES, Narrow, PackedMatrix, Precision};

/// Rows of a stored tensor, one after the other.
#[derive(Debug, Clone, Copy)]
pub struct RowRun<'a> {
    pub tensor: &'a str,
    pub first: usize,
    pub rows: usize,
}

/// A GPU's memory, as far as loading weights needs it. The buffers are opaque here: only the GPU's code reads them.
pub trait DeviceMemory: Send + Sync + fmt::Debug {
    /// Copies runs of rows to the GPU in its number format.
    fn place_rows(
        &self,
        weights: &dyn Weights,
        runs: &[RowRun<'_>],
        columns: usize,
    ) -> Result<Arc<dyn Any + Send + Sync>, CheckpointError>;

    /// Copies numbers to the GPU in its number format.
    fn place_values(&self, values: &[f32]) -> Result<Arc<dyn Any + Send + Sync>, CheckpointError>;
}

/// A source of weights: safetensors here, other containers beside it, or others that these stand in front of.
pub trait Weights: Send + Sync + fmt::Debug {
    /// Those that answer whatever is not answered here.
    fn inner(&self) -> Option<&dyn Weights> {
        None
    }

    fn shape(&self, name: &str) -> Option<&[usize]> {
        behind(self.inner()).shape(name)
    }

    /// How the numbers are kept; decides how packed weights are kept in memory.
    fn precision(&self, name: &str) -> Option<Precision> {
        behind(self.inner()).precision(name)
    }

    /// Fills `out` with the numbers from element `first` on, row-major.
    fn read(&self, name: &str, first: usize, out: &mut [f32]) -> Result<(), CheckpointError> {
        behind(self.inner()).read(name, first, out)
    }

    /// Fills `out` with the numbers as they are kept, little-endian, if they are kept in this
    /// precision; where not, says so, and [`Weights::read`] has them as f32.
    fn read_kept(
        &self,
        name: &str,
        first: usize,
        precision: Precision,
        out: &mut [u8],
    ) -> Result<bool, CheckpointError> {
        match self.inner() {
            Some(inner) => inner.read_kept(name, first, precision, out),
            None => Ok(false),
        }
    }

    /// Tensors of plain bytes with their shapes: packed numbers that somebody else unpacks.
    fn byte_tensors(&self) -> Vec<(&str, &[usize])> {
        self.inner().map_or_else(Vec::new, Weights::byte_tensors)
    }

    /// Fills `out` with the bytes of such a tensor from `first` on.
    fn read_bytes(&self, name: &str, first: usize, out: &mut [u8]) -> Result<(), CheckpointError> {
        match self.inner() {
            Some(inner) => inner.read_bytes(name, first, out),
            None => Err(CheckpointError::NoTensor {
                file: self.file_of(name).to_owned(),
                tensor: name.to_owned(),
            }),
        }
    }

    /// The GPU that matrices go to as they are loaded, if not this machine's memory.
    fn device(&self) -> Option<&dyn DeviceMemory> {
        self.inner()?.device()
    }

    /// What matrices in this machine's memory are rounded to as they are loaded, if products with them are not in f32.
    fn narrow(&self) -> Option<Narrow> {
        self.inner()?.narrow()
    }

    /// Told that a tensor is part of the model.
    fn note(&self, name: &str) {
        if let Some(inner) = self.inner() {
            inner.note(name);
        }
    }

    /// In alphabetical order.
    fn names(&self) -> Vec<&str> {
        behind(self.inner()).names()
    }

    /// The file a tensor is in, or would be in, for messages.
    fn file_of(&self, name: &str) -> &str {
        behind(self.inner()).file_of(name)
    }
}

fn behind(inner: Option<&dyn Weights>) -> &dyn Weights {
    inner.expect("weights that have no others behind them say where their numbers are")
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
        Some(narrow) => Ok(Keeping::rounded(narrow)),
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
    pub(crate) fn new(
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
