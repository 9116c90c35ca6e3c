//! The integration tests of `epicene-report`: one binary, so that they are linked once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod figures;
mod formats;
mod samples;
#[path = "../../../../../tests/shared_data.rs"]
mod shared_data;
