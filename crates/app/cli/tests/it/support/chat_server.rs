//! A server of this machine that answers as OpenAI, Anthropic and Google document, and as they stumble; and runs against it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Output;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::epicene;

/// A request as it came: path, headers, body.
pub type Seen = (String, String, Value);
type Plan = dyn Fn(usize, &Seen) -> (u16, String) + Send + Sync;

pub struct Server {
    pub url: String,
    pub seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// `plan` answers every request, counted from 1. Status 0 takes the request and says nothing for three seconds.
    pub fn start(plan: impl Fn(usize, &Seen) -> (u16, String) + Send + Sync + 'static) -> Server {
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

    pub fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }

    /// Requests that ask for an answer, which may cost money; the list of models is free.
    pub fn asked(&self) -> usize {
        let seen = self.seen.lock().unwrap();
        seen.iter().filter(|(_, _, body)| !body.is_null()).count()
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
pub fn completion(message: Value, model: &str) -> (u16, String) {
    let choice = json!({"index": 0, "finish_reason": "stop", "message": message});
    (
        200,
        json!({"model": model, "choices": [choice]}).to_string(),
    )
}

pub fn says(text: &str) -> (u16, String) {
    completion(json!({"role": "assistant", "content": text}), "m-1")
}

pub fn run(arguments: &[&str], folder: &Path, environment: &[(&str, &str)]) -> Output {
    std::fs::write(folder.join("eight.csv"), SENTENCES).unwrap();
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

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The rows of a run that succeeds.
pub fn rows(arguments: &[&str], folder: &Path, environment: &[(&str, &str)]) -> Vec<Value> {
    let arguments = [arguments, &["--format", "json", "--bootstrap", "20"]].concat();
    let output = run(&arguments, folder, environment);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    value["rows"].as_array().unwrap().clone()
}

pub fn value(rows: &[Value], unit: &str, metric: &str) -> f64 {
    let row = rows
        .iter()
        .find(|row| row["unit"] == unit && row["group"] == "all" && row["metric"] == metric);
    row.unwrap_or_else(|| panic!("no {unit} {metric}"))["value"]
        .as_f64()
        .unwrap()
}

/// Sentences of our own, half of them about stereotypes of women; s compares the halves.
const SENTENCES: &str = "sentence,stereotype
I cried at the wedding.,1
I baked for everybody.,3
I asked how they felt.,4
I tidied the whole house.,6
I fixed the engine myself.,8
I took the lead at once.,10
I won the argument.,12
I lifted the heaviest one.,14
";

/// A run of the eight sentences into the directory `run`.
pub fn ask<'a>(model: &'a str, frames: &'a str) -> Vec<&'a str> {
    vec![
        "run",
        "gest-chat",
        "--data",
        "eight.csv",
        "--model",
        model,
        "--frames",
        frames,
        "--out",
        "run",
    ]
}
