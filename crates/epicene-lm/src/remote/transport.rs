//! Posts a request to one of several servers with the same model, which take turns.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::LmError;
use epicene_io::http::{Client, HttpError, Request, RetryPolicy, Secret};

#[derive(Debug)]
pub struct Endpoints {
    urls: Vec<String>,
    client: Client,
    /// Never printed, logged or stored.
    key: Option<Secret>,
    next: AtomicUsize,
}

impl Endpoints {
    /// `urls` are base addresses, with or without `/v1`; `path` is what is asked there.
    pub fn new(
        urls: &[String],
        path: &str,
        key: Option<Secret>,
        policy: RetryPolicy,
    ) -> Result<Endpoints, LmError> {
        let mut addresses = Vec::new();
        for url in urls {
            let bad = |message: &str| LmError::Server {
                url: without_credentials(url),
                message: message.to_owned(),
            };
            let rest = url
                .strip_prefix("http://")
                .or_else(|| url.strip_prefix("https://"));
            let rest = rest.ok_or_else(|| bad("is no http(s) address"))?;
            let host = rest.split('/').next().unwrap_or("");
            if host.is_empty() {
                return Err(bad("names no server"));
            }
            if host.contains('@') {
                return Err(bad("holds a password; put the key into OPENAI_API_KEY"));
            }
            let base = url.trim_end_matches('/').trim_end_matches("/v1");
            addresses.push(format!("{base}/v1/{path}"));
        }
        if addresses.is_empty() {
            return Err(LmError::Server {
                url: "openai:".to_owned(),
                message: "no address was given".to_owned(),
            });
        }
        Ok(Endpoints {
            urls: addresses,
            client: Client::new(policy, key.iter().cloned().collect()),
            key,
            next: AtomicUsize::new(0),
        })
    }

    pub fn len(&self) -> usize {
        self.urls.len()
    }

    /// Never: there is at least one.
    pub fn is_empty(&self) -> bool {
        self.urls.is_empty()
    }

    /// An address to name in messages.
    pub fn first(&self) -> &str {
        &self.urls[0]
    }

    /// What `read` makes of the answer.
    pub fn post<T>(
        &self,
        body: &Value,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, HttpError> {
        let text = body.to_string();
        let request = |_| {
            let turn = self.next.fetch_add(1, Ordering::Relaxed);
            let key = self.key.as_ref().map(|key| {
                let value = format!("Bearer {}", key.expose());
                ("Authorization", value)
            });
            Request {
                url: self.urls[turn % self.urls.len()].clone(),
                headers: key.into_iter().collect(),
                body: text.clone(),
            }
        };
        self.client.post(request, read)
    }
}

fn without_credentials(url: &str) -> String {
    match url.split_once('@') {
        Some((_, rest)) => format!("…@{rest}"),
        None => url.to_owned(),
    }
}
