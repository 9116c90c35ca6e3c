//! Posts a request and reads its answer: waits when asked to, tries again when a server stumbles,
//! and gives up in the end with what it was told. Shared by models and translators behind servers.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long to wait and how often to try.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    pub attempts: u32,
    /// The first pause; it doubles every time.
    pub pause: Duration,
    /// For one answer, from the connection to the last byte.
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

impl Patience {
    /// The default, with what `EPICENE_HTTP_TIMEOUT` (seconds for one answer),
    /// `EPICENE_HTTP_ATTEMPTS` and `EPICENE_HTTP_PAUSE` (seconds) say.
    pub fn from_environment() -> Patience {
        let number = |name: &str| {
            let text = std::env::var(name).ok()?;
            let number = text.trim().parse::<f64>().ok()?;
            (number > 0.0 && number <= 86_400.0).then_some(number)
        };
        let seconds = |name: &str| number(name).map(Duration::from_secs_f64);
        let usual = Patience::default();
        Patience {
            attempts: number("EPICENE_HTTP_ATTEMPTS").map_or(usual.attempts, |n| n.max(1.0) as u32),
            pause: seconds("EPICENE_HTTP_PAUSE").unwrap_or(usual.pause),
            timeout: seconds("EPICENE_HTTP_TIMEOUT").unwrap_or(usual.timeout),
        }
    }
}

/// The longest a server can make us wait between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Answers longer than this are no answers.
const LARGEST_ANSWER: u64 = 64 << 20;

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

enum Attempt<T> {
    Done(T),
    /// Worth trying again, after at least this long.
    Again(HttpError, Option<Duration>),
    Refused(HttpError),
}

/// Sends requests; knows the keys so that no message can repeat them.
#[derive(Debug)]
pub struct Client {
    agent: ureq::Agent,
    patience: Patience,
    secrets: Vec<Secret>,
    stumbles: fn(u16, &str) -> bool,
}

impl Client {
    pub fn new(patience: Patience, secrets: Vec<Secret>) -> Client {
        let agent = ureq::Agent::config_builder()
            .timeout_connect(Some(patience.timeout.min(Duration::from_secs(20))))
            .timeout_global(Some(patience.timeout))
            .http_status_as_error(false)
            .build()
            .into();
        Client {
            agent,
            patience,
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
    /// 0: signatures carry the time. What `read` cannot understand counts as a broken answer and is
    /// asked for again.
    pub fn post<T>(
        &self,
        request: impl Fn(u32) -> Request,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, HttpError> {
        let mut pause = self.patience.pause;
        let mut attempt = 0;
        loop {
            let outcome = self.attempt(&request(attempt), &read);
            attempt += 1;
            match outcome {
                Attempt::Done(answer) => return Ok(answer),
                Attempt::Refused(error) => return Err(self.scrubbed(error)),
                Attempt::Again(mut error, asked) if attempt >= self.patience.attempts => {
                    error.message = match asked {
                        Some(wait) => format!(
                            "{}, {attempt} times, and asks to wait {} s",
                            error.message,
                            wait.as_secs()
                        ),
                        None => format!("{}, {attempt} times", error.message),
                    };
                    return Err(self.scrubbed(error));
                }
                Attempt::Again(_, asked) => {
                    std::thread::sleep(jittered(asked.unwrap_or(pause)).min(LONGEST_PAUSE));
                    pause *= 2;
                }
            }
        }
    }

    fn attempt<T>(
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
        let mut response = match sent.send(&request.body) {
            Ok(response) => response,
            Err(error) => return Attempt::Again(failed(None, error.to_string()), None),
        };
        let status = response.status().as_u16();
        let asked = response
            .headers()
            .get("Retry-After")
            .and_then(|value| retry_after(value.to_str().ok()?, SystemTime::now()));
        let body = response.body_mut().with_config().limit(LARGEST_ANSWER);
        let text = match body.read_to_string() {
            Ok(text) => text,
            Err(error) => return Attempt::Again(failed(Some(status), error.to_string()), None),
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
    fn scrubbed(&self, mut error: HttpError) -> HttpError {
        for secret in &self.secrets {
            if !secret.0.is_empty() {
                error.message = error.message.replace(&secret.0, "…");
                error.url = error.url.replace(&secret.0, "…");
            }
        }
        error
    }
}

/// The start of an answer, on one line.
fn start(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(200).collect()
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
fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let then = UNIX_EPOCH + Duration::from_secs(http_date(value)?);
    Some(then.duration_since(now).unwrap_or(Duration::ZERO))
}

/// Seconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT`.
fn http_date(text: &str) -> Option<u64> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (_, date) = text.split_once(", ")?;
    let parts: Vec<&str> = date.split_whitespace().collect();
    let [day, month, year, time, "GMT"] = parts[..] else {
        return None;
    };
    let day: u64 = day.parse().ok()?;
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    let year: u64 = year.parse().ok().filter(|year| *year >= 1970)?;
    let clock: Vec<u64> = time
        .split(':')
        .map(str::parse)
        .collect::<Result<_, _>>()
        .ok()?;
    let [hours, minutes, seconds] = clock[..] else {
        return None;
    };
    Some(days_since_1970(year, month, day) * 86_400 + hours * 3600 + minutes * 60 + seconds)
}

/// Days of the Gregorian calendar, counted from March so that leap days come last.
fn days_since_1970(year: u64, month: u64, day: u64) -> u64 {
    let (year, month) = match month {
        1 | 2 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
    days.saturating_sub(719_469)
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

    #[test]
    fn a_secret_is_not_shown() {
        let secret = Secret::new("hunter2".to_owned());
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        let client = Client::new(Patience::default(), vec![secret]);
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
