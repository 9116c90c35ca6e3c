//! The integration tests of `epicene-mt`: one binary, so that they are linked once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod local_models;
mod shards;
