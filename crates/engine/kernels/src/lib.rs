//! CPU kernels of the engine: matrix products, activations, attention and the number formats that they compute in.
//!
//! A model is expressed in these operations on packed tokens, and the GPU crate has the same ones. Every operation runs on one
//! thread: threads are used one level up, where each takes a group of sentences.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod amx;
mod attention;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod curves;
mod dtype;
mod kernel;
mod layer;
mod matrix;
mod memory;
mod narrow;
mod narrow_kernel;
#[cfg(target_arch = "aarch64")]
mod neon;
mod packed;
mod processor;
mod product;
mod rounding;
mod simd;

pub use attention::{
    AttentionMask, AttentionShape, DistanceBias, Queries, Relative, Seen, Slopes, attend,
};
pub use curves::Curve;
pub use dtype::{Dtype, UnsupportedOnCpu};
pub use layer::{Activation, Linear, Norm, Rotary, Xielu};
pub use matrix::{Matrix, View, Workspace};
pub use memory::available_memory;
pub use narrow::{MOST_BYTES, Narrow};
pub use packed::{Keeping, PackedMatrix, Precision};
pub use product::{PART, times_packed, times_part, times_transposed};
pub use simd::{add, attend_rows, dot, exp_sum, highest, multiply, scale, soft_cap, softmax};

/// The instruction set that products with weights run on, for reports.
pub fn instruction_set(narrow: Option<Narrow>) -> &'static str {
    match narrow {
        None => kernel::Kernel::best().name,
        Some(narrow) => match narrow_kernel::NarrowKernel::best(narrow) {
            Some(kernels) => kernels.many.name,
            // Only stored narrow.
            None => kernel::Kernel::best().name,
        },
    }
}
