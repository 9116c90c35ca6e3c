//! The integration tests of `epicene-engine`: one binary, so that they are linked once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod bad_checkpoints;
mod chat_templates;
mod cuda;
mod eight_bits;
mod fillers;
mod generation;
mod gguf;
mod hostile;
mod hub;
mod independence;
mod japanese;
mod likelihood_reference;
mod moses;
mod odd_checkpoints;
mod old_tokenizers;
mod parity;
mod pickles;
mod rounded;
mod sentence_likelihoods;
mod seq2seq;
#[path = "../../../../../tests/shared_data.rs"]
mod shared_data;
mod support;
