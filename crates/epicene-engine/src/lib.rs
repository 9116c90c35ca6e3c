//! Models that run in this process, on CPU or GPU: architectures, scoring, generation and translation.
//!
//! The layers below read files ([`epicene_checkpoint`]), split texts into tokens ([`epicene_tokenize`]) and compute
//! ([`epicene_transformer`], [`epicene_cuda`]). This crate says which tensors make up which model (`architectures`), turns a
//! question into passes through it (`model`), and searches for texts (`generate`, `seq2seq`).

mod architectures;
mod checkpoint;
mod error;
pub mod generate;
pub mod likelihood;
mod model;
mod model_spec;
pub mod seq2seq;

pub use architectures::ARCHITECTURES;
pub use checkpoint::Checkpoint;
pub use error::LmError;
pub use model::{
    EngineOptions, Fitting, Read, Reading, TransformerModel, Wanted, WordPieces,
    differ_in_one_token, divergence, text_score, too_long,
};
pub use model_spec::{ModelSpec, ModelSpecError};

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
