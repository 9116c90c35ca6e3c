//! Who may ask: the person who has the token, from a page of this server, by this server's own name. A page of somebody else
//! in the same browser, a name that was pointed at this address, and other programs of other people are refused.

use std::net::SocketAddr;

use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};

/// Longest address that is looked at.
const LONGEST: usize = 8 * 1024;

#[derive(Debug, Clone)]
pub struct Guard {
    token: String,
    address: SocketAddr,
}

/// Why a request is refused.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal(pub StatusCode, pub &'static str);

/// How a request showed the token.
#[derive(Debug, PartialEq, Eq)]
pub enum Shown {
    InAddress,
    InCookie,
}

impl Guard {
    /// 128 random bits of the operating system.
    pub fn new(address: SocketAddr) -> Result<Guard, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Guard { token, address })
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// Ports of one machine share their cookies: this one is told apart by its port.
    pub fn cookie(&self) -> String {
        format!("epicene-view-{}", self.address.port())
    }

    pub fn check(&self, request: &Request) -> Result<Shown, Refusal> {
        let headers = request.headers();
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return Err(Refusal(
                StatusCode::METHOD_NOT_ALLOWED,
                "this server only shows",
            ));
        }
        let uri = request.uri();
        let length = uri.path().len() + uri.query().map_or(0, str::len);
        if length > LONGEST {
            return Err(Refusal(StatusCode::URI_TOO_LONG, "the address is too long"));
        }
        let port = self.address.port();
        let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let host = text(headers, header::HOST.as_str());
        if !host.is_some_and(|host| own.iter().any(|name| name == host)) {
            return Err(Refusal(
                StatusCode::MISDIRECTED_REQUEST,
                "this is not that host",
            ));
        }
        if let Some(origin) = text(headers, header::ORIGIN.as_str())
            && !own.iter().any(|name| origin == format!("http://{name}"))
        {
            return Err(Refusal(StatusCode::FORBIDDEN, "other pages may not ask"));
        }
        if let Some(site) = text(headers, "sec-fetch-site")
            && !matches!(site, "same-origin" | "none")
        {
            return Err(Refusal(StatusCode::FORBIDDEN, "other pages may not ask"));
        }
        let query = uri.query().unwrap_or("");
        let given = query
            .split('&')
            .find_map(|pair| pair.strip_prefix("token="));
        if given.is_some_and(|given| self.is_token(given)) {
            return Ok(Shown::InAddress);
        }
        let name = self.cookie();
        let cookies = text(headers, header::COOKIE.as_str()).unwrap_or("");
        let kept = cookies
            .split(';')
            .filter_map(|cookie| cookie.trim().split_once('='))
            .find(|(known, _)| *known == name);
        if kept.is_some_and(|(_, value)| self.is_token(value)) {
            return Ok(Shown::InCookie);
        }
        Err(Refusal(
            StatusCode::UNAUTHORIZED,
            "open the address that `epicene view` printed: it has the token",
        ))
    }

    /// Compared in the same time whatever was guessed right.
    fn is_token(&self, given: &str) -> bool {
        let (ours, theirs) = (self.token.as_bytes(), given.as_bytes());
        let pairs = ours.iter().zip(theirs);
        ours.len() == theirs.len() && pairs.fold(0, |all, (a, b)| all | (a ^ b)) == 0
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    // Said twice is not said.
    let mut all = headers.get_all(name).iter();
    let first = all.next()?;
    match all.next() {
        None => first.to_str().ok().or(Some("")),
        Some(_) => Some(""),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn guard() -> Guard {
        Guard {
            token: "0123456789abcdef0123456789abcdef".to_owned(),
            address: SocketAddr::from(([127, 0, 0, 1], 4000)),
        }
    }

    fn ask(uri: &str, headers: &[(&str, &str)]) -> Result<Shown, Refusal> {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        guard().check(&request.body(Body::empty()).unwrap())
    }

    #[test]
    fn the_token_opens_and_nothing_else_does() {
        let with = "/?token=0123456789abcdef0123456789abcdef";
        let host = ("host", "127.0.0.1:4000");
        assert_eq!(ask(with, &[host]), Ok(Shown::InAddress));
        assert_eq!(
            ask(with, &[("host", "localhost:4000")]),
            Ok(Shown::InAddress)
        );
        let cookie = (
            "cookie",
            "a=b; epicene-view-4000=0123456789abcdef0123456789abcdef",
        );
        assert_eq!(ask("/", &[host, cookie]), Ok(Shown::InCookie));
        let status = |answer: Result<Shown, Refusal>| answer.unwrap_err().0.as_u16();
        assert_eq!(status(ask("/", &[host])), 401);
        assert_eq!(status(ask("/?token=0123", &[host])), 401);
        assert_eq!(status(ask("/?token=", &[host])), 401);
        // A name that somebody pointed at this address.
        assert_eq!(status(ask(with, &[("host", "evil.example:4000")])), 421);
        assert_eq!(status(ask(with, &[("host", "127.0.0.1:4001")])), 421);
        assert_eq!(status(ask(with, &[])), 421);
        assert_eq!(status(ask(with, &[host, ("host", "evil.example")])), 421);
        // Pages of others.
        for other in [
            "http://evil.example",
            "null",
            "https://127.0.0.1:4000",
            "http://127.0.0.1:4001",
        ] {
            assert_eq!(
                status(ask(with, &[host, ("origin", other)])),
                403,
                "{other}"
            );
        }
        for site in ["cross-site", "same-site"] {
            assert_eq!(status(ask(with, &[host, ("sec-fetch-site", site)])), 403);
        }
        assert!(
            ask(
                with,
                &[
                    host,
                    ("origin", "http://127.0.0.1:4000"),
                    ("sec-fetch-site", "same-origin")
                ]
            )
            .is_ok()
        );
        let long = format!("{with}&words={}", "x".repeat(LONGEST));
        assert_eq!(status(ask(&long, &[host])), 414);
    }

    #[test]
    fn nobody_writes() {
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
            let request = Request::builder()
                .method(method)
                .uri("/")
                .body(Body::empty())
                .unwrap();
            assert_eq!(
                guard().check(&request).unwrap_err().0,
                StatusCode::METHOD_NOT_ALLOWED
            );
        }
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let address = SocketAddr::from(([127, 0, 0, 1], 1));
        let [one, other] = [0, 1].map(|_| Guard::new(address).unwrap());
        assert_eq!(one.token().len(), 32);
        assert_ne!(one.token(), other.token());
    }
}
