//! Posts a request to one of several servers: takes turns, waits when asked to, tries again when a
//! server stumbles, and gives up in the end with what it was told.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;

use crate::LmError;

/// How long to wait and how often to try.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    pub attempts: u32,
    /// The first pause; it doubles every time.
    pub pause: Duration,
    /// For one answer.
    pub timeout: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            attempts: 6,
            pause: Duration::from_millis(500),
            timeout: Duration::from_secs(120),
        }
    }
}

/// The longest a server can make us wait between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub struct Endpoints {
    urls: Vec<String>,
    agent: ureq::Agent,
    /// Never printed, logged or stored.
    key: Option<Secret>,
    patience: Patience,
    next: AtomicUsize,
}

/// Does not show what it holds.
struct Secret(String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

enum Attempt {
    Done(String),
    /// Worth trying again, after at least this long.
    Again(String, Option<Duration>),
    Refused(String),
}

impl Endpoints {
    pub fn new(
        urls: &[String],
        key: Option<String>,
        patience: Patience,
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
            addresses.push(format!("{base}/v1/completions"));
        }
        if addresses.is_empty() {
            return Err(LmError::Server {
                url: "openai:".to_owned(),
                message: "no address was given".to_owned(),
            });
        }
        let agent = ureq::Agent::config_builder()
            .timeout_connect(Some(patience.timeout.min(Duration::from_secs(20))))
            .timeout_global(Some(patience.timeout))
            .http_status_as_error(false)
            .build()
            .into();
        Ok(Endpoints {
            urls: addresses,
            agent,
            key: key.map(Secret),
            patience,
            next: AtomicUsize::new(0),
        })
    }

    pub fn len(&self) -> usize {
        self.urls.len()
    }

    /// The address that answered, and its answer.
    pub fn post(&self, body: &Value) -> Result<(String, String), LmError> {
        let mut pause = self.patience.pause;
        let mut attempt = 1;
        loop {
            let turn = self.next.fetch_add(1, Ordering::Relaxed);
            let url = &self.urls[turn % self.urls.len()];
            let failed = |message: String| LmError::Server {
                url: url.clone(),
                message,
            };
            match self.attempt(url, body) {
                Attempt::Done(reply) => return Ok((url.clone(), reply)),
                Attempt::Refused(message) => return Err(failed(message)),
                Attempt::Again(message, _) if attempt >= self.patience.attempts => {
                    return Err(failed(format!("{message}, {attempt} times")));
                }
                Attempt::Again(_, asked) => {
                    std::thread::sleep(jittered(asked.unwrap_or(pause), turn).min(LONGEST_PAUSE));
                    pause *= 2;
                    attempt += 1;
                }
            }
        }
    }

    fn attempt(&self, url: &str, body: &Value) -> Attempt {
        let mut request = self
            .agent
            .post(url)
            .header("Content-Type", "application/json");
        if let Some(Secret(key)) = &self.key {
            request = request.header("Authorization", format!("Bearer {key}"));
        }
        let mut response = match request.send(body.to_string()) {
            Ok(response) => response,
            Err(error) => return Attempt::Again(error.to_string(), None),
        };
        let status = response.status().as_u16();
        let asked = response
            .headers()
            .get("Retry-After")
            .and_then(|value| value.to_str().ok()?.trim().parse().ok())
            .map(Duration::from_secs);
        let text = match response.body_mut().read_to_string() {
            Ok(text) => text,
            Err(error) => return Attempt::Again(error.to_string(), None),
        };
        match status {
            200 => Attempt::Done(text),
            408 | 429 | 500..=599 => Attempt::Again(format!("the server answered {status}"), asked),
            _ => {
                let start: String = text.chars().take(200).collect();
                Attempt::Refused(format!("the server answered {status}: {}", start.trim()))
            }
        }
    }
}

/// Up to half as long again, so that many waiting requests do not come back together.
fn jittered(pause: Duration, turn: usize) -> Duration {
    let spread = (turn as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
    pause + pause.mul_f64(spread as f64 / 512.0)
}

fn without_credentials(url: &str) -> String {
    match url.split_once('@') {
        Some((_, rest)) => format!("…@{rest}"),
        None => url.to_owned(),
    }
}
