//! Exit codes do not depend on who reads: every command ends the same way with a reader of both streams, of one, and of
//! none.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::binary;

fn command(line: &str, folder: &Path) -> Command {
    // What started these tests in the background ignores SIGINT, and so would all that they start.
    let mut command = Command::new("env");
    command
        .arg("--default-signal=INT")
        .arg(binary())
        .args(shlex::split(line).unwrap())
        .current_dir(folder)
        .env("EPICENE_CACHE", folder.join("cache"))
        .env("EPICENE_HTTP_PAUSE", "0.01")
        .env_remove("OPENAI_API_KEY")
        .stdin(Stdio::null());
    command
}

/// A stream whose reader has left.
fn unread() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

/// How a command ends with a reader of each stream or without.
fn code(line: &str, folder: &Path, (out, err): (bool, bool)) -> i32 {
    let stream = |read: bool| if read { Stdio::null() } else { unread() };
    let status = command(line, folder)
        .stdout(stream(out))
        .stderr(stream(err))
        .status()
        .unwrap();
    let signal = status.signal().map(|signal| -signal);
    status.code().or(signal).unwrap()
}

/// Two runs of the same data, and the files that commands read.
fn prepare(folder: &Path) {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("lines.txt", "Bola som unavená.\nBol som doma.\n");
    write("pairs.txt", "I was tired ||| Bola som unavená\n");
    write("bad.txt", "no separator here\n");
    write(
        "questions.jsonl",
        "{\"id\":1,\"prompt\":\"My boss said that\",\"masculine\":\"he\",\"feminine\":\"she\"}\n",
    );
    write("broken.jsonl", "{\"id\":1,\"text\"\n");
    write(
        "guide.csv",
        "sentence,stereotype\nI cried at the wedding.,1\n",
    );
    write("refused.csv", "sentence,stereotype\nHe cried.,1\n");
    write("columns.csv", "a,b\n1,2\n");
    for (run, model) in [("a", "demo:mlm"), ("b", "random:1")] {
        let line =
            format!("run gest --data epicene-mini --model {model} --bootstrap 20 --out {run}");
        assert_eq!(code(&line, folder, (true, true)), 0);
    }
}

/// Of every command: what passes, what fails a check, and what it cannot use.
const MATRIX: &[(i32, &str)] = &[
    (
        0,
        "run gest --data epicene-mini --model demo:mlm --bootstrap 20 --out a --fail-if 'g_s>9'",
    ),
    (
        1,
        "run gest --data epicene-mini --model demo:mlm --bootstrap 20 --out a --fail-if 'g_s>0.1'",
    ),
    (2, "run gest --data nowhere.csv --model demo:mlm --out c"),
    (
        2,
        "run gest --data epicene-mini --model demo:mlm --out a --fail-if 'nothing>1'",
    ),
    (0, "report a --fail-if 'g_s>9'"),
    (1, "report a --fail-if 'g_s>0.1'"),
    (1, "report a b --format json --fail-if 'g_s>0.1'"),
    (1, "report a --format csv --fail-if 'g_s>0.1'"),
    (
        1,
        "report a -o /dev/stdout --format json --fail-if 'g_s>0.1'",
    ),
    (1, "report a --junit /dev/stdout --fail-if 'g_s>0.1'"),
    (2, "report nowhere"),
    (0, "compare a b --rounds 20 --fail-if 'delta_g_s>9'"),
    (
        1,
        "compare a b --rounds 20 --fail-if 'abs(delta_g_s)>0.0001'",
    ),
    (2, "compare a nowhere"),
    (2, "merge a b --out m"),
    (0, "verify a b"),
    (2, "verify nowhere"),
    (0, "status a"),
    (2, "status nowhere"),
    (0, "items a"),
    (2, "items nowhere"),
    (0, "list benchmarks"),
    (0, "list languages"),
    (2, "list nothing"),
    (0, "show gest"),
    (2, "show nothing"),
    (0, "cite gest"),
    (2, "cite nothing"),
    (0, "plan a"),
    (2, "plan nowhere"),
    (0, "align pairs.txt"),
    (2, "align bad.txt"),
    (0, "detect --lang sk lines.txt"),
    (2, "detect --lang sk nowhere.txt"),
    (2, "detect --lang xx lines.txt"),
    (0, "judge --lang sk --person doctor lines.txt"),
    (2, "judge --lang xx --person doctor lines.txt"),
    (0, "translate --mt copy: --to sk lines.txt"),
    (2, "translate --mt copy: --to sk nowhere.txt"),
    (0, "score --task next-word --model demo:clm questions.jsonl"),
    (2, "score --task next-word --model demo:clm broken.jsonl"),
    (0, "check-sentences gest guide.csv"),
    (1, "check-sentences gest refused.csv"),
    (2, "check-sentences gest columns.csv"),
    (0, "ask gest --data epicene-mini --kind masked"),
    (2, "ask gest --data nowhere.csv --kind masked"),
    (0, "generate unambiguous --size xs --limit 2"),
    (2, "generate nothing"),
    (0, "data list"),
    (2, "data verify nothing"),
    (0, "data lint gest guide.csv"),
    (1, "data lint gest refused.csv"),
    (2, "data lint gest columns.csv"),
    (0, "data make unambiguous --size xs --limit 2"),
    (2, "data path nothing"),
    (0, "power a"),
    (2, "power nowhere"),
    (0, "gender --lang sk lines.txt"),
    (2, "gender --lang sk nowhere.txt"),
    (0, "report a -o page.html"),
    (1, "report a -o page.html --fail-if 'g_s>0.1'"),
    (2, "export --to lm-eval nowhere -o exported"),
    (
        0,
        "export-questions gest --data epicene-mini --kind masked --limit 1",
    ),
    (2, "export-questions gest --data nowhere.csv --kind masked"),
    (2, "import-answers nowhere questions.jsonl --system x"),
    (2, "audit sample a -o sample.csv"),
    (2, "audit read a lines.txt"),
    (2, "reproduce gest --data nowhere"),
    (2, "complete --model demo:clm questions.jsonl"),
    (2, "view nowhere"),
    (0, "list published"),
    (0, "list translators"),
    (0, "completions bash"),
    (0, "man"),
    (0, "help gates"),
    (0, "--help"),
    (0, "--version"),
    (2, "--nothing"),
];

#[test]
fn no_reader_changes_no_exit_code() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    prepare(folder);
    let mut wrong = Vec::new();
    for (expected, line) in MATRIX {
        for streams in [(true, true), (false, true), (true, false), (false, false)] {
            let found = code(line, folder, streams);
            if found != *expected {
                let (out, err) = streams;
                wrong.push(format!(
                    "{line}: {found}, not {expected} (stdout read: {out}, stderr read: {err})"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first line is read, and the pipe closed: what `head -1` does.
#[test]
fn a_reader_that_leaves_after_a_line_loses_no_check() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    prepare(folder);
    let line = "report a b --format csv --fail-if 'g_s>0.1'";
    let mut child = command(line, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let mut reader = BufReader::with_capacity(16, child.stdout.take().unwrap());
    reader.read_line(&mut first).unwrap();
    drop(reader);
    assert_eq!(child.wait().unwrap().code(), Some(1), "{first}");
}

/// A server that takes its time over every answer, so that a run is under way when a signal comes.
fn slow_server() -> (String, std::sync::mpsc::Receiver<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (sender, asked) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for (count, stream) in listener.incoming().flatten().enumerate() {
            let sender = sender.clone();
            std::thread::spawn(move || {
                let mut stream = stream;
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let (mut length, mut line) = (0, String::new());
                while reader.read_line(&mut line).unwrap_or(0) > 2 {
                    if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                    line.clear();
                }
                let mut body = vec![0; length];
                if reader.read_exact(&mut body).is_err() {
                    return;
                }
                let reply = "{\"model\":\"m\",\"choices\":[{\"finish_reason\":\"stop\",\"message\":{\"content\":\"She sang.\"}}]}";
                if count > 20 {
                    let _ = sender.send(());
                    std::thread::sleep(std::time::Duration::from_millis(100));
                }
                let _ = write!(
                    stream,
                    "HTTP/1.1 200 X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{reply}",
                    reply.len()
                );
            });
        }
    });
    (url, asked)
}

#[test]
fn a_signal_stops_a_run_without_a_reader_of_standard_error() {
    for (signal, number) in [("TERM", 15), ("INT", 2)] {
        let directory = tempfile::tempdir().unwrap();
        let folder = directory.path();
        let (url, asked) = slow_server();
        let line = format!(
            "run gest-chat --data epicene-mini --frames character --model chat:m@{url}#1 --out r"
        );
        let mut child: Child = command(&line, folder)
            .stdout(unread())
            .stderr(unread())
            .spawn()
            .unwrap();
        asked.recv().unwrap();
        let kill = Command::new("kill")
            .args([format!("-{signal}"), child.id().to_string()])
            .status()
            .unwrap();
        assert!(kill.success());
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(128 + number), "{status:?}");
        // Far from all of the 384 sentences were asked about.
        assert!(asked.try_iter().count() < 300);
    }
}
