//! The integration tests of `epicene-pipeline`: one binary, so that they are linked once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

#[allow(dead_code, reason = "the coverage study uses the rest")]
#[path = "../../examples/coverage/designs/mod.rs"]
mod designs;
mod directions;
mod intervals;
mod known_truth;
#[allow(dead_code, reason = "the known-truth study uses the rest")]
#[path = "../../examples/known_truth/truth/mod.rs"]
mod truth;
#[allow(dead_code, reason = "the coverage study uses the rest")]
#[path = "../../examples/coverage/world.rs"]
mod world;
