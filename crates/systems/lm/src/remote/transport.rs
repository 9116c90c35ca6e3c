//! The servers behind `openai:` and their like: addresses as people write them, a path, a key, and the pool that chooses
//! among them.

use serde_json::Value;

use crate::{LmError, ServerProblem};
use epicene_io::http::{HttpError, Request, RetryPolicy, Secret};
use epicene_io::pool::{Endpoint, Pool};

/// Requests a server gets at once, unless its address says otherwise.
const IN_FLIGHT: usize = 8;

/// Servers with the same model, asked at one path.
#[derive(Debug)]
pub struct Endpoints {
    pool: Pool,
    path: String,
    /// Never printed, logged or stored.
    key: Option<Secret>,
}

impl Endpoints {
    /// `urls` are base addresses, with or without `/v1`, and `#N` behind one that takes at most N requests at once;
    /// `path` is what is asked there, below `/v1`.
    pub fn new(
        urls: &[String],
        path: &str,
        key: Option<Secret>,
        policy: RetryPolicy,
    ) -> Result<Endpoints, LmError> {
        let places = urls.iter().map(|url| place(url));
        let places = places.collect::<Result<Vec<_>, _>>()?;
        if places.is_empty() {
            return Err(LmError::Server {
                url: "openai:".to_owned(),
                message: "no address was given".to_owned(),
                problem: ServerProblem::Address,
            });
        }
        Ok(Endpoints {
            pool: Pool::new(places, policy, key.iter().cloned().collect()),
            path: format!("/v1/{path}"),
            key,
        })
    }

    pub fn len(&self) -> usize {
        self.pool.places().len()
    }

    /// Never: there is at least one.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Requests that may be under way together.
    pub fn limit(&self) -> usize {
        self.pool.limit()
    }

    /// All addresses in one text: a model's name alone does not say which server answers to it.
    pub fn addresses(&self) -> String {
        self.bases().join(",")
    }

    /// All addresses, whatever the order in which they were given.
    pub fn bases(&self) -> Vec<String> {
        let places = self.pool.places().into_iter();
        let mut bases: Vec<String> = places.map(|place| place.base).collect();
        bases.sort_unstable();
        bases
    }

    /// An address to name in messages.
    pub fn first(&self) -> String {
        let places = self.pool.places();
        places[0].base.clone()
    }

    /// What `read` makes of the answer at the path they were opened for.
    pub fn post<T>(
        &self,
        body: &Value,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, HttpError> {
        self.post_to(&self.path, body, read)
    }

    /// The same at another path (`/tokenize`).
    pub fn post_to<T>(
        &self,
        path: &str,
        body: &Value,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, HttpError> {
        let text = body.to_string();
        let request = |base: &str| Request {
            url: format!("{base}{path}"),
            headers: self.headers(),
            body: text.clone(),
        };
        self.pool.post(request, read)
    }

    /// What each server answers to the same request, with its address.
    pub fn post_each(&self, body: &Value) -> Vec<(String, Result<String, HttpError>)> {
        let text = body.to_string();
        let request = |base: &str| Request {
            url: format!("{base}{}", self.path),
            headers: self.headers(),
            body: text.clone(),
        };
        let bases = self.pool.places().into_iter().map(|place| place.base);
        bases.zip(self.pool.post_each(request)).collect()
    }

    /// What each server says about itself at `path`; `None` of one that says nothing.
    pub fn facts(&self, path: &str) -> Vec<Option<Value>> {
        let texts = self.pool.get_each(path, &self.headers()).into_iter();
        let read = |text: String| serde_json::from_str(&text).ok();
        texts.map(|text| text.and_then(read)).collect()
    }

    fn headers(&self) -> Vec<(&'static str, String)> {
        let key = self.key.iter();
        key.map(|key| ("Authorization", format!("Bearer {}", key.expose())))
            .collect()
    }
}

/// `http://HOST[:PORT][/PATH][/v1][#N]`
fn place(url: &str) -> Result<Endpoint, LmError> {
    let bad = |message: &str| LmError::Server {
        url: without_credentials(url),
        message: message.to_owned(),
        problem: ServerProblem::Address,
    };
    let (address, limit) = match url.split_once('#') {
        Some((address, number)) => match number.parse() {
            Ok(limit @ 1..=1024) => (address, limit),
            _ => return Err(bad("write after `#` how many requests it takes at once")),
        },
        None => (url, IN_FLIGHT),
    };
    let rest = address
        .strip_prefix("http://")
        .or_else(|| address.strip_prefix("https://"));
    let rest = rest.ok_or_else(|| bad("is no http(s) address"))?;
    let host = rest.split('/').next().unwrap_or("");
    if host.is_empty() {
        return Err(bad("names no server"));
    }
    if host.contains('@') {
        return Err(bad("holds a password; put the key into OPENAI_API_KEY"));
    }
    if address.contains('?') {
        return Err(bad("holds a query (`?…`); put the key into OPENAI_API_KEY"));
    }
    let base = address.trim_end_matches('/').trim_end_matches("/v1");
    Ok(Endpoint {
        base: base.to_owned(),
        limit,
    })
}

fn without_credentials(url: &str) -> String {
    let url = match url.split_once('?') {
        Some((address, _)) => &format!("{address}?…"),
        None => url,
    };
    match url.split_once('@') {
        Some((_, rest)) => format!("…@{rest}"),
        None => url.to_owned(),
    }
}
