//! Chat systems against servers of this machine that answer as OpenAI, Anthropic and Google document, and as they stumble.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Output;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use support::epicene;

/// A request as it came: path, headers, body.
type Seen = (String, String, Value);
type Plan = dyn Fn(usize, &Seen) -> (u16, String) + Send + Sync;

struct Server {
    url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// `plan` answers every request, counted from 1. Status 0 takes the request and says nothing for three seconds.
    fn start(plan: impl Fn(usize, &Seen) -> (u16, String) + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (log, plan): (_, Arc<Plan>) = (Arc::clone(&seen), Arc::new(plan));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, plan) = (Arc::clone(&log), Arc::clone(&plan));
                std::thread::spawn(move || answer(stream, &log, &*plan));
            }
        });
        Server { url, seen }
    }

    fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}

fn answer(mut stream: TcpStream, log: &Mutex<Vec<Seen>>, plan: &Plan) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let (mut length, mut headers, mut path) = (0, String::new(), String::new());
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 || line.trim().is_empty() {
            break;
        }
        if path.is_empty() {
            path = line.split(' ').nth(1)?.to_owned();
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        headers += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let seen = (
        path,
        headers,
        serde_json::from_slice(&body).unwrap_or(Value::Null),
    );
    let count = {
        let mut log = log.lock().ok()?;
        log.push(seen.clone());
        log.len()
    };
    let (status, text) = plan(count, &seen);
    if status == 0 {
        std::thread::sleep(Duration::from_secs(3));
        return None;
    }
    write!(
        stream,
        "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    )
    .ok()
}

/// What an OpenAI-compatible server says.
fn completion(message: Value, model: &str) -> (u16, String) {
    let choice = json!({"index": 0, "finish_reason": "stop", "message": message});
    (
        200,
        json!({"model": model, "choices": [choice]}).to_string(),
    )
}

fn says(text: &str) -> (u16, String) {
    completion(json!({"role": "assistant", "content": text}), "m-1")
}

fn run(arguments: &[&str], folder: &Path, environment: &[(&str, &str)]) -> Output {
    let mut command = epicene();
    command
        .args(arguments)
        .current_dir(folder)
        .env("EPICENE_CACHE", folder.join("cache"))
        .env("EPICENE_HTTP_PAUSE", "0.01")
        .env("EPICENE_HTTP_ATTEMPTS", "3")
        .env_remove("OPENAI_API_KEY")
        .env_remove("ANTHROPIC_API_KEY")
        .env_remove("GEMINI_API_KEY")
        .env_remove("GOOGLE_API_KEY");
    for (name, value) in environment {
        command.env(name, value);
    }
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The rows of a run that succeeds.
fn rows(arguments: &[&str], folder: &Path, environment: &[(&str, &str)]) -> Vec<Value> {
    let arguments = [arguments, &["--format", "json", "--bootstrap", "20"]].concat();
    let output = run(&arguments, folder, environment);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    value["rows"].as_array().unwrap().clone()
}

fn value(rows: &[Value], unit: &str, metric: &str) -> f64 {
    let row = rows
        .iter()
        .find(|row| row["unit"] == unit && row["group"] == "all" && row["metric"] == metric);
    row.unwrap_or_else(|| panic!("no {unit} {metric}"))["value"]
        .as_f64()
        .unwrap()
}

fn ask<'a>(model: &'a str, frames: &'a str) -> Vec<&'a str> {
    vec![
        "run",
        "gest-chat",
        "--data",
        "epicene-mini",
        "--limit",
        "8",
        "--model",
        model,
        "--frames",
        frames,
        "--out",
        "run",
    ]
}

#[test]
fn a_server_without_probabilities_is_read_by_what_it_writes_and_never_asked_twice() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|_, _| says("<think>A, or C?</think>\n\n**B**"));
    let model = format!("chat:m@{}", server.url);
    let found = rows(&ask(&model, "choice:1"), folder.path(), &[]);
    // The first option of half of the orders is the man, the second is always what stands second.
    assert!((value(&found, "choice:1", "n") - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(value(&found, "choice:1", "unreadable"), 0.0);
    // One question to find out about probabilities, 8 items in 6 orders.
    assert_eq!(server.count(), 1 + 48);
    let log = std::fs::read_to_string(folder.path().join("run/log.jsonl")).unwrap();
    assert!(log.contains("choice-sampled") && !log.contains("choice-logprob"));
    // Another run of the same questions has them from the cache.
    let mut again = ask(&model, "choice:1");
    *again.last_mut().unwrap() = "other";
    rows(&again, folder.path(), &[]);
    assert_eq!(server.count(), 2 + 48);
}

#[test]
fn probabilities_are_used_where_a_server_shows_them() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|_, (_, _, body)| {
        assert_eq!(body["logprobs"], true);
        let top = [("A", 0.5_f64), ("B", 0.25), (" C", 0.125), ("The", 0.125)];
        let top: Vec<Value> = top
            .iter()
            .map(|(token, p)| json!({"token": token, "logprob": p.ln()}))
            .collect();
        let content = json!([{"token": "A", "logprob": 0.5_f64.ln(), "top_logprobs": top}]);
        let choice = json!({"finish_reason": "length", "message": {"content": "A"}, "logprobs": {"content": content}});
        (
            200,
            json!({"model": "m-1", "choices": [choice]}).to_string(),
        )
    });
    let model = format!("chat:m@{}", server.url);
    let found = rows(&ask(&model, "choice:1"), folder.path(), &[]);
    assert!((value(&found, "choice:1", "mass") - 0.875).abs() < 1e-9);
    assert!((value(&found, "choice:1", "order_effect") - 0.375 / 0.875).abs() < 1e-9);
    assert!(value(&found, "choice:1", "s").abs() < 1e-12);
    let log = std::fs::read_to_string(folder.path().join("run/log.jsonl")).unwrap();
    assert!(log.contains("choice-logprob") && !log.contains("choice-sampled"));
}

#[test]
fn a_model_that_changes_under_way_stops_the_run_and_keeps_what_was_answered() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|count, _| {
        let model = if count < 30 { "m-1" } else { "m-2" };
        completion(json!({"content": "She sang."}), model)
    });
    let model = format!("chat:m@{}#1", server.url);
    let output = run(&ask(&model, "character,completion"), folder.path(), &[]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("`m-1` answered until now, and `m-2` answers now"),
        "{said}"
    );
    let cache = folder.path().join("cache/chat");
    let kept: usize = std::fs::read_dir(cache)
        .unwrap()
        .map(|file| {
            std::fs::read_to_string(file.unwrap().path())
                .unwrap()
                .lines()
                .count()
        })
        .sum();
    assert!(kept >= 20, "{kept}");
}

#[test]
fn refusals_thoughts_and_silence_are_results() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|count, _| match count % 4 {
        0 => completion(json!({"content": null, "refusal": "I will not."}), "m-1"),
        1 => completion(
            json!({"content": null, "reasoning_content": "He? She?"}),
            "m-1",
        ),
        2 => (
            400,
            json!({"error": {"code": "content_filter", "message": "held back"}}).to_string(),
        ),
        _ => completion(
            json!({"content": "She sang, and her day was long.", "reasoning_content": "He."}),
            "m-1",
        ),
    });
    let model = format!("chat:m@{}", server.url);
    let found = rows(&ask(&model, "character"), folder.path(), &[]);
    let mean = |metric: &str| -> f64 {
        ["character:1", "character:2", "character:3"]
            .iter()
            .map(|unit| value(&found, unit, metric))
            .sum::<f64>()
            / 3.0
    };
    assert!((mean("refused") - 0.5).abs() < 1e-12, "{}", mean("refused"));
    assert!((mean("unreadable") - 0.25).abs() < 1e-12);
}

#[test]
fn servers_that_stumble_stall_or_answer_nonsense() {
    let good = || says("She sang.");
    for (name, plan, fine) in [
        ("503", (503, "busy".to_owned()), true),
        ("429", (429, "slow down".to_owned()), true),
        (
            "empty",
            (200, json!({"model": "m-1", "choices": []}).to_string()),
            true,
        ),
        ("html", (200, "<html>".to_owned()), true),
        ("stall", (0, String::new()), true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let server =
            Server::start(move |count, _| if count % 5 == 1 { plan.clone() } else { good() });
        let model = format!("chat:m@{}", server.url);
        let mut arguments = ask(&model, "character:1");
        arguments.extend(["--bootstrap", "20"]);
        let output = run(&arguments, folder.path(), &[("EPICENE_HTTP_TIMEOUT", "1")]);
        assert_eq!(
            output.status.success(),
            fine,
            "{name}: {}",
            text(&output.stderr)
        );
    }
    for (name, plan, message) in [
        (
            "empty",
            (200, json!({"choices": []}).to_string()),
            "no choice",
        ),
        ("401", (401, "who are you?".to_owned()), "OPENAI_API_KEY"),
        ("404", (404, "no such model".to_owned()), "no such model"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(move |_, _| plan.clone());
        let model = format!("chat:m@{}", server.url);
        let output = run(&ask(&model, "character:1"), folder.path(), &[]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains(message), "{name}: {said}");
    }
}

#[test]
fn a_setting_the_server_does_not_know_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|_, (_, _, body)| {
        if body.get("max_tokens").is_some() {
            return (
                400,
                json!({"error": {"message": "Use 'max_completion_tokens' instead."}}).to_string(),
            );
        }
        says("He laughed at his joke.")
    });
    let model = format!("chat:m@{}", server.url);
    let found = rows(&ask(&model, "character:1"), folder.path(), &[]);
    assert_eq!(value(&found, "character:1", "r"), 1.0);
}

#[test]
fn services_have_their_own_forms_and_keys() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|_, (path, headers, body)| {
        let headers = headers.to_lowercase();
        if path == "/v1/messages" {
            assert!(
                headers.contains("x-api-key: secret-a") && headers.contains("anthropic-version:")
            );
            assert_eq!(body["messages"][0]["role"], "user");
            let reply = json!({"type": "message", "model": "claude-x-1", "stop_reason": "end_turn",
                "content": [{"type": "text", "text": "She sang to her son."}]});
            return (200, reply.to_string());
        }
        assert_eq!(path, "/v1beta/models/gemini-x:generateContent");
        assert!(headers.contains("x-goog-api-key: secret-g"));
        let reply = json!({"modelVersion": "gemini-x-1", "candidates": [{"finishReason": "STOP",
            "content": {"parts": [{"text": "He sang to his son."}]}}]});
        (200, reply.to_string())
    });
    let environment = [
        ("ANTHROPIC_BASE_URL", server.url.as_str()),
        ("GOOGLE_GEMINI_BASE_URL", server.url.as_str()),
        ("ANTHROPIC_API_KEY", "secret-a"),
        ("GEMINI_API_KEY", "secret-g"),
    ];
    let found = rows(
        &ask("anthropic:claude-x", "character:1"),
        folder.path(),
        &environment,
    );
    assert_eq!(value(&found, "character:1", "r"), 0.0);
    let mut arguments = ask("gemini:gemini-x", "character:1");
    *arguments.last_mut().unwrap() = "other";
    let found = rows(&arguments, folder.path(), &environment);
    assert_eq!(value(&found, "character:1", "r"), 1.0);
    for file in ["run/manifest.json", "run/log.jsonl", "other/log.jsonl"] {
        let kept = std::fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(!kept.contains("secret-"), "{file}");
    }
    let output = run(
        &ask("anthropic:claude-x", "character:1"),
        folder.path(),
        &[],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("ANTHROPIC_API_KEY"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_paid_run_is_agreed_on_beforehand() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|_, _| says("B"));
    let model = format!("chat:gpt-4o-mini@{}", server.url);
    let key = [("OPENAI_API_KEY", "k")];
    let arguments = [
        "run",
        "gest-chat",
        "--data",
        "epicene-mini",
        "--model",
        &model,
        "--out",
        "run",
    ];
    let output = run(&arguments, folder.path(), &key);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("questions to ask") && said.contains("USD") && said.contains("--yes"),
        "{said}"
    );
    // Only the question about probabilities went out.
    assert!(server.count() <= 1, "{}", server.count());
}

#[test]
fn answers_somebody_has_are_read_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|count, _| {
        says(if count % 3 == 0 {
            "He ran."
        } else {
            "She ran."
        })
    });
    let model = format!("chat:m@{}", server.url);
    let asked = rows(&ask(&model, "character"), folder.path(), &[]);
    let items = run(&["items", "run"], folder.path(), &[]);
    std::fs::write(folder.path().join("answers.jsonl"), &items.stdout).unwrap();
    let mut arguments = ask("file:answers.jsonl", "character");
    *arguments.last_mut().unwrap() = "file";
    let read = rows(&arguments, folder.path(), &[]);
    assert_eq!(value(&asked, "all", "s"), value(&read, "all", "s"));
    // Plain lines, and what is wrong with them.
    for (line, message) in [
        (
            r#"{"id": "gest:1", "unit": "character:9", "text": "She ran."}"#,
            "line 1: the unit `character:9`",
        ),
        (
            r#"{"id": "gest:x", "unit": "character:1", "text": "She ran."}"#,
            "no item",
        ),
        (
            r#"{"id": 1, "unit": "character:1"}"#,
            "neither `text` nor `answer`",
        ),
        (
            r#"{"id": 1, "unit": "character:1", "text": "She ran."}"#,
            "no answer to gest:2",
        ),
    ] {
        std::fs::write(folder.path().join("bad.jsonl"), format!("{line}\n")).unwrap();
        let mut arguments = ask("file:bad.jsonl", "character");
        *arguments.last_mut().unwrap() = "bad";
        let output = run(&arguments, folder.path(), &[]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message), "{line}: {said}");
    }
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (more, message) in [
        (vec!["--frames", "poem"], "no such frame"),
        (vec!["--repeat", "3"], "--temperature"),
        (vec!["--temperature", "3"], "not between 0 and 2"),
        (vec!["--choice", "logprob"], "gives no probabilities"),
    ] {
        let mut arguments = vec![
            "run",
            "gest-chat",
            "--data",
            "epicene-mini",
            "--model",
            "random:1",
            "--out",
            "run",
        ];
        arguments.extend(more);
        let output = run(&arguments, folder.path(), &[]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(message), "{said}");
    }
    let output = run(
        &[
            "run",
            "gest",
            "--data",
            "epicene-mini",
            "--model",
            "chat:m@http://127.0.0.1:9",
        ],
        folder.path(),
        &[],
    );
    let said = text(&output.stderr);
    assert!(said.contains("gest-chat"), "{said}");
}
