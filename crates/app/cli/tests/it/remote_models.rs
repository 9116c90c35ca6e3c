//! `openai:` against a server of this machine that can also misbehave. It is no model: it gives every
//! word a log-probability by a rule, so that the right scores are known.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::support::{Rows, epicene, succeed};
use serde_json::{Value, json};

#[derive(Clone, Copy, PartialEq)]
enum Manner {
    Good,
    /// Answers with the tokens it generated and not with those it was sent.
    IgnoresEcho,
    /// Every third request fails with this status first.
    Stumbles(u16),
    Refuses,
    Nonsense,
}

struct Server {
    url: String,
    requests: Arc<Mutex<Vec<Seen>>>,
}

/// A request as it came.
struct Seen {
    headers: String,
    /// Texts whose log-probabilities were asked for.
    echoed: Vec<String>,
}

/// he: -1, she: -2, man: -1.5, woman: -1; everything else: -3.
fn log_probability(token: &str) -> f64 {
    match token {
        " he" => -1.0,
        " she" => -2.0,
        " man" => -1.5,
        " woman" => -1.0,
        _ => -3.0,
    }
}

/// Words with the blank before them, as byte-level vocabularies have them.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    for c in text.chars() {
        match (c, tokens.last_mut()) {
            (' ', _) | (_, None) => tokens.push(c.to_string()),
            (c, Some(token)) => token.push(c),
        }
    }
    tokens
}

fn prompts(body: &Value) -> Vec<String> {
    match &body["prompt"] {
        Value::Array(texts) => texts
            .iter()
            .map(|text| text.as_str().unwrap().to_owned())
            .collect(),
        text => vec![text.as_str().unwrap().to_owned()],
    }
}

fn reply(body: &Value, manner: Manner) -> String {
    let choice = |(index, text): (usize, String)| {
        let mut tokens = tokens(&text);
        tokens.push(" generated".to_owned());
        if manner == Manner::IgnoresEcho || body["echo"] != true {
            tokens = vec![" generated".to_owned()];
        }
        let value = |(place, token): (usize, &String)| match place {
            0 => Value::Null,
            _ => json!(log_probability(token)),
        };
        let values: Vec<Value> = tokens.iter().enumerate().map(value).collect();
        json!({"index": index, "logprobs": {"tokens": tokens, "token_logprobs": values}})
    };
    let choices: Vec<Value> = prompts(body).into_iter().enumerate().map(choice).collect();
    json!({ "choices": choices }).to_string()
}

impl Server {
    fn start(manner: Manner) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let log = Arc::clone(&log);
                std::thread::spawn(move || answer(stream, manner, &log));
            }
        });
        Server { url, requests }
    }
}

fn answer(mut stream: TcpStream, manner: Manner, log: &Mutex<Vec<Seen>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut length, mut headers) = (0, String::new());
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        headers += &line;
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    // Nothing is said about the server itself.
    let Ok(body) = serde_json::from_slice::<Value>(&body) else {
        let _ = write!(
            stream,
            "HTTP/1.1 404 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        return;
    };
    let is_tokenizing = headers.starts_with("POST /tokenize");
    let count = {
        let mut log = log.lock().unwrap();
        let echoed = if body["echo"] == true {
            prompts(&body)
        } else {
            Vec::new()
        };
        log.push(Seen { headers, echoed });
        log.len()
    };
    let (status, text) = match manner {
        Manner::Stumbles(status) if count % 3 == 0 => (status, "wait".to_owned()),
        Manner::Refuses => (401, "who are you?".to_owned()),
        Manner::Nonsense => (200, "<html>".to_owned()),
        _ if is_tokenizing => (404, String::new()),
        _ => (200, reply(&body, manner)),
    };
    let _ = write!(
        stream,
        "HTTP/1.1 {status} X\r\nRetry-After: 0\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    );
}

fn ask(urls: &str, directory: &Path, limit: &str) -> (i32, String, String) {
    ask_with(urls, directory, limit, &[])
}

fn ask_with(
    urls: &str,
    directory: &Path,
    limit: &str,
    settings: &[(&str, &str)],
) -> (i32, String, String) {
    let output = epicene()
        .envs(settings.iter().copied())
        .args([
            "run",
            "gest",
            "--data",
            "epicene-mini",
            "--limit",
            limit,
            "--format",
            "json",
            "--out",
            "r",
        ])
        .args(["--model", &format!("openai:tiny@{urls}")])
        .env("OPENAI_API_KEY", "secret-key-1234")
        .current_dir(directory)
        .output()
        .unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn scores_are_differences_of_the_words_log_probabilities() {
    let (first, second) = (
        Server::start(Manner::Good),
        Server::start(Manner::Stumbles(503)),
    );
    let directory = tempfile::tempdir().unwrap();
    let urls = format!("{},{}/v1/", first.url, second.url);
    let (code, stdout, stderr) = ask(&urls, directory.path(), "30");
    assert_eq!(code, 0, "{stderr}");
    let rows = Rows::parse(&stdout);
    let ln10 = 10f64.ln();
    for (template, difference) in [("template:3", 1.0), ("template:4", -0.5)] {
        let q = rows.value("tiny", template, "stereotype:1", "q");
        assert!((q - (difference / ln10).exp()).abs() < 1e-9, "{q}");
    }
    // Both servers worked, with the key; nothing of it is in the run.
    for server in [&first, &second] {
        let requests = server.requests.lock().unwrap();
        assert!(!requests.is_empty());
        assert!(
            requests
                .iter()
                .all(|seen| seen.headers.contains("bearer secret-key-1234")
                    || seen.headers.contains("Bearer secret-key-1234"))
        );
    }
    for file in ["manifest.json", "log.jsonl", "measures.json"] {
        let text = std::fs::read_to_string(directory.path().join("r").join(file)).unwrap();
        assert!(!text.contains("secret-key"), "{file}");
    }
    assert!(!stderr.contains("secret-key") && !stdout.contains("secret-key"));
}

#[test]
fn servers_that_lie_or_refuse_are_told_apart() {
    for (manner, message) in [
        (Manner::IgnoresEcho, "the server ignores `echo`"),
        (Manner::Refuses, "the server answered 401: who are you?"),
        (Manner::Nonsense, "not a completion"),
    ] {
        let server = Server::start(manner);
        let directory = tempfile::tempdir().unwrap();
        let (code, _, stderr) = ask(&server.url, directory.path(), "4");
        assert_eq!(code, 2);
        assert!(stderr.contains(message), "{stderr}");
        assert!(
            stderr.contains("hint:") && !stderr.contains("secret-key"),
            "{stderr}"
        );
        // What can be done without `echo` is named where that is what lacks, and nowhere else.
        let named = stderr.contains("--model hf:ORG/NAME, dir:PATH, gguf:PATH");
        assert_eq!(named, message.contains("echo"), "{stderr}");
    }
    for (url, message) in [
        ("ftp://x", "no http(s) address"),
        ("http://me:word@x", "put the key into OPENAI_API_KEY"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let (code, _, stderr) = ask(url, directory.path(), "4");
        assert_eq!(code, 2);
        assert!(
            stderr.contains(message) && !stderr.contains("me:word"),
            "{stderr}"
        );
    }
}

#[test]
fn what_was_answered_before_a_server_died_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let good = Server::start(Manner::Good);
    let (code, whole, _) = ask(&good.url, path, "12");
    assert_eq!(code, 0);
    let log = std::fs::read_to_string(path.join("r/log.jsonl")).unwrap();
    let kept: String = log
        .lines()
        .take(9)
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(path.join("r/log.jsonl"), &kept).unwrap();
    let bad = Server::start(Manner::Refuses);
    assert_eq!(ask(&bad.url, path, "12").0, 2);
    assert_eq!(
        std::fs::read_to_string(path.join("r/log.jsonl")).unwrap(),
        kept
    );
    good.requests.lock().unwrap().clear();
    let (code, again, _) = ask(&good.url, path, "12");
    assert_eq!((code, again), (0, whole));
    // 24 questions, 9 answered: 15 are asked, two texts each, one to look at the server and three to identify its model.
    let seen = good.requests.lock().unwrap();
    let texts: BTreeSet<&String> = seen.iter().flat_map(|seen| &seen.echoed).collect();
    assert_eq!(texts.len(), 34);
    drop(seen);
    succeed(&["report", "r"], path);
}

/// The settings of HTTP are those of translators.
#[test]
fn a_model_behind_a_server_obeys_the_same_settings_as_a_translator() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(Manner::Stumbles(503));
    let once = [("EPICENE_HTTP_ATTEMPTS", "1")];
    let (code, _, stderr) = ask_with(&server.url, directory.path(), "12", &once);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("503"), "{stderr}");
    let (code, _, stderr) = ask_with(&server.url, directory.path(), "12", &[]);
    assert_eq!(code, 0, "{stderr}");
}
