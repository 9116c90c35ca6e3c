//! llama.cpp's model files.
//!
//! A GGUF file holds what a Hugging Face checkpoint has in three: hyper-parameters, weights and a
//! vocabulary, under names and in layouts of its own. This module reads the container ([`Gguf`]),
//! unpacks quantised rows to f32, and shows a file as what it was converted from: the fields of a
//! `config.json` ([`config`]) and tensors under their Hugging Face names and in that layout
//! ([`HfWeights`]). `epicene-tokenize` reads its vocabulary.

mod blocks;
mod config;
mod cursor;
mod error;
mod families;
mod file;
mod grid_blocks;
mod kind;
mod layout;
mod small_blocks;
mod split;
mod value;
mod weights;

pub use config::config;
pub use error::GgufError;
pub use families::FAMILIES;
pub use file::Gguf;
pub(crate) use file::Tensor;
pub use kind::Kind;
pub use layout::Layout;
pub use split::parts as files_of;
pub use value::{Array, Value};
pub use weights::HfWeights;
