//! The record of a run: a directory with a manifest, the items, and an append-only log of
//! observations. Everything reported is a pure function of what lies in it.
//!
//! ```text
//! RUN/manifest.json    what was asked of whom, with which data, seed and options
//! RUN/items.jsonl      the items, one a line, in the order they are asked
//! RUN/inputs/          further files the measures were checked against
//! RUN/links/           what an encoder linked, where a run has one for its aligner
//! RUN/log.jsonl        one observation a line, appended as answers come
//! RUN/log/             the same in numbered files that are written whole, where that was asked for
//! RUN/failures.jsonl   questions that somebody elsewhere could not answer
//! RUN/times.json       when it was started and finished
//! RUN/measures.json    signature and rows, rewritten from the log
//! ```

mod directory;
mod error;
mod items;
mod links;
mod log;
mod made;
mod manifest;
mod measures;
mod merge;
mod plan;
mod segments;
mod shard;
mod sums;
mod times;
mod writer;

pub use directory::{RunDirectory, log_files};
pub use epicene_io::{Sha256Digest, sha256_hex};
pub use error::RunError;
pub use items::ItemStore;
pub(crate) use log::LogReader;
pub(crate) use log::LogWriter;
pub use log::read_observation;
pub use manifest::{AlignerCard, Asked, HostFacts, InputCard, LogLayout, Manifest, SystemPlan};
pub use measures::RunSummary;
pub use merge::{MergeOptions, MergeReport, answer_digest, merge};
pub use plan::{Coverage, Plan, Probe};
pub use shard::Shard;
pub use sums::Sums;
pub use times::Times;
pub use writer::RunWriter;
