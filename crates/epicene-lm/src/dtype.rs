//! The arithmetic people may ask for (`--dtype`), and what it is on a processor and on a GPU.

use std::fmt;
use std::str::FromStr;

use crate::checkpoint::CheckpointError;
use crate::cpu::Narrow;
use crate::cuda;

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

    pub(crate) fn on_gpu(self) -> Result<cuda::Dtype, cuda::CudaError> {
        match self {
            Dtype::F32 => Ok(cuda::Dtype::F32),
            Dtype::Tf32 => Ok(cuda::Dtype::Tf32),
            Dtype::F16 => Ok(cuda::Dtype::F16),
            Dtype::Bf16 => Ok(cuda::Dtype::Bf16),
            Dtype::Int8 => Err(cuda::CudaError::Arithmetic(self.name())),
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
