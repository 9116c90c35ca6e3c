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

use epicene_core::{Answer, Hearing, Query, ServerCard, SystemCard};

/// Answers questions about text. Small and batch-first: the engine decides how to run a batch.
pub trait LanguageModel: Send + Sync {
    fn card(&self) -> &SystemCard;

    /// How many questions are worth asking at once. Answers are stored when a batch is done, so
    /// this is also what a killed run has to ask again.
    fn batch_size(&self) -> usize {
        1
    }

    /// Whether the options of a question come with log-probabilities, in this unit.
    fn option_probabilities(&self, unit: &str) -> Result<bool, LmError> {
        let _ = unit;
        Ok(false)
    }

    /// The server that answers, where the card does not say which: it is asked who it is.
    fn server(&self) -> Result<Option<ServerCard>, LmError> {
        Ok(None)
    }

    /// Refuses answers of a server whose model was changed while it was asked.
    fn check_server(&self) -> Result<(), LmError> {
        Ok(())
    }

    /// One answer for each question, in order. The same question gets the same answer whatever
    /// else is in the batch.
    fn observe(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, LmError>;

    /// The same, with answers handed on as they come, those together that are there together: what was answered before a
    /// failure is not lost.
    fn observe_each(&self, batch: &[Query<'_>], on: &mut Hearing<'_>) -> Result<(), LmError> {
        on(&mut self.observe(batch)?.into_iter().enumerate());
        Ok(())
    }

    /// What people should know about the answers so far.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}
