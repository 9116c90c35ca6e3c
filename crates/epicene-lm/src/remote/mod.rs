//! Causal models behind an OpenAI-compatible server (vLLM, SGLang, llama-cpp-python…), named
//! `openai:MODEL@URL[,URL…]`.
//!
//! The prompt with either word behind it is sent to `/v1/completions` with `echo` and `logprobs`; the
//! score is the difference of the words' log-probabilities. Two whole texts are sent one after the other, and their tokens
//! compared. A server whose answer does not cover the
//! text that was sent is refused: some ignore `echo` and answer with the log-probabilities of
//! something else.

mod protocol;
mod text_pair;
mod transport;

use epicene_core::{Answer, ModelKind, Query, Question, SystemCard};

pub use protocol::read_completion;
pub use transport::Endpoints;

use crate::{LanguageModel, LmError};
use epicene_io::http::{HttpError, RetryPolicy, Secret};
use protocol::completion_request;
/// A model on one server or several with the same weights.
#[derive(Debug)]
pub struct RemoteModel {
    card: SystemCard,
    model: String,
    endpoints: Endpoints,
}

/// Requests in flight on each server.
const IN_FLIGHT: usize = 8;

impl RemoteModel {
    /// `urls` are base addresses, with or without `/v1`. A key comes from `OPENAI_API_KEY` alone.
    pub fn new(model: &str, urls: &[String], policy: RetryPolicy) -> Result<RemoteModel, LmError> {
        let key = Secret::from_environment(&["OPENAI_API_KEY"]);
        Ok(RemoteModel {
            card: SystemCard {
                name: model.to_owned(),
                source: format!("openai:{model}"),
                revision: None,
                dtype: None,
                tokenizer: None,
                kind: ModelKind::Causal,
            },
            model: model.to_owned(),
            endpoints: Endpoints::new(urls, "completions", key, policy)?,
        })
    }

    /// A text with the log-probabilities of its tokens, as `read` takes them from the reply.
    fn echoed<T>(
        &self,
        text: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, LmError> {
        let body = completion_request(&self.model, text);
        // An answer that cannot be scored is no stumble: another would be no better.
        let scored = self.endpoints.post(&body, |reply| Ok(read(reply)));
        scored
            .map_err(|HttpError { url, message, .. }| LmError::Server { url, message })?
            .map_err(|message| self.unusable(message))
    }

    fn unusable(&self, message: String) -> LmError {
        LmError::Server {
            url: self.endpoints.first().to_owned(),
            message,
        }
    }

    /// log-probability (natural) of `continuation` after `prompt`.
    fn log_probability(&self, prompt: &str, continuation: &str) -> Result<f64, LmError> {
        let text = format!("{prompt}{continuation}");
        self.echoed(&text, |reply| read_completion(reply, prompt, &text))
    }

    fn score(&self, question: &Question) -> Result<Answer, LmError> {
        match question {
            Question::NextWord {
                prompt,
                masculine,
                feminine,
            } => {
                let masculine = self.log_probability(prompt, &format!(" {masculine}"))?;
                let feminine = self.log_probability(prompt, &format!(" {feminine}"))?;
                let ratio = (masculine - feminine) / std::f64::consts::LN_10;
                Ok(Answer::Log10Ratio(ratio))
            }
            Question::TextPair {
                masculine,
                feminine,
                ..
            } => {
                let tokens = |text: &str| self.echoed(text, |reply| text_pair::tokens(reply, text));
                let (masculine, feminine) = (tokens(masculine)?, tokens(feminine)?);
                let pair = text_pair::score(&masculine, &feminine);
                let pair = pair.map_err(|message| self.unusable(message))?;
                Ok(Answer::TextPair(Box::new(pair)))
            }
            _ => Err(LmError::WrongQuestion {
                system: self.card.name.clone(),
                scorer: question.scorer().name(),
            }),
        }
    }
}

impl LanguageModel for RemoteModel {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn batch_size(&self) -> usize {
        IN_FLIGHT * self.endpoints.len()
    }

    fn observe(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, LmError> {
        // Waiting is not computing: one thread for each request, whatever the number of cores.
        std::thread::scope(|scope| {
            let asked: Vec<_> = batch
                .iter()
                .map(|query| scope.spawn(|| self.score(&query.question)))
                .collect();
            asked
                .into_iter()
                .map(|thread| match thread.join() {
                    Ok(score) => score,
                    Err(_) => Err(LmError::Server {
                        url: self.card.source.clone(),
                        message: "a request broke off".to_owned(),
                    }),
                })
                .collect()
        })
    }
}
