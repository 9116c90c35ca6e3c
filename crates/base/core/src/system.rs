//! What a run asks: weights, a server, a chat service, a translator with its cache, a file of answers, or a null system whose
//! result is known beforehand. A system never knows which benchmark is asking.

use std::error::Error;
use std::fmt;

use crate::{Answer, Query, Question, ServerCard, SystemCard};

/// Answers questions. Small and batch-first: the system decides how to work through a batch.
pub trait System: Send + Sync {
    fn card(&self) -> &SystemCard;

    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    /// Whether the options of a question come with log-probabilities, in this unit.
    fn option_probabilities(&self, unit: &str) -> Result<bool, SystemError> {
        let _ = unit;
        Ok(false)
    }

    /// The server that answers, where the card does not say which: it is asked who it is.
    fn server(&self) -> Result<Option<ServerCard>, SystemError> {
        Ok(None)
    }

    /// Refuses answers of a server whose model was changed while it was asked.
    fn check_server(&self) -> Result<(), SystemError> {
        Ok(())
    }

    /// Takes over an answer that a run has already; it must be by what answers now. Only systems that say so in their
    /// capabilities are given any.
    fn accept(&self, kept: &Answer) -> Result<(), SystemError> {
        let _ = kept;
        Ok(())
    }

    /// What these questions would cost; `None` of a system that costs nothing, which does not look at them.
    fn cost(
        &self,
        questions: &mut dyn Iterator<Item = Question>,
    ) -> Result<Option<Cost>, SystemError> {
        let _ = questions;
        Ok(None)
    }

    /// One answer for each question, in order. The same question gets the same answer whatever else is in the batch.
    fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError>;

    /// The same, with answers handed on as they come, those together that are there together: what was answered before a
    /// failure is not lost.
    fn answer_each(&self, batch: &[Query<'_>], on: &mut AnswerSink<'_>) -> Result<(), SystemError> {
        on(&mut self.answer(batch)?.into_iter().enumerate());
        Ok(())
    }

    /// What people should know about the answers so far.
    fn notes(&self) -> Vec<Note> {
        Vec::new()
    }
}

/// Receives answers as they come, those together that are there together, with their indices in the batch.
pub type AnswerSink<'a> = dyn FnMut(&mut dyn Iterator<Item = (usize, Answer)>) + 'a;

/// All answers of a batch, for a system that hands them on as they come.
pub fn collect_answers(
    system: &dyn System,
    batch: &[Query<'_>],
) -> Result<Vec<Answer>, SystemError> {
    let mut answers = vec![None; batch.len()];
    system.answer_each(batch, &mut |arrived| {
        arrived.for_each(|(index, answer)| answers[index] = Some(answer));
    })?;
    let answers = answers.into_iter();
    Ok(answers
        .map(|answer| answer.expect("a system that does not fail answers every question"))
        .collect())
}

/// What a system can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// How many questions are worth asking at once. Answers are stored when a batch is done, so this is also what a killed
    /// run has to ask again.
    pub batch_size: usize,
    /// Whether it compares answers of before with what answers now ([`System::accept`]).
    pub accepts_answers: bool,
}

impl Default for Capabilities {
    fn default() -> Capabilities {
        Capabilities::of_batches(1)
    }
}

impl Capabilities {
    pub fn of_batches(batch_size: usize) -> Capabilities {
        Capabilities {
            batch_size,
            accepts_answers: false,
        }
    }
}

/// What questions cost that no cache answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// Questions or sentences that would be asked.
    pub count: u64,
    /// Estimated US dollars, where the price is known.
    pub dollars: Option<f64>,
    /// For people: `12 sentences to ask for, 340 characters, about 0.01 USD by the price list of 2025-10, an estimate`.
    pub words: String,
}

/// What people should know about answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    Info(String),
    /// It changes what the numbers mean.
    Warning(String),
}

/// Why a system did not answer.
#[derive(Debug)]
pub struct SystemError {
    pub kind: ErrorKind,
    /// The index in the batch of the question that it is about; absent where no question is to blame.
    pub question: Option<usize>,
    pub source: Box<dyn Error + Send + Sync>,
    /// What to do about it, where that is not plain from the message.
    pub hint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// This question has no answer; others have.
    Unanswerable,
    /// The system does not answer questions of this kind.
    WrongQuestion,
    /// Anything else: the same question may be answered another time.
    Failed,
}

impl SystemError {
    pub fn new(kind: ErrorKind, source: impl Into<Box<dyn Error + Send + Sync>>) -> SystemError {
        SystemError {
            kind,
            question: None,
            source: source.into(),
            hint: None,
        }
    }

    pub fn with_hint(self, hint: Option<String>) -> SystemError {
        SystemError { hint, ..self }
    }

    /// The same, of a question of the batch.
    pub fn about(self, question: usize) -> SystemError {
        SystemError {
            question: Some(question),
            ..self
        }
    }

    /// The same, where the batch was a part of another: `index` says where each of its questions stands there.
    pub fn in_batch(self, index: impl FnOnce(usize) -> usize) -> SystemError {
        SystemError {
            question: self.question.map(index),
            ..self
        }
    }
}

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)
    }
}

impl Error for SystemError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.source()
    }
}
