//! The integration tests of `epicene-io`: one binary, so that they are linked once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod output;
mod outside;
mod pool;
