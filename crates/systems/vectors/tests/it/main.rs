//! The integration tests of `epicene-vectors`: one binary, so that they are linked once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod fasttext;
#[path = "../../../../../tests/shared_data.rs"]
mod shared_data;
mod toy_embeddings;
