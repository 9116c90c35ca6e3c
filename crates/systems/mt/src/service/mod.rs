//! Translation services over HTTPS. Each has a file with its request, its answer, its limits and
//! its keys; what they share (batches, waiting, trying again, telling a refused key from a
//! stumble) is here.

pub(crate) mod amazon;
pub(crate) mod chat;
pub(crate) mod deepl;
pub(crate) mod google;
pub(crate) mod libretranslate;
pub(crate) mod microsoft;
mod sigv4;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use epicene_core::{ModelKind, SystemCard};
use epicene_io::http::{Client, HttpError, Request, Secret};
use epicene_io::pool::{Endpoint, Pool};
use epicene_io::stop::Interrupted;
use epicene_io::waiting;

pub use chat::read as read_chat_answer;

use crate::entities::unescape_foreign;
use crate::kind::{Opened, Opening};
use crate::spec::TranslatorSpec;
use crate::{Direction, Limits, MtError, Price, Translated, Translator};

/// What a service's own file says.
pub(crate) trait Protocol: Send + Sync {
    /// Its name in messages and, unless the user gives another, in rows.
    fn service(&self) -> &'static str;

    /// The environment variables its key comes from, for messages.
    fn variables(&self) -> &'static str;

    fn limits(&self) -> Limits;

    /// Where several servers give the same answers: what each is asked at.
    fn servers(&self) -> Vec<Endpoint> {
        Vec::new()
    }

    /// One request for a batch; made anew for every attempt.
    fn request(&self, batch: &[&str], from: &str, to: &str) -> Request;

    /// The translations in an answer, in order.
    fn read(&self, answer: &str) -> Result<Vec<Translated>, String>;

    /// Statuses that mean "try again" to this service alone.
    fn stumbles(&self) -> fn(u16, &str) -> bool {
        |_, _| false
    }

    fn refusal(&self, status: u16, message: &str) -> Refusal {
        match status {
            401 | 403 => match message.to_lowercase() {
                text if text.contains("quota") || text.contains("limit exceeded") => Refusal::Quota,
                _ => Refusal::Key,
            },
            402 | 456 => Refusal::Quota,
            _ => Refusal::Request,
        }
    }

    fn price(&self) -> Option<Price>;
}

/// Whom requests go to.
enum Asker {
    One(Client),
    Pool(Pool),
}

/// What was wrong when a service said no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    Key,
    Quota,
    Request,
}

pub(crate) struct Service<P> {
    card: SystemCard,
    protocol: P,
    client: Asker,
    pace: Pace,
}

impl<P: Protocol + 'static> Service<P> {
    /// `source` names the service with every option that matters.
    fn open(
        source: String,
        protocol: P,
        secrets: Vec<Secret>,
        spec: &TranslatorSpec,
        opening: &Opening<'_>,
    ) -> Opened {
        let rate = spec.options().rate();
        let rate = rate.map_err(|message| spec.refused(message))?;
        let client = Client::new(opening.policy, secrets).with_stumbles(protocol.stumbles());
        let client = match protocol.servers() {
            none if none.is_empty() => Asker::One(client),
            servers => Asker::Pool(Pool::of(servers, client)),
        };
        Ok(Box::new(Service {
            card: SystemCard {
                name: protocol.service().to_owned(),
                source,
                revision: None,
                dtype: None,
                tokenizer: None,
                kind: ModelKind::Translator,
            },
            protocol,
            client,
            pace: Pace::new(rate),
        }))
    }
}

impl<P: Protocol> Service<P> {
    fn failed(&self, error: HttpError) -> MtError {
        let service = self.protocol.service().to_owned();
        let HttpError {
            status, message, ..
        } = error;
        let Some(status @ 400..=499) = status else {
            return MtError::Server { service, message };
        };
        if matches!(status, 408 | 425 | 429) || (self.protocol.stumbles())(status, &message) {
            return MtError::Server { service, message };
        }
        match self.protocol.refusal(status, &message) {
            Refusal::Key => MtError::BadKey {
                service,
                variables: self.protocol.variables(),
                status,
                message,
            },
            Refusal::Quota => MtError::Quota {
                service,
                status,
                message,
            },
            Refusal::Request => MtError::Refused {
                service,
                status,
                message,
            },
        }
    }
}

impl<P: Protocol> Translator for Service<P> {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    fn limits(&self) -> Limits {
        self.protocol.limits()
    }

    fn price(&self) -> Option<Price> {
        self.protocol.price()
    }

    fn translate(
        &self,
        batch: &[&str],
        Direction { from, to }: Direction<'_>,
    ) -> Result<Vec<Translated>, MtError> {
        let service = self.protocol.service();
        self.pace
            .wait(service)
            .map_err(|interrupted| MtError::Server {
                service: service.to_owned(),
                message: interrupted.to_string(),
            })?;
        let read = |answer: &str| {
            let found = self.protocol.read(answer)?;
            if found.len() != batch.len() {
                return Err(format!(
                    "{} texts were sent and {} came back",
                    batch.len(),
                    found.len()
                ));
            }
            Ok(found)
        };
        let request = || self.protocol.request(batch, from, to);
        let found = match &self.client {
            Asker::One(client) => client.post(|_| request(), read),
            Asker::Pool(pool) => pool.post(
                |url| Request {
                    url: url.to_owned(),
                    ..request()
                },
                read,
            ),
        };
        let found = found.map_err(|error| self.failed(error))?;
        let clean = batch
            .iter()
            .zip(found)
            .map(|(source, translated)| match translated {
                Translated::Text(text) => Translated::Text(unescape_foreign(source, &text)),
                Translated::Missing => Translated::Missing,
            });
        Ok(clean.collect())
    }
}

/// Spaces requests out.
struct Pace {
    interval: Option<Duration>,
    next: Mutex<Option<Instant>>,
}

impl Pace {
    fn new(rate: Option<f64>) -> Pace {
        Pace {
            interval: rate.map(|rate| Duration::from_secs_f64(1.0 / rate)),
            next: Mutex::new(None),
        }
    }

    /// Waits for this request's turn, unless asked to stop.
    fn wait(&self, service: &str) -> Result<(), Interrupted> {
        let Some(interval) = self.interval else {
            return Ok(());
        };
        let turn = {
            let mut next = self
                .next
                .lock()
                .unwrap_or_else(|broken| broken.into_inner());
            let turn = next.map_or_else(Instant::now, |next| next.max(Instant::now()));
            *next = Some(turn + interval);
            turn
        };
        let left = turn.saturating_duration_since(Instant::now());
        waiting::pause(left, || {
            format!(
                "{service}: the next request goes out in {} s (rate)",
                left.as_secs()
            )
        })
    }
}

/// The address a service is asked at: its own, or what a variable says (a gateway, a test).
pub(crate) fn endpoint(
    service: &str,
    variables: &[&str],
    usual: impl Into<String>,
) -> Result<String, MtError> {
    let given = variables.iter().find_map(|name| {
        let value = std::env::var(name).ok()?;
        let value = value.trim().trim_end_matches('/').to_owned();
        (!value.is_empty()).then_some(value)
    });
    let Some(url) = given else {
        return Ok(usual.into());
    };
    check_url(service, &url)?;
    Ok(url)
}

/// Refuses what is no address, and addresses that carry a password.
pub(crate) fn check_url(service: &str, url: &str) -> Result<(), MtError> {
    let bad = |message: &str| MtError::Server {
        service: service.to_owned(),
        message: message.to_owned(),
    };
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))
        .ok_or_else(|| bad("its address does not start with http:// or https://"))?;
    let host = rest.split('/').next().unwrap_or("");
    match host {
        "" => Err(bad("its address names no server")),
        host if host.contains('@') => Err(bad("its address holds a password")),
        _ if rest.contains('?') => Err(bad(
            "its address holds a query (`?…`); keys come from the environment",
        )),
        _ => Ok(()),
    }
}

/// The key from the first variable that is set.
pub(crate) fn key(
    service: &str,
    names: &[&str],
    variables: &'static str,
) -> Result<Secret, MtError> {
    Secret::from_environment(names).ok_or_else(|| MtError::NoKey {
        service: service.to_owned(),
        variables,
    })
}

/// The code of a language in a service's own table, else as it is.
pub(crate) fn code(table: &'static str, code: &str) -> String {
    crate::languages::renamed(table, code).map_or_else(|| code.to_owned(), str::to_owned)
}

/// The strings at `path` of every element of a JSON array.
pub(crate) fn texts(
    values: Option<&serde_json::Value>,
    text: impl Fn(&serde_json::Value) -> Option<&str>,
) -> Result<Vec<Translated>, String> {
    let values = values
        .and_then(serde_json::Value::as_array)
        .ok_or("the answer holds no list of translations")?;
    values
        .iter()
        .map(|value| {
            text(value)
                .map(|text| Translated::Text(text.to_owned()))
                .ok_or_else(|| "a translation in the answer has no text".to_owned())
        })
        .collect()
}

pub(crate) fn json(answer: &str) -> Result<serde_json::Value, String> {
    serde_json::from_str(answer).map_err(|error| format!("the answer is broken ({error})"))
}
