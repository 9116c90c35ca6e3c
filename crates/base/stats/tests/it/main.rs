//! The integration tests of `epicene-stats`: one binary, so that they are linked once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod cluster_golden;
mod coverage;
mod errors;
mod golden;
mod ppi_golden;
mod properties;
