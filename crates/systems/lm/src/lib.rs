//! Language models, as a benchmark sees them: something that answers questions in batches.
//!
//! A system never knows which benchmark is asking. It may be weights that `epicene-engine` runs, a server, a chat service, a file
//! of answers, or a null system whose result is known beforehand.

mod answers;
pub mod chat;
mod null;
mod remote;
mod spec;

pub use answers::AnswerBook;
pub use epicene_checkpoint::gguf::FAMILIES as GGUF_FAMILIES;
pub use epicene_checkpoint::{CheckpointError, Config, Download, Hub, StoredTensors, Weights};
pub use epicene_core::System;
pub use epicene_cuda::{CudaError, Device, Placement};
pub use epicene_engine::{
    ARCHITECTURES, Checkpoint, EngineOptions, Fitting, LmError, ModelSpec, Read, Reading,
    ServerProblem, TransformerModel, Wanted, WordPieces, differ_in_one_token, generate, likelihood,
    seq2seq,
};
pub use epicene_kernels::{Dtype, Narrow, Precision, instruction_set};
pub use epicene_tokenize::TextTokenizer;
pub use null::{AlwaysModel, RandomModel};
pub use remote::{Endpoints, RemoteModel, read_completion, read_completions};
pub use spec::{SystemSpec, SystemSpecError};
