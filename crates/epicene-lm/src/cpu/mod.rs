//! The processor as a device: a dozen operations on packed tokens.
//!
//! Everything a model computes is said in terms of this module, so that another device can stand
//! beside it. All of it is single-threaded; threads are used one level up, a group of sentences
//! each.

mod attention;
mod kernel;
mod layer;
mod matrix;
mod memory;
mod product;
mod simd;

pub use attention::{Attending, DistanceBias, Queries, Relative, Seen, Sight, Slopes, attend};
pub use layer::{Activation, Linear, Norm, Rotary, Xielu};
pub use matrix::{Matrix, View, Workspace};
pub use memory::available_memory;
pub use product::{PART, PackedMatrix, Precision, times_packed, times_part, times_transposed};
pub use simd::{add, attend_rows, dot, exp_sum, highest, multiply, scale, soft_cap, softmax};

/// The instruction set the products run on, for reports.
pub fn instruction_set() -> &'static str {
    kernel::Kernel::best().name
}
