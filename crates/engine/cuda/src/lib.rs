//! Transformers on a CUDA device: the same packed batches and the same parts of a model as on CPU.
//!
//! The driver and cuBLAS are looked for when the program runs, so that one binary starts everywhere.
//! Matrix products go through cuBLAS; what lies between them through the kernels in `kernels.cu`,
//! carried as PTX. Why it is built so, and what was measured: docs/gpu.md.

mod alternating;
#[cfg(test)]
mod alternating_tests;
mod attending;
mod attention;
#[cfg(test)]
mod attention_tests;
mod batch;
mod best;
mod cards;
mod clock;
mod copies;
mod decoder;
mod device;
mod embedding;
mod experts;
mod feeding;
mod filling;
mod folding;
mod forward;
mod growing;
mod head;
mod latent;
mod layer;
mod operations;
pub mod place;
mod product;
mod reading;
mod rows;
mod slots;
mod spans;
mod staging;
mod stream;
#[cfg(test)]
mod tests;
mod upload;
mod weights;

pub use best::Choosing;
pub use cards::{Cards, Placement};
pub use decoder::{DeviceDecoder, Rows};
pub use device::{Buffer, Device};
pub use forward::DeviceModel;
pub use growing::Grown;
pub use operations::Tensor;
pub use reading::Request;
pub use slots::{SlotCache, Slots};
pub use weights::Placed;

use epicene_checkpoint::CheckpointError;
pub use epicene_kernels::Dtype;

/// Why a GPU could not be used.
#[derive(Debug, thiserror::Error)]
pub enum CudaError {
    #[error("no NVIDIA driver was found on this machine")]
    NoDriver,
    #[error("the NVIDIA driver is installed, but the library {0} is missing")]
    NoLibrary(&'static str),
    #[error("there is no GPU number {ordinal}; there are {count}")]
    NoDevice { ordinal: usize, count: usize },
    #[error("{name} has compute capability {major}.{minor}; 8.0 or newer is needed")]
    TooOld {
        name: String,
        major: i32,
        minor: i32,
    },
    #[error("the model needs {needed_gb:.1} GB on the GPU, {free_gb:.1} GB are free")]
    Memory { needed_gb: f64, free_gb: f64 },
    #[error("this architecture does not run on the GPU yet: {0}")]
    Unsupported(&'static str),
    #[error("token {0} stands for a picture or a sound, which is not supported")]
    NoText(usize),
    #[error("{0} is not supported on a GPU")]
    Arithmetic(&'static str),
    #[error("CUDA: {0}")]
    Driver(String),
}

impl From<cudarc::driver::DriverError> for CudaError {
    fn from(error: cudarc::driver::DriverError) -> CudaError {
        CudaError::Driver(error.to_string())
    }
}

impl From<cudarc::cublas::result::CublasError> for CudaError {
    fn from(error: cudarc::cublas::result::CublasError) -> CudaError {
        CudaError::Driver(format!("cuBLAS: {error:?}"))
    }
}

impl From<CudaError> for CheckpointError {
    fn from(error: CudaError) -> CheckpointError {
        CheckpointError::Device {
            message: error.to_string(),
            hint: error.hint(),
        }
    }
}

impl CudaError {
    pub(crate) const ODD_LAYER: CudaError =
        CudaError::Unsupported("a layer whose width is no multiple of four");

    pub fn hint(&self) -> Option<&'static str> {
        match self {
            CudaError::NoDriver | CudaError::NoDevice { .. } => {
                Some("leave --device out, or say --device cpu")
            }
            CudaError::NoLibrary(_) => Some(
                "install the CUDA runtime libraries, or add the folder that holds them to LD_LIBRARY_PATH",
            ),
            CudaError::Memory { .. } => Some(
                "take --dtype bf16, another GPU (--device cuda:N), --device cpu, or serve the model over several GPUs (vLLM) and measure it as openai:NAME@URL",
            ),
            CudaError::Unsupported(_) | CudaError::TooOld { .. } => Some("say --device cpu"),
            CudaError::Arithmetic(_) => {
                Some("pass --dtype bf16, f16, tf32 or f32, or --device cpu")
            }
            CudaError::NoText(_) | CudaError::Driver(_) => None,
        }
    }
}
