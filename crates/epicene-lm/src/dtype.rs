//! The arithmetic people may ask for (`--dtype`), and what it is on a processor and on a GPU.

use std::fmt;
use std::str::FromStr;

use crate::checkpoint::CheckpointError;
use crate::cpu::{Narrow, Precision};

/// What products with weights are computed in. Stands in a model's card, and so in signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dtype {
    F32,
    /// f32 in memory, 19 bits in the products (GPU).
    Tf32,
    /// GPU.
    F16,
    Bf16,
    /// Weights per output, activations per row (processor).
    Int8,
}

impl Dtype {
    const ALL: [Dtype; 5] = [
        Dtype::F32,
        Dtype::Tf32,
        Dtype::F16,
        Dtype::Bf16,
        Dtype::Int8,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Dtype::F32 => "f32",
            Dtype::Tf32 => "tf32",
            Dtype::F16 => "f16",
            Dtype::Bf16 => "bf16",
            Dtype::Int8 => "int8",
        }
    }

    /// On the processor: none is f32.
    pub(crate) fn here(self) -> Result<Option<Narrow>, CheckpointError> {
        match self {
            Dtype::F32 => Ok(None),
            Dtype::Bf16 => Ok(Some(Narrow::Bf16)),
            Dtype::Int8 => Ok(Some(Narrow::Int8)),
            Dtype::Tf32 | Dtype::F16 => Err(CheckpointError::NotHere { dtype: self.name() }),
        }
    }

    /// What fits how the weights are kept.
    pub fn of(stored: Precision) -> Dtype {
        match stored {
            Precision::F32 => Dtype::F32,
            Precision::F16 => Dtype::F16,
            Precision::Bf16 => Dtype::Bf16,
        }
    }

    /// How a GPU keeps activations and weights for it; none where a GPU does not compute it.
    pub fn precision(self) -> Option<Precision> {
        match self {
            Dtype::F32 | Dtype::Tf32 => Some(Precision::F32),
            Dtype::F16 => Some(Precision::F16),
            Dtype::Bf16 => Some(Precision::Bf16),
            Dtype::Int8 => None,
        }
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dtype {
    type Err = String;

    fn from_str(given: &str) -> Result<Dtype, String> {
        let mut all = Dtype::ALL.into_iter();
        all.find(|dtype| dtype.name() == given)
            .ok_or_else(|| format!("`{given}` is not f32, tf32, f16, bf16 or int8"))
    }
}
