//! SIGINT and SIGTERM while answers come in, and at other times; downloads by several processes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

use rustix::process::{Pid, Signal, kill_process};

use super::launch::{code, epicene, stderr, tree};
use super::server::{Reply, Request, Server};
use crate::shared_data::shared;

/// A server that sends a signal to whoever asks, at this request, and answers all the same.
fn signalling(
    at: u64,
    signal: Signal,
    pid: &Arc<AtomicI32>,
    answer: impl Fn(&Request) -> Reply + Send + Sync + 'static,
) -> Server {
    let (asked, pid) = (AtomicU64::new(0), Arc::clone(pid));
    Server::start(move |request| {
        // Questions about the server itself have no body.
        if request.body.is_empty() {
            return Reply::new(404, "");
        }
        if asked.fetch_add(1, Ordering::SeqCst) == at {
            let pid = loop {
                match Pid::from_raw(pid.load(Ordering::SeqCst)) {
                    Some(pid) => break pid,
                    None => std::thread::yield_now(),
                }
            };
            kill_process(pid, signal).unwrap();
        }
        answer(request)
    })
}

fn run(mut command: Command, pid: &AtomicI32) -> (i32, String) {
    let child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    pid.store(i32::try_from(child.id()).unwrap(), Ordering::SeqCst);
    let done = child.wait_with_output().unwrap();
    (code(&done), stderr(&done))
}

/// Words with the blank before them, each with the same log-probability.
fn completion(request: &Request) -> Reply {
    // What else a server may have (a list of models, a version) this one has not.
    let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let prompts: Vec<&str> = match &body["prompt"] {
        serde_json::Value::String(one) => vec![one],
        serde_json::Value::Array(several) => several.iter().filter_map(|p| p.as_str()).collect(),
        _ => return Reply::new(404, ""),
    };
    let choices: Vec<serde_json::Value> = prompts.iter().enumerate().map(choice).collect();
    Reply::new(200, serde_json::json!({"choices": choices}).to_string())
}

fn choice((index, prompt): (usize, &&str)) -> serde_json::Value {
    // The blank belongs to the word behind it.
    let mut spelt: Vec<String> = Vec::new();
    let mut blank = "";
    for token in prompt.split_inclusive(' ') {
        spelt.push(format!("{blank}{}", token.trim_end()));
        blank = " ";
    }
    let values: Vec<serde_json::Value> = (0..spelt.len())
        .map(|place| match place {
            0 => serde_json::Value::Null,
            _ => (-1.0 - place as f64 / 8.0).into(),
        })
        .collect();
    let logprobs = serde_json::json!({"tokens": spelt, "token_logprobs": values});
    serde_json::json!({"index": index, "logprobs": logprobs})
}

fn data(here: &Path) {
    let sentences: String = (0..160)
        .map(|n| format!("I did {n}.,{}\n", n % 16 + 1))
        .collect();
    fs::write(
        here.join("gest.csv"),
        format!("sentence,stereotype\n{sentences}"),
    )
    .unwrap();
}

#[test]
fn a_signal_ends_a_run_where_it_can_go_on() {
    for (signal, name, expected) in [(Signal::INT, "SIGINT", 130), (Signal::TERM, "SIGTERM", 143)] {
        let directory = tempfile::tempdir().unwrap();
        let here = directory.path();
        data(here);
        let pid = Arc::new(AtomicI32::new(0));
        let server = signalling(40, signal, &pid, completion);
        let spec = format!("openai:m@{}", server.url);
        let arguments = [
            "run", "gest", "--model", &spec, "--data", "gest.csv", "--out", "r",
        ];
        let mut command = epicene(here);
        command.args(arguments);
        let (ended, said) = run(command, &pid);
        assert_eq!(ended, expected, "{said}");
        assert!(said.contains(&format!("stopped by {name}; ")), "{said}");
        assert!(
            said.contains("answers are kept, and the same command continues"),
            "{said}"
        );
        let log = fs::read_to_string(here.join("r/log.jsonl")).unwrap();
        assert!(log.ends_with('\n'), "a line is torn");
        let kept = log.lines().count();
        assert!((1..320).contains(&kept), "{kept}");
        let (_, behind) = said.split_once("error: stopped by ").unwrap();
        let count = behind.split(' ').nth(1).unwrap();
        assert_eq!(count, kept.to_string(), "{said}");
        let done = epicene(here).args(arguments).output().unwrap();
        assert_eq!(code(&done), 0, "{}", stderr(&done));
        let whole = fs::read_to_string(here.join("r/log.jsonl")).unwrap();
        assert!(whole.starts_with(&log));
        assert_eq!(whole.lines().count(), 320);
    }
}

#[test]
fn a_signal_ends_a_translation_and_leaves_the_old_file() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let lines: String = (0..2000).map(|n| format!("I did {n}.\n")).collect();
    fs::write(here.join("in.txt"), lines).unwrap();
    fs::write(here.join("out.txt"), "old").unwrap();
    let pid = Arc::new(AtomicI32::new(0));
    let server = signalling(2, Signal::INT, &pid, |request| {
        let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
        Reply::new(
            200,
            serde_json::json!({"translatedText": body["q"]}).to_string(),
        )
    });
    let spec = format!("libretranslate:{}", server.url);
    let arguments = [
        "translate",
        "in.txt",
        "--mt",
        &spec,
        "--to",
        "sk",
        "-o",
        "out.txt",
    ];
    let mut command = epicene(here);
    command.args(arguments);
    let (ended, said) = run(command, &pid);
    assert_eq!(ended, 130, "{said}");
    assert!(said.contains("the same command continues"), "{said}");
    assert_eq!(fs::read_to_string(here.join("out.txt")).unwrap(), "old");
    let done = epicene(here).args(arguments).output().unwrap();
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    assert_eq!(
        fs::read_to_string(here.join("out.txt"))
            .unwrap()
            .lines()
            .count(),
        2000
    );
}

/// A server that falls silent: the first signal waits for it, the second does not.
#[test]
fn a_second_signal_stops_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    data(here);
    let pid = Arc::new(AtomicI32::new(0));
    // It is asked about itself first; then it is silent.
    let asked = AtomicU64::new(0);
    let server = signalling(12, Signal::INT, &pid, move |request| {
        if asked.fetch_add(1, Ordering::SeqCst) < 12 {
            return completion(request);
        }
        Reply {
            length: Some(1 << 20),
            stalls: true,
            ..Reply::new(200, "")
        }
    });
    let spec = format!("openai:m@{}", server.url);
    let mut child = epicene(here)
        .args([
            "run", "gest", "--model", &spec, "--data", "gest.csv", "--out", "r",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let number = i32::try_from(child.id()).unwrap();
    pid.store(number, Ordering::SeqCst);
    // It says so when it has understood the first.
    let mut said = String::new();
    let mut reader = std::io::BufReader::new(child.stderr.take().unwrap());
    while !said.contains("press Ctrl-C again to stop immediately") {
        let count = std::io::BufRead::read_line(&mut reader, &mut said).unwrap();
        assert!(count > 0, "{said}");
    }
    kill_process(Pid::from_raw(number).unwrap(), Signal::INT).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130), "{said}");
}

/// Two commands that fetch the same data: each file comes once, and both have it.
#[test]
fn data_is_pulled_once_by_several_processes() {
    let Some(gest) = shared("gest") else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let asked = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&asked);
    let server = Server::start(move |request| {
        count.fetch_add(1, Ordering::SeqCst);
        let name = request.path.trim_start_matches('/');
        Reply::new(200, fs::read(gest.join(name)).unwrap())
    });
    let children: Vec<_> = (0..4)
        .map(|_| {
            epicene(here)
                .args(["data", "pull", "gest"])
                .env("EPICENE_DATA_URL", &server.url)
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in children {
        let done = child.wait_with_output().unwrap();
        assert_eq!(code(&done), 0, "{}", stderr(&done));
    }
    assert_eq!(asked.load(Ordering::SeqCst), 2, "each file once");
    let names: Vec<String> = tree(&here.join("cache/gest"))
        .into_keys()
        .map(|name| name.display().to_string())
        .filter(|name| !name.ends_with(".lock"))
        .collect();
    assert_eq!(names, ["gest.csv", "gest_1.1.csv"]);
}
