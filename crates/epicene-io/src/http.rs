//! Posts a request and reads its answer: waits when asked to, tries again when a server stumbles,
//! and gives up in the end with what it was told. Shared by models and translators behind servers.
//!
//! One policy for all of them: a redirect is never followed, since a key would go along with it; an answer
//! has a time and a size; a server can make us wait, but not for long.

use std::fmt;
use std::io::Read;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ureq::http::Response;
use ureq::{Agent, Body};

use crate::quote::shown;
use crate::stop;

/// How long to wait and how often to try.
#[derive(Debug, Clone, Copy)]
pub struct RetryPolicy {
    pub attempts: u32,
    /// The first pause; it doubles every time, up to a minute.
    pub pause: Duration,
    /// For one answer, from the connection to the last byte; of a download, between two bytes.
    pub timeout: Duration,
}

impl Default for RetryPolicy {
    fn default() -> RetryPolicy {
        RetryPolicy {
            attempts: 6,
            pause: Duration::from_millis(500),
            timeout: Duration::from_secs(120),
        }
    }
}

impl RetryPolicy {
    /// The default, with what `EPICENE_HTTP_TIMEOUT` (seconds for one answer),
    /// `EPICENE_HTTP_ATTEMPTS` and `EPICENE_HTTP_PAUSE` (seconds) say.
    pub fn from_environment() -> RetryPolicy {
        let number = |name: &str| {
            let text = std::env::var(name).ok()?;
            let number = text.trim().parse::<f64>().ok()?;
            (number > 0.0 && number <= 86_400.0).then_some(number)
        };
        let seconds = |name: &str| number(name).map(Duration::from_secs_f64);
        let usual = RetryPolicy::default();
        RetryPolicy {
            attempts: number("EPICENE_HTTP_ATTEMPTS").map_or(usual.attempts, |n| n.max(1.0) as u32),
            pause: seconds("EPICENE_HTTP_PAUSE").unwrap_or(usual.pause),
            timeout: seconds("EPICENE_HTTP_TIMEOUT").unwrap_or(usual.timeout),
        }
    }

    /// How long to wait before the next attempt: as long as the server asks, else twice as long as the
    /// last time, and never longer than a minute.
    pub fn pause_after(&self, attempt: u32, asked: Option<Duration>) -> Duration {
        let doubled = self
            .pause
            .checked_mul(1 << attempt.min(20))
            .unwrap_or(LONGEST_PAUSE);
        let wanted = asked.unwrap_or(doubled).min(LONGEST_PAUSE);
        jittered(wanted).min(LONGEST_PAUSE)
    }

    /// An agent that follows no redirect and takes no status for an error.
    pub(crate) fn agent(&self, whole_answer: Option<Duration>) -> Agent {
        let first = self.timeout.min(Duration::from_secs(60));
        Agent::config_builder()
            .timeout_connect(Some(self.timeout.min(Duration::from_secs(20))))
            .timeout_recv_response(Some(whole_answer.unwrap_or(first)))
            .timeout_global(whole_answer)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(64)
            .max_idle_connections_per_host(16)
            .max_idle_age(Duration::from_secs(3))
            .http_status_as_error(false)
            .user_agent(concat!("epicene/", env!("CARGO_PKG_VERSION")))
            .build()
            .into()
    }
}

/// The longest a server can make us wait between two attempts.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Answers longer than this are no answers.
const LARGEST_ANSWER: u64 = 64 << 20;

/// As much of a refusal is read.
const LARGEST_REFUSAL: u64 = 64 << 10;

/// Does not show what it holds.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(value: String) -> Secret {
        Secret(value)
    }

    /// The value of the first of these variables that is set and not empty.
    pub fn from_environment(names: &[&str]) -> Option<Secret> {
        names.iter().find_map(|name| {
            let value = std::env::var(name).ok()?;
            let value = value.trim();
            (!value.is_empty()).then(|| Secret(value.to_owned()))
        })
    }

    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// One POST.
#[derive(Clone)]
pub struct Request {
    pub url: String,
    /// May hold keys: a request is never printed.
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpError {
    pub url: String,
    /// What the server answered last, if it answered at all.
    pub status: Option<u16>,
    pub message: String,
}

pub(crate) enum Attempt<T> {
    Done(T),
    /// Worth trying again, after at least this long.
    Again(HttpError, Option<Duration>),
    Refused(HttpError),
}

/// Sends requests; knows the keys so that no message can repeat them.
#[derive(Debug)]
pub struct Client {
    agent: Agent,
    policy: RetryPolicy,
    secrets: Vec<Secret>,
    stumbles: fn(u16, &str) -> bool,
}

impl Client {
    pub fn new(policy: RetryPolicy, secrets: Vec<Secret>) -> Client {
        Client {
            agent: policy.agent(Some(policy.timeout)),
            policy,
            secrets,
            stumbles: |_, _| false,
        }
    }

    /// Statuses and answers that mean "try again" to this server alone.
    pub fn with_stumbles(mut self, stumbles: fn(u16, &str) -> bool) -> Client {
        self.stumbles = stumbles;
        self
    }

    /// The answer as `read` understands it. A request is made anew for each attempt, counted from
    /// 0: signatures carry the time, and of several servers the next one is asked. What `read` cannot
    /// understand counts as a broken answer and is asked for again.
    pub fn post<T>(
        &self,
        request: impl Fn(u32) -> Request,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, HttpError> {
        let mut attempt = 0;
        loop {
            let outcome = self.attempt(&request(attempt), &read);
            attempt += 1;
            let (mut error, asked) = match outcome {
                Attempt::Done(answer) => return Ok(answer),
                Attempt::Refused(error) => return Err(self.scrubbed(error)),
                Attempt::Again(error, asked) => (error, asked),
            };
            if attempt >= self.policy.attempts {
                let times = format!("{}, {attempt} times", error.message);
                error.message = match asked {
                    Some(wait) => format!("{times}, and asks to wait {} s", wait.as_secs()),
                    None => times,
                };
                return Err(self.scrubbed(error));
            }
            let pause = self.policy.pause_after(attempt - 1, asked);
            if let Err(interrupted) = stop::pause(pause) {
                error.message = interrupted.to_string();
                return Err(self.scrubbed(error));
            }
        }
    }

    pub(crate) fn policy(&self) -> RetryPolicy {
        self.policy
    }

    /// The body of a 200, asked for once and not for long; whoever asks can do without.
    pub(crate) fn get(&self, url: &str, headers: &[(&'static str, String)]) -> Option<String> {
        let mut asked = self.agent.get(url);
        for (name, value) in headers {
            asked = asked.header(*name, value);
        }
        let timeout = self.policy.timeout.min(Duration::from_secs(10));
        let asked = asked.config().timeout_global(Some(timeout)).build();
        let response = asked.call().ok()?;
        match response.status().as_u16() {
            200 => text_of(response, LARGEST_REFUSAL, 200).ok(),
            _ => None,
        }
    }

    pub(crate) fn attempt<T>(
        &self,
        request: &Request,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Attempt<T> {
        let failed = |status: Option<u16>, message: String| HttpError {
            url: request.url.clone(),
            status,
            message,
        };
        let mut sent = self.agent.post(&request.url);
        if !request
            .headers
            .iter()
            .any(|(name, _)| *name == "Content-Type")
        {
            sent = sent.header("Content-Type", "application/json");
        }
        for (name, value) in &request.headers {
            sent = sent.header(*name, value);
        }
        let response = match sent.send(&request.body) {
            Ok(response) => response,
            Err(error) => return Attempt::Again(failed(None, error.to_string()), None),
        };
        let status = response.status().as_u16();
        let asked = header(&response, "Retry-After")
            .and_then(|value| retry_after(&value, SystemTime::now()));
        if let 300..=399 = status {
            let place = header(&response, "Location").unwrap_or_default();
            let message = format!(
                "the server answered {status} and points to `{}`, which is not followed: the key would go along",
                shown(&place)
            );
            return Attempt::Refused(failed(Some(status), message));
        }
        let largest = match status {
            200..=299 => LARGEST_ANSWER,
            _ => LARGEST_REFUSAL,
        };
        let text = match text_of(response, largest, status) {
            Ok(text) => text,
            Err(message) => return Attempt::Again(failed(Some(status), message), None),
        };
        match status {
            200..=299 => match read(&text) {
                Ok(answer) => Attempt::Done(answer),
                Err(message) => Attempt::Again(failed(Some(status), message), None),
            },
            _ if matches!(status, 408 | 425 | 429 | 500..=599)
                || (self.stumbles)(status, &text) =>
            {
                let message = match start(&text) {
                    said if said.is_empty() => format!("the server answered {status}"),
                    said => format!("the server answered {status} ({said})"),
                };
                Attempt::Again(failed(Some(status), message), asked)
            }
            _ => Attempt::Refused(failed(
                Some(status),
                format!("the server answered {status}: {}", start(&text)),
            )),
        }
    }

    /// Servers like to repeat the key they refuse.
    pub(crate) fn scrubbed(&self, mut error: HttpError) -> HttpError {
        for secret in &self.secrets {
            if !secret.0.is_empty() {
                error.message = error.message.replace(&secret.0, "…");
                error.url = error.url.replace(&secret.0, "…");
            }
        }
        error
    }
}

pub(crate) fn header(response: &Response<Body>, name: &str) -> Option<String> {
    Some(response.headers().get(name)?.to_str().ok()?.to_owned())
}

/// The body; of a refusal only its beginning.
fn text_of(response: Response<Body>, largest: u64, status: u16) -> Result<String, String> {
    let body = response.into_body().into_with_config().limit(u64::MAX);
    let mut bytes = Vec::new();
    body.reader()
        .take(largest + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > largest && status < 300 {
        return Err(format!(
            "an answer of more than {}",
            crate::input::size(largest)
        ));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The start of an answer, on one line.
fn start(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(200).collect();
    shown(&words.join(" "))
}

/// Up to half as long again, so that many waiting requests do not come back together. It moves
/// requests in time and never an answer.
fn jittered(pause: Duration) -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seed =
        now.map_or(0, |now| u64::from(now.subsec_nanos())) ^ (u64::from(std::process::id()) << 32);
    let spread = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
    pause + pause.mul_f64(spread as f64 / 512.0)
}

/// `Retry-After` as seconds or as a date (RFC 9110, section 10.2.3).
pub fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let then = httpdate::parse_http_date(value).ok()?;
    Some(then.duration_since(now).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = UNIX_EPOCH + Duration::from_secs(784_111_777 - 30);
        for (value, seconds) in [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(30)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(30)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            (
                "Thu, 29 Feb 2024 00:00:00 GMT",
                Some(1_709_164_800 - 784_111_747),
            ),
            ("soon", None),
            ("Sun, 06 Foo 1994 08:49:37 GMT", None),
            ("-5", None),
        ] {
            let found = retry_after(value, now).map(|wait| wait.as_secs());
            assert_eq!(found, seconds, "{value}");
        }
    }

    /// Whatever a server asks for, the pause is a pause and not the end of the program.
    #[test]
    fn no_header_makes_a_pause_longer_than_a_minute() {
        let policy = RetryPolicy::default();
        for value in [
            "18446744073709551615",
            "9223372036854775807",
            "99999999999999999999999",
            "Fri, 31 Dec 9999 23:59:59 GMT",
            "Fri, 31 Dec 18446744073709551615 23:59:59 GMT",
            "Fri, 99 Dec 2024 99:99:99 GMT",
            "Fri, 31 Dec 2024 18446744073709551615:00:00 GMT",
        ] {
            let asked = retry_after(value, UNIX_EPOCH);
            assert!(policy.pause_after(0, asked) <= LONGEST_PAUSE, "{value}");
        }
        for attempt in 0..10_000 {
            assert!(policy.pause_after(attempt, None) <= LONGEST_PAUSE);
        }
        assert!(policy.pause_after(1, None) >= 2 * policy.pause);
    }

    #[test]
    fn a_secret_is_not_shown() {
        let secret = Secret::new("hunter2".to_owned());
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        let client = Client::new(RetryPolicy::default(), vec![secret]);
        assert!(!format!("{client:?}").contains("hunter2"));
        let scrubbed = client.scrubbed(HttpError {
            url: "https://x/?key=hunter2".to_owned(),
            status: Some(401),
            message: "the key hunter2 is not valid".to_owned(),
        });
        assert_eq!(scrubbed.url, "https://x/?key=…");
        assert_eq!(scrubbed.message, "the key … is not valid");
    }

    #[test]
    fn pauses_grow_by_half_at_most() {
        for _ in 0..100 {
            let pause = jittered(Duration::from_secs(2));
            assert!(pause >= Duration::from_secs(2) && pause <= Duration::from_secs(3));
        }
    }
}
