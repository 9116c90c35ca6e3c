//! Causal models behind an OpenAI-compatible server (vLLM, llama-cpp-python…), named
//! `openai:MODEL@URL[,URL…]`.
//!
//! The score is the difference of two words' log-probabilities behind a prompt. Both stand in the distribution of the
//! next token where each is one token; else the prompt with either word behind it is sent with `echo` (`asking.rs`). Two
//! whole texts, or all continuations of a context, are sent together. A server whose answer does not cover the text that was sent
//! is refused: some ignore `echo` and answer with the log-probabilities of something else (`protocol.rs`).

mod asking;
mod identity;
mod protocol;
mod text_pair;
mod transport;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use epicene_core::{
    Answer, AnswerSink, Capabilities, Note, Query, Question, ServerCard, System, SystemCard,
    SystemError, collect_answers,
};
use epicene_io::http::{HttpError, RetryPolicy, Secret};

use crate::{LmError, ServerProblem};
use asking::{Asked, Manner};
use epicene_engine::too_long;
use protocol::Way;

pub(crate) use identity::listed;
pub use protocol::{read_completion, read_completions};
pub use transport::Endpoints;

/// A model on one server or several with the same weights.
#[derive(Debug)]
pub struct RemoteModel {
    card: SystemCard,
    server: ServerCard,
    model: String,
    endpoints: Endpoints,
    /// How the log-probabilities of a given text are had there.
    way: Way,
    /// What was found out about the server while asking.
    manner: Mutex<Manner>,
    /// The model that answers, as replies name it.
    served: Mutex<Option<String>>,
    /// Questions whose text the server finds too long.
    too_long: AtomicU64,
}

/// Questions wanted at once, for each request that may be under way.
const DEPTH: usize = 16;

impl RemoteModel {
    /// `urls` are base addresses, with or without `/v1`. A key comes from `OPENAI_API_KEY` alone. The servers are asked who
    /// they are, and for the probabilities of one short text.
    pub fn new(model: &str, urls: &[String], policy: RetryPolicy) -> Result<RemoteModel, LmError> {
        let key = Secret::from_environment(&["OPENAI_API_KEY"]);
        let endpoints = Endpoints::new(urls, "completions", key, policy)?;
        let (card, server, way) = identity::find(model, &endpoints)?;
        Ok(RemoteModel {
            card,
            served: Mutex::new(server.model.clone()),
            server,
            model: model.to_owned(),
            endpoints,
            way,
            manner: Mutex::new(Manner::default()),
            too_long: AtomicU64::new(0),
        })
    }

    fn asked<'q>(&self, question: &'q Question) -> Result<Asked<'q>, LmError> {
        match question {
            Question::NextWord {
                prompt,
                masculine,
                feminine,
            } => Ok(Asked::Words {
                prompt,
                words: [masculine, feminine].map(|word| format!(" {word}")),
            }),
            Question::TextPair {
                masculine,
                feminine,
                ..
            } => Ok(Asked::Texts([masculine, feminine])),
            Question::Continuations {
                context,
                continuations,
            } => {
                // Blanks at the end of the context belong to the continuation: a token may begin with them.
                let kept = context.trim_end();
                let blanks = &context[kept.len()..];
                let behind = continuations.iter();
                Ok(Asked::Continuations {
                    context: kept,
                    continuations: behind.map(|text| format!("{blanks}{text}")).collect(),
                })
            }
            _ => Err(LmError::WrongQuestion {
                system: self.card.name.clone(),
                scorer: question.scorer().name(),
            }),
        }
    }
}

/// A model that was exchanged while it was asked.
pub(crate) fn changed(system: &str, why: &str) -> LmError {
    LmError::Other {
        message: format!("{system}: {why}: the model was changed while it was asked"),
        hint: Some(
            "serve one model under one name, and the same on every server; to ask the new model everything, give another --out"
                .to_owned(),
        ),
    }
}

/// Why a server did not answer, in the words of a system.
fn server_error(error: HttpError) -> LmError {
    let problem = ServerProblem::of(error.status, &error.message);
    let HttpError { url, message, .. } = error;
    LmError::Server {
        url,
        message,
        problem,
    }
}

/// A text that is longer than the server reads, or fills it to the last token.
fn is_too_long(error: &HttpError) -> bool {
    let said = |text: &str| error.message.contains(text);
    let too_long = said("context_length_exceeded")
        || said("maximum context length")
        || said("\"input_tokens\"")
        || said("exceed_context_size")
        || said("max_tokens must be at least 1, got 0");
    matches!(error.status, Some(400 | 413 | 422)) && too_long
}

impl System for RemoteModel {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::of_batches(DEPTH * self.endpoints.limit())
    }

    fn server(&self) -> Result<Option<ServerCard>, SystemError> {
        Ok(Some(self.server.clone()))
    }

    fn check_server(&self) -> Result<(), SystemError> {
        let now = identity::test(&self.model, &self.endpoints, self.way)?;
        match self.server.difference(&now) {
            Some(why) => Err(changed(&self.card.name, &why).into()),
            None => Ok(()),
        }
    }

    fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        collect_answers(self, batch)
    }

    fn answer_each(&self, batch: &[Query<'_>], on: &mut AnswerSink<'_>) -> Result<(), SystemError> {
        let asked = batch.iter().enumerate().map(|(index, query)| {
            self.asked(&query.question)
                .map_err(|error| error.about(index))
        });
        let asked = asked.collect::<Result<Vec<_>, _>>()?;
        Ok(self.ask(&asked, |place, answer| {
            if answer == Answer::Missing {
                self.too_long.fetch_add(1, Ordering::Relaxed);
            }
            on(&mut std::iter::once((place, answer)));
        })?)
    }

    fn notes(&self) -> Vec<Note> {
        too_long(self.too_long.load(Ordering::Relaxed), "the server")
    }
}
