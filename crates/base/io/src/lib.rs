//! Bytes in and out, with nothing of the domain: every file is written whole or not at all, everything
//! read has a limit, every server is spoken to under one policy, and nothing from outside reaches a
//! terminal as it came.

mod address;
pub mod bounded;
mod certificates;
pub mod columns;
pub mod digest;
pub mod download;
pub mod guard;
pub mod http;
pub mod input;
pub mod limits;
mod moment;
pub mod output;
pub mod packing;
pub mod pool;
pub mod position;
pub mod quote;
pub mod regular;
mod secret;
pub mod session;
pub mod stop;
pub mod threads;
pub mod waiting;
mod zstandard;

pub use digest::{Checksum, Sha256Digest, sha256_hex};
pub use input::{Input, Packing};
pub use moment::Moment;
pub use output::{FileId, OutputFile, write_file};
pub use packing::PackedWriter;
