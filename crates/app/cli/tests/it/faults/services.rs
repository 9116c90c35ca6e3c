//! Services and model servers that point elsewhere, ask for eternity, or answer with megabytes.

use std::path::Path;
use std::process::Output;
use std::sync::{Arc, Mutex};

use super::launch::{code, epicene, stderr};
use super::server::{Reply, Server};

const KEY: &str = "secret-key-0123456789";

/// Translates two lines with a service whose address is `url`.
fn translate(here: &Path, spec: &str, url: &str) -> Output {
    std::fs::write(here.join("in.txt"), "I ran.\nI sat.\n").unwrap();
    epicene(here)
        .args(["translate", "in.txt", "--mt", spec, "--to", "sk", "--fresh"])
        .env("DEEPL_AUTH_KEY", KEY)
        .env("EPICENE_DEEPL_URL", url)
        .env("GOOGLE_API_KEY", KEY)
        .env("GOOGLE_OAUTH_ACCESS_TOKEN", KEY)
        .env("GOOGLE_CLOUD_PROJECT", "p")
        .env("EPICENE_GOOGLE_URL", url)
        .env("AZURE_TRANSLATOR_KEY", KEY)
        .env("AZURE_TRANSLATOR_REGION", "r")
        .env("EPICENE_MICROSOFT_URL", url)
        .env("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
        .env("AWS_SECRET_ACCESS_KEY", KEY)
        .env("AWS_SESSION_TOKEN", KEY)
        .env("AWS_REGION", "eu-west-1")
        .env("EPICENE_AMAZON_URL", url)
        .env("LIBRETRANSLATE_API_KEY", KEY)
        .env("OPENAI_API_KEY", KEY)
        .env("EPICENE_HTTP_ATTEMPTS", "2")
        .output()
        .unwrap()
}

fn specs(url: &str) -> [String; 7] {
    [
        "deepl:".to_owned(),
        "google:".to_owned(),
        "google:v3".to_owned(),
        "microsoft:".to_owned(),
        "amazon:".to_owned(),
        format!("libretranslate:{url}"),
        format!("openai:m@{url}"),
    ]
}

#[test]
fn keys_follow_no_redirect() {
    let directory = tempfile::tempdir().unwrap();
    for status in [301, 302, 303, 307, 308] {
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&seen);
        let thief = Server::start(move |request| {
            log.lock().unwrap().push(format!("{request:?}"));
            Reply::new(200, "{}")
        });
        let place = thief.url.replace("127.0.0.1", "localhost");
        let service = Server::start(move |request| {
            Reply::new(status, "").with("Location", format!("{place}{}", request.path))
        });
        for spec in specs(&service.url) {
            let done = translate(directory.path(), &spec, &service.url);
            let said = stderr(&done);
            assert_eq!(code(&done), 2, "{spec}: {said}");
            assert!(said.contains("is not followed"), "{spec}: {said}");
            assert!(!said.contains(KEY), "{spec}: {said}");
        }
        assert_eq!(*seen.lock().unwrap(), Vec::<String>::new(), "{status}");
    }
}

/// The text of a refusal is somebody else's: short, and nothing in it acts on a terminal.
#[test]
fn what_servers_say_is_short_and_harmless() {
    let directory = tempfile::tempdir().unwrap();
    for status in [400, 403, 418, 500] {
        let service = Server::start(move |_| {
            let text = format!("\x1b]0;owned\x07\x1b[2J\u{9b}31m {}", "A".repeat(3 << 20));
            Reply::new(status, text)
        });
        for spec in specs(&service.url) {
            let done = translate(directory.path(), &spec, &service.url);
            let said = stderr(&done);
            assert_eq!(code(&done), 2, "{spec}: {said}");
            assert!(said.len() < 2000, "{spec}: {} bytes", said.len());
            let acts = |c: char| c.is_control() && c != '\n';
            assert!(!said.contains(acts), "{spec}: {said:?}");
        }
    }
}

#[test]
fn an_answer_without_end_is_no_answer() {
    let directory = tempfile::tempdir().unwrap();
    let service = Server::start(|_| Reply {
        endless: true,
        ..Reply::new(200, vec![b' '; 1 << 20])
    });
    let done = translate(directory.path(), "deepl:", &service.url);
    let said = stderr(&done);
    assert_eq!(code(&done), 2, "{said}");
    assert!(said.contains("an answer of more than 64 MiB"), "{said}");
}

/// Numbers and dates beyond every calendar: no pause is made of them here, since there is one attempt,
/// but they are read.
#[test]
fn no_header_ends_the_program() {
    let directory = tempfile::tempdir().unwrap();
    for value in [
        "18446744073709551615",
        "99999999999999999999",
        "Fri, 31 Dec 18446744073709551615 23:59:59 GMT",
        "Fri, 31 Dec 99999999999 23:59:59 GMT",
        "Fri, 18446744073709551615 Dec 2024 23:59:59 GMT",
        "Fri, 31 Dec 2024 18446744073709551615:59:59 GMT",
    ] {
        let service = Server::start(move |_| Reply::new(429, "slow").with("Retry-After", value));
        std::fs::write(directory.path().join("in.txt"), "I ran.\n").unwrap();
        let spec = format!("libretranslate:{}", service.url);
        let done = epicene(directory.path())
            .args(["translate", "in.txt", "--mt", &spec, "--to", "sk"])
            .env("EPICENE_HTTP_ATTEMPTS", "1")
            .output()
            .unwrap();
        let said = stderr(&done);
        assert_eq!(code(&done), 2, "{value}: {said}");
        assert!(!said.contains("panicked"), "{value}: {said}");
        assert!(said.contains("the server answered 429"), "{value}: {said}");
    }
}
