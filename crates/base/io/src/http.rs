//! Posts a request and reads its answer: waits when asked to, tries again when a server stumbles,
//! and gives up in the end with what it was told. Shared by models and translators behind servers.
//!
//! One policy for all of them: a redirect is never followed, since a key would go along with it; an answer
//! has a time and a size; a server can make us wait, but not for long.

use std::io::Read;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use epicene_core::InputError;
use ureq::http::Response;
use ureq::{Agent, Body};

pub use crate::limits::LONGEST_PAUSE;
use crate::limits::{LARGEST_BODY, LARGEST_ERROR_BODY};
use crate::quote::shown;
pub use crate::secret::{Secret, public_address};
use crate::secret::{scrubbed, secrets_of};
use crate::waiting::{self, Waiting};
use crate::{certificates, guard};

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
    /// `EPICENE_HTTP_ATTEMPTS` and `EPICENE_HTTP_PAUSE` (seconds) say. A variable that says something else is an error, and so
    /// are certificates that are asked for and cannot be read.
    pub fn from_environment() -> Result<RetryPolicy, InputError> {
        let usual = RetryPolicy::default();
        certificates::check()?;
        Ok(RetryPolicy {
            attempts: number("EPICENE_HTTP_ATTEMPTS")?.map_or(usual.attempts, |n| n as u32),
            pause: number("EPICENE_HTTP_PAUSE")?.map_or(usual.pause, Duration::from_secs_f64),
            timeout: number("EPICENE_HTTP_TIMEOUT")?.map_or(usual.timeout, Duration::from_secs_f64),
        })
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
            .tls_config(certificates::tls())
            .user_agent(concat!("epicene/", env!("CARGO_PKG_VERSION")))
            .build()
            .into()
    }
}

/// The number a variable holds, if it is set: of seconds, or of attempts, which are whole.
fn number(name: &str) -> Result<Option<f64>, InputError> {
    let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    let text = value.to_string_lossy();
    read_number(name, text.trim()).map(Some)
}

fn read_number(name: &str, text: &str) -> Result<f64, InputError> {
    const MOST: f64 = 86_400.0;
    let whole = name.ends_with("_ATTEMPTS");
    let number = text
        .parse::<f64>()
        .ok()
        .filter(|number| *number > 0.0 && *number <= MOST && (!whole || number.fract() == 0.0));
    number.ok_or_else(|| {
        let wanted = match name {
            _ if whole => "a whole number from 1 to 86400",
            _ => "a number of seconds above 0 and up to 86400",
        };
        InputError::new(name, format!("`{}` is not {wanted}", shown(text)))
            .with_hint(format!("unset {name} to use the default"))
    })
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
        // Short pauses add up: from the first failure on, all attempts are one wait.
        let mut _patience = None;
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
            if attempt == 1 {
                _patience = Some(self.patience(&error, self.policy.attempts));
            }
            let pause = self.policy.pause_after(attempt - 1, asked);
            if let Err(interrupted) = self.pause(pause, &error, asked) {
                error.message = interrupted.to_string();
                return Err(self.scrubbed(error));
            }
        }
    }

    /// The wait for a server that failed once, over all further attempts.
    pub(crate) fn patience(&self, error: &HttpError, attempts: u32) -> Waiting {
        waiting::begin(|| {
            let HttpError { url, message, .. } = self.scrubbed(error.clone());
            let server = shown_address(&url);
            format!("waiting for {server} (attempt 2 of {attempts}): {message}")
        })
    }

    /// Waits before the next attempt, and lets people know.
    pub(crate) fn pause(
        &self,
        pause: Duration,
        error: &HttpError,
        asked: Option<Duration>,
    ) -> Result<(), crate::stop::Interrupted> {
        waiting::pause(pause, || {
            let error = self.scrubbed(error.clone());
            waiting_for(&error, pause, asked)
        })
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
            200 => text_of(response, LARGEST_ERROR_BODY, 200).ok(),
            _ => None,
        }
    }

    pub(crate) fn attempt<T>(
        &self,
        request: &Request,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Attempt<T> {
        let failed = |status: Option<u16>, message: String| HttpError {
            url: public_address(&request.url),
            status,
            message: self.without_keys(&message, &request.url),
        };
        let start = |text: &str| start(&self.without_keys(text, &request.url));
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
        let _shown =
            waiting::begin(|| format!("waiting for an answer of {}", shown_address(&request.url)));
        // The library panics where the system starts no thread to look a name up.
        let response = match guard::catch(|| sent.send(&request.body)) {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Attempt::Again(failed(None, error.to_string()), None),
            Err(words) => return Attempt::Again(failed(None, words), None),
        };
        let status = response.status().as_u16();
        let asked = header(&response, "Retry-After")
            .and_then(|value| retry_after(&value, SystemTime::now()));
        if let 300..=399 = status {
            let place = header(&response, "Location").unwrap_or_default();
            let place = self.without_keys(&public_address(&place), &request.url);
            let message = format!(
                "the server answered {status} and points to `{}`, which is not followed: the key would go along",
                shown(&place)
            );
            return Attempt::Refused(failed(Some(status), message));
        }
        let largest = match status {
            200..=299 => LARGEST_BODY,
            _ => LARGEST_ERROR_BODY,
        };
        let text = match text_of(response, largest, status) {
            Ok(text) => text,
            Err(Unread::Broken(message)) => {
                return Attempt::Again(failed(Some(status), message), None);
            }
            // It would be the same the next time.
            Err(Unread::NotText(message)) => {
                return Attempt::Refused(failed(Some(status), message));
            }
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

    /// No message of ours repeats a key, whatever it was made of.
    pub(crate) fn scrubbed(&self, error: HttpError) -> HttpError {
        let message = self.without_keys(&error.message, &error.url);
        HttpError {
            url: scrubbed(&public_address(&error.url), &self.secrets),
            message,
            ..error
        }
    }

    fn without_keys(&self, text: &str, url: &str) -> String {
        scrubbed(text, self.secrets.iter().chain(&secrets_of(url)))
    }
}

/// What is waited for, and why.
pub(crate) fn waiting_for(error: &HttpError, pause: Duration, asked: Option<Duration>) -> String {
    let HttpError { url, message, .. } = error;
    let seconds = pause.as_secs_f64().ceil();
    let place = shown_address(url);
    match asked {
        Some(asked) if asked > pause => format!(
            "{place}: {message}; it asks to wait {} s, the next attempt is in {seconds} s",
            asked.as_secs()
        ),
        _ => format!("{place}: {message}; the next attempt is in {seconds} s"),
    }
}

/// The server of an address, for messages.
fn shown_address(url: &str) -> String {
    let public = public_address(url);
    let server = public
        .split_once('?')
        .map_or(&*public, |(server, _)| server);
    shown(crate::address::origin(server).unwrap_or(server))
}

pub(crate) fn header(response: &Response<Body>, name: &str) -> Option<String> {
    Some(response.headers().get(name)?.to_str().ok()?.to_owned())
}

/// Why a body is no text.
enum Unread {
    /// The connection broke, or the body is too long.
    Broken(String),
    NotText(String),
}

/// The body; of an error only its beginning.
fn text_of(response: Response<Body>, largest: u64, status: u16) -> Result<String, Unread> {
    let body = response.into_body().into_with_config().limit(u64::MAX);
    let mut bytes = Vec::new();
    body.reader()
        .take(largest + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Unread::Broken(error.to_string()))?;
    let is_answer = status < 300;
    if bytes.len() as u64 > largest && is_answer {
        return Err(Unread::Broken(format!(
            "an answer of more than {}",
            crate::input::size(largest)
        )));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        // An error is shown to people and goes no further.
        Err(error) if !is_answer => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        Err(error) => Err(Unread::NotText(format!(
            "the answer is not UTF-8 (byte {} of {})",
            error.utf8_error().valid_up_to(),
            error.as_bytes().len()
        ))),
    }
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
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More seconds than a number holds are still a wish to wait.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
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
    fn variables_that_are_no_numbers_are_refused() {
        for (name, text, expected) in [
            ("EPICENE_HTTP_TIMEOUT", "2.5", Some(2.5)),
            ("EPICENE_HTTP_ATTEMPTS", "3", Some(3.0)),
            ("EPICENE_HTTP_ATTEMPTS", "2.5", None),
            ("EPICENE_HTTP_ATTEMPTS", "0", None),
            ("EPICENE_HTTP_TIMEOUT", "abc", None),
            ("EPICENE_HTTP_TIMEOUT", "-1", None),
            ("EPICENE_HTTP_PAUSE", "0", None),
            ("EPICENE_HTTP_PAUSE", "NaN", None),
            ("EPICENE_HTTP_PAUSE", "inf", None),
            ("EPICENE_HTTP_PAUSE", "1e10", None),
            ("EPICENE_HTTP_PAUSE", "1 s", None),
        ] {
            let found = read_number(name, text);
            assert_eq!(found.as_ref().ok().copied(), expected, "{name}={text}");
            if let Err(error) = found {
                assert!(error.to_string().contains(name) && error.hint.is_some());
            }
        }
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
