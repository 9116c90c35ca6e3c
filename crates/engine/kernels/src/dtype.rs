//! The number formats that a user can choose with `--dtype`, and what each means on CPU and GPU.

use std::fmt;
use std::str::FromStr;

use crate::{Narrow, Precision};

/// Number format of products with weights. It is part of a model's card, and so of signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dtype {
    F32,
    /// f32 in memory, 19 bits in the products (GPU).
    Tf32,
    /// GPU.
    F16,
    Bf16,
    /// One scale for each output of the weights and each row of the activations (CPU).
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

    /// Rounding of weights and products on CPU; `None` is f32.
    pub fn on_cpu(self) -> Result<Option<Narrow>, UnsupportedOnCpu> {
        match self {
            Dtype::F32 => Ok(None),
            Dtype::Bf16 => Ok(Some(Narrow::Bf16)),
            Dtype::Int8 => Ok(Some(Narrow::Int8)),
            Dtype::Tf32 | Dtype::F16 => Err(UnsupportedOnCpu(self)),
        }
    }

    /// The format that matches the stored weights.
    pub fn of(stored: Precision) -> Dtype {
        match stored {
            Precision::F32 => Dtype::F32,
            Precision::F16 => Dtype::F16,
            Precision::Bf16 => Dtype::Bf16,
        }
    }

    /// How a GPU stores activations and weights for it; `None` if a GPU does not support it.
    pub fn precision(self) -> Option<Precision> {
        match self {
            Dtype::F32 | Dtype::Tf32 => Some(Precision::F32),
            Dtype::F16 => Some(Precision::F16),
            Dtype::Bf16 => Some(Precision::Bf16),
            Dtype::Int8 => None,
        }
    }
}

/// A number format that only a GPU has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not supported on CPU")]
pub struct UnsupportedOnCpu(pub Dtype);

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
