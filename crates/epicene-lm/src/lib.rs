//! Language models, as a benchmark sees them: something that answers questions in batches.
//!
//! A system never knows which benchmark is asking. It may be weights, a server, a file of answers
//! somebody already has, or a null system whose result is known beforehand.

mod answers;
mod architectures;
pub mod chat;
mod checkpoint;
mod continuations;
mod error;
mod fitting;
pub mod generate;
pub mod gguf;
pub mod likelihood;
mod model;
mod model_spec;
mod null;
mod opening;
mod reading;
mod reading_on_device;
mod reading_rows;
mod remote;
mod sentences;
pub mod seq2seq;
mod spec;
mod subwords;
mod text_pair;
mod tokenizer;

pub use answers::AnswerBook;
pub use architectures::ARCHITECTURES;
pub use checkpoint::Checkpoint;
pub use epicene_checkpoint::{CheckpointError, Config, Download, Hub, StoredTensors, Weights};
pub use epicene_core::System;
pub use epicene_cuda::{CudaError, Device, Placement};
pub use epicene_kernels::{Dtype, Narrow, Precision, instruction_set};
pub use error::{LmError, ServerProblem};

pub use fitting::{Fitting, differ_in_one_token};
pub use model::{EngineOptions, TransformerModel};
pub use model_spec::ModelSpec;
pub use null::{AlwaysModel, RandomModel};
pub use reading::{Read, Reading, Wanted};
pub use remote::{Endpoints, RemoteModel, read_completion, read_completions};
pub use spec::{SystemSpec, SystemSpecError};
pub use subwords::WordPieces;
pub use tokenizer::{Surroundings, TextTokenizer};
