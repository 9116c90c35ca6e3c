//! Models that run in this process, on CPU or GPU: architectures, scoring, generation and translation.
//!
//! The layers below read files ([`epicene_checkpoint`]), split texts into tokens ([`epicene_tokenize`]) and compute
//! ([`epicene_transformer`], [`epicene_cuda`]). This crate says which tensors make up which model (`architectures`), turns a
//! question into passes through it (`model`), and searches for texts (`generate`, `seq2seq`).

mod architectures;
mod checkpoint;
mod error;
pub mod generate;
pub mod likelihood;
mod model;
mod model_spec;
pub mod seq2seq;

pub use architectures::ARCHITECTURES;
pub use checkpoint::Checkpoint;
pub use epicene_core::System;
pub use error::{LmError, ServerProblem};
pub use model::{
    EngineOptions, Fitting, Read, Reading, TransformerModel, Wanted, WordPieces,
    differ_in_one_token, divergence, text_score, too_long,
};
pub use model_spec::{ModelSpec, ModelSpecError};
