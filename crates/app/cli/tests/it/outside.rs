//! The program against what comes from outside: hostile checkpoints, pipes and devices in the place of files, limits of the
//! system, tables without end, other encodings, settings that are none.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[path = "../../../../engine/engine/tests/hostile/inputs.rs"]
mod inputs;

use crate::support::{binary, epicene, refuse, run, succeed, synthetic_gest};

fn tests_of_lm(part: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/engine/tests");
    tests.join(part).canonicalize().unwrap()
}

/// A tiny model in a directory of its own.
fn model(directory: &Path, kind: &str) -> PathBuf {
    let model = directory.join(kind);
    std::fs::create_dir_all(&model).unwrap();
    for file in std::fs::read_dir(tests_of_lm(&format!("checkpoints/{kind}"))).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), model.join(file.file_name())).unwrap();
    }
    model
}

/// Refused with a message, and nothing else happened.
fn refused(arguments: &[&str], directory: &Path) -> String {
    let message = refuse(arguments, directory);
    assert!(message.contains("error: "), "{message}");
    message
}

#[test]
fn hostile_templates_and_tokenizers_end_a_command_and_not_the_process() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let chat = model(here, "llama");
    let line = r#"{"messages": [{"role": "user", "content": "Hello"}]}"#;
    std::fs::write(here.join("in.jsonl"), line).unwrap();
    let command = [
        "generate-text",
        "--model",
        "dir:llama",
        "--max-tokens",
        "2",
        "in.jsonl",
    ];
    let mut ended = 0;
    for template in inputs::templates() {
        std::fs::write(chat.join("chat_template.jinja"), &template).unwrap();
        let start: String = template.chars().take(120).collect();
        match run(&command, here) {
            // The parser may fold what is nested: a short text does no harm.
            (0, _, _) => {}
            (code, _, message) => {
                ended += 1;
                assert_eq!(code, 2, "{start}: {message}");
                let is_said =
                    message.to_lowercase().contains("template") || message.contains("line");
                assert!(message.contains("error: ") && is_said, "{start}: {message}");
                assert!(message.len() < 3000, "{start}: {message}");
            }
        }
    }
    assert!(ended >= 60, "{ended}");
    std::fs::write(
        chat.join("chat_template.jinja"),
        "{{ messages[0].content }}",
    )
    .unwrap();
    succeed(&command, here);
    let json = std::fs::read_to_string(chat.join("tokenizer.json")).unwrap();
    let tokenizers = inputs::tokenizers(&serde_json::from_str(&json).unwrap());
    assert!(tokenizers.len() >= 40, "{}", tokenizers.len());
    for (number, tokenizer) in tokenizers.iter().enumerate() {
        std::fs::write(chat.join("tokenizer.json"), tokenizer).unwrap();
        let message = refused(&command, here);
        assert!(message.len() < 3000, "{number}: {message}");
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_in_the_place_of_files_are_refused_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let pipe = |path: &Path| {
        let _ = std::fs::remove_file(path);
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    synthetic_gest(&here.join("gest.csv"), 40);
    let scored = [
        "score",
        "--model",
        "dir:bert",
        "--task",
        "masked-pair",
        "in.jsonl",
    ];
    std::fs::write(here.join("in.jsonl"), "{}\n").unwrap();
    for file in [
        "tokenizer.json",
        "config.json",
        "tokenizer_config.json",
        "model.safetensors",
    ] {
        let bert = model(here, "bert");
        let path = bert.join(file);
        pipe(&path);
        let message = refused(&scored, here);
        assert!(
            message.contains("named pipe") || message.contains("regular"),
            "{file}: {message}"
        );
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        let message = refused(&scored, here);
        assert!(message.contains("device"), "{file}: {message}");
        std::fs::remove_file(&path).unwrap();
    }
    let base = [
        "run", "gest", "--data", "gest.csv", "--model", "random:1", "--out", "kept",
    ];
    succeed(&base, here);
    for file in ["manifest.json", "items.jsonl", "log.jsonl"] {
        let path = here.join("kept").join(file);
        let before = std::fs::read(&path).unwrap();
        pipe(&path);
        let (code, _, message) = run(&["report", "kept"], here);
        assert!(code > 0 && code < 100, "{file}: {code} {message}");
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, before).unwrap();
    }
    succeed(&["report", "kept"], here);
    // An input may be a stream.
    let piped = Command::new("bash")
        .args([
            "-c",
            "exec \"$0\" run gest --data <(cat gest.csv) --model random:1 --out other",
        ])
        .arg(binary())
        .current_dir(here)
        .stdout(Stdio::null())
        .status();
    assert!(piped.unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_limit_of_the_file_size_is_a_write_error() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    synthetic_gest(&here.join("gest.csv"), 400);
    let output = Command::new("bash")
        .args([
            "-c",
            "ulimit -f 8; exec \"$0\" run gest --data gest.csv --model random:1 --out kept",
        ])
        .arg(binary())
        .current_dir(here)
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        output
            .status
            .code()
            .is_some_and(|code| code > 0 && code < 100),
        "{:?} {message}",
        output.status
    );
    assert!(
        message.contains("error: ") && message.contains("File too large"),
        "{message}"
    );
}

/// With few threads the work comes out the same, or an error says that there are too few.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_threads_neither_panics_nor_hangs() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    synthetic_gest(&here.join("gest.csv"), 60);
    model(here, "bert");
    // The limit does not hold for the superuser: another user needs a program it may read.
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|facts| {
        use std::os::unix::fs::MetadataExt;
        facts.uid() == 0
    });
    let program = here.join("epicene");
    std::fs::copy(binary(), &program).unwrap();
    for path in [here, &program] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).unwrap();
    }
    let run = |limit: usize, given: &str| {
        let mut command = Command::new("bash");
        command
            .args(["-c", &format!("ulimit -u {limit}; exec ./epicene {given}")])
            .current_dir(here)
            .env("HOME", here)
            .env("EPICENE_CACHE", here.join("cache"));
        if is_root {
            // A user that nobody else is.
            command.uid(61_000 + limit as u32).gid(61_000);
        }
        command.output().unwrap()
    };
    let plain = succeed(
        &[
            "run", "gest", "--data", "gest.csv", "--model", "dir:bert", "--format", "json",
            "--out", "plain",
        ],
        here,
    );
    let numbers = |json: &str| {
        let json: serde_json::Value = serde_json::from_str(json).unwrap();
        json["rows"].to_string()
    };
    let mut done = 0;
    // Eight are few for a machine that is busy: a thread that ends late still counts.
    for limit in (1..=8).chain([16, 32]) {
        // Every user writes a directory of its own.
        let given =
            format!("run gest --data gest.csv --model dir:bert --format json --out r{limit}");
        let output = run(limit, &given);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !message.contains("panicked") && !message.contains("bug"),
            "{limit}: {message}"
        );
        match output.status.code() {
            Some(0) => {
                done += 1;
                let found = String::from_utf8(output.stdout).unwrap();
                assert_eq!(numbers(&found), numbers(&plain), "{limit}");
            }
            // A tokenizer is read in a thread of its own, or not at all.
            Some(1..=2) => assert!(
                message.contains("cannot start a thread"),
                "{limit}: {message}"
            ),
            code => panic!("{limit}: {code:?} {message}"),
        }
    }
    if is_root {
        // Others may have used the threads up.
        assert!(done >= 3, "{done}");
    }
}

#[cfg(unix)]
#[test]
fn millions_of_columns_are_refused_within_memory() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    synthetic_gest(&here.join("gest.csv"), 40);
    let wide = ",".repeat(10 << 20);
    let rows = "a,b,c\n".repeat(200);
    for (name, text) in [
        ("first.csv", format!("{wide}\n{rows}")),
        ("later.csv", format!("a,b,c\n{wide}\n{rows}")),
        ("tabs.tsv", format!("{}\n{rows}", wide.replace(',', "\t"))),
        ("alone.csv", wide.clone()),
    ] {
        std::fs::write(here.join(name), text).unwrap();
        for given in [
            format!("run gest --data {name} --model random:1"),
            format!("run gest --data gest.csv --mt x=file:{name} --lang sk"),
            format!("run gest --data gest.csv --scores {name}"),
        ] {
            let output = Command::new("bash")
                .args(["-c", &format!("ulimit -v 4000000; exec \"$0\" {given}")])
                .arg(binary())
                .current_dir(here)
                .output()
                .unwrap();
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{given}: {message}");
            assert!(
                message.contains("error: ") && message.len() < 5000,
                "{given}: {message}"
            );
        }
    }
}

/// Whatever separates cells or lines, ten megabytes of it are refused within little memory and few words.
#[test]
fn files_of_separators_are_refused_in_little_memory() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    synthetic_gest(&here.join("gest.csv"), 40);
    let many = |text: &str| text.repeat((10 << 20) / text.len());
    for (name, text) in [
        ("tabs.tsv", many("\t")),
        ("cells.tsv", many("a\t")),
        ("semicolons.csv", many(";")),
        ("quotes.csv", many("\"")),
        ("lines.txt", many("\n")),
        ("returns.txt", many("\r\n")),
        ("blanks.txt", many(" ")),
        ("bars.txt", many(" ||| ")),
        ("braces.jsonl", many("{")),
        (
            "named.csv",
            format!("from,to{}\nI ran.,Bežal som.\n", many(",")),
        ),
        ("named.tsv", format!("from\tto\n{}\n", many("\t"))),
        ("keys.jsonl", format!("{{\"a\":[{}0]}}\n", many("0,"))),
    ] {
        std::fs::write(here.join(name), text).unwrap();
        for columns in ["", "--column to", "--column 1,2"] {
            let given = format!("run gest --data gest.csv --mt x=file:{name} --lang sk {columns}");
            let output = within(here, 1_500_000, &given);
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{given}: {message}");
            assert!(
                message.contains("error: ") && message.len() < 5000,
                "{given}: {message}"
            );
        }
    }
}

/// A line of 20,000 and 20,000 words once took 4.7 GB.
#[test]
fn long_lines_are_aligned_in_little_memory() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let words = |side: &str, count: usize| -> String {
        let words: Vec<String> = (0..count).map(|word| format!("{side}{word}")).collect();
        words.join(" ")
    };
    let line = |count: usize| format!("{} ||| {}\n", words("a", count), words("b", count));
    // Other lines are aligned as if it were not there.
    let short = "the cat sleeps ||| kočka spí\nthe dog sleeps ||| pes spí\n".repeat(30);
    std::fs::write(here.join("long.txt"), line(20_000) + &short).unwrap();
    let output = within(
        here,
        1_500_000,
        "align long.txt --symmetrise grow-diag-final-and",
    );
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{message}");
    let links = String::from_utf8(output.stdout).unwrap();
    let links: Vec<&str> = links.lines().collect();
    assert_eq!(links.len(), 61);
    assert!(
        links[1].contains("1-0") && links[1].contains("2-1"),
        "{}",
        links[1]
    );
    std::fs::write(
        here.join("longer.txt"),
        format!("a ||| b\n{}", line(50_001)),
    )
    .unwrap();
    let output = within(here, 1_500_000, "align longer.txt");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("line 2") && message.contains("50001 words"),
        "{message}"
    );
}

/// The program with at most so many KiB of addresses.
fn within(here: &Path, kib: u32, given: &str) -> std::process::Output {
    Command::new("bash")
        .args(["-c", &format!("ulimit -v {kib}; exec \"$0\" {given}")])
        .arg(binary())
        .current_dir(here)
        .output()
        .unwrap()
}

#[test]
fn settings_that_are_none_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    std::fs::write(here.join("in.jsonl"), "{}\n").unwrap();
    for (name, value) in [
        ("EPICENE_HTTP_TIMEOUT", "abc"),
        ("EPICENE_HTTP_ATTEMPTS", "many"),
        ("EPICENE_HTTP_PAUSE", "-1"),
        ("SSL_CERT_FILE", "/nothing/there.pem"),
    ] {
        let output = epicene()
            .args([
                "score",
                "--model",
                "openai:m@http://127.0.0.1:9",
                "--task",
                "masked-pair",
                "in.jsonl",
            ])
            .current_dir(here)
            .env(name, value)
            .env("EPICENE_CACHE", here.join("cache"))
            .output()
            .unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(
            message.contains(name) && message.contains("hint: "),
            "{message}"
        );
    }
}

#[test]
fn lines_in_another_encoding_are_refused_by_themselves() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    let good = r#"{"id": 1, "task": "next-word", "prompt": "She said:", "masculine": "he", "feminine": "she"}"#;
    let bad = b"{\"id\": 2, \"prefix\": \"caf\xe9\"}";
    let lines = [good.as_bytes(), b"\n", bad, b"\n", good.as_bytes(), b"\n"].concat();
    let mut child = Command::new(binary())
        .args(["score", "--stream", "--model", "random:1"])
        .current_dir(here)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&lines).unwrap();
    let mut out = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut out)
        .unwrap();
    assert!(child.wait().unwrap().success());
    assert!(!out.contains('\u{fffd}'), "{out}");
    assert_eq!(out.matches("invalid UTF-8 at byte 25").count(), 1, "{out}");

    synthetic_gest(&here.join("gest.csv"), 10);
    succeed(
        &[
            "ask", "gest", "--data", "gest.csv", "--out", "kept", "--kind", "masked",
        ],
        here,
    );
    let mut child = Command::new(binary())
        .args(["tell", "kept", "--system", "m"])
        .current_dir(here)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"{\"id\": \"x\", \"error\": \"caf\xe9\"}\n")
        .unwrap();
    let mut message = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut message)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2), "{message}");
    assert!(
        message.contains("line 1: invalid UTF-8 at byte 26"),
        "{message}"
    );
}

#[test]
fn requests_that_never_end_are_closed() {
    use std::io::{BufRead, BufReader};

    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    synthetic_gest(&here.join("gest.csv"), 40);
    succeed(
        &[
            "run", "gest", "--data", "gest.csv", "--model", "random:1", "--out", "kept",
        ],
        here,
    );
    let mut viewer = Command::new(binary())
        .args(["view", "kept", "--port", "0"])
        .current_dir(here)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(viewer.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let host = line.trim().strip_prefix("http://").unwrap();
    let host = host.split('/').next().unwrap();
    let half: Vec<TcpStream> = (0..200)
        .map(|number| {
            let mut stream = TcpStream::connect(host).unwrap();
            let sent = ["", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: x\r\nA: "][number % 3];
            stream.write_all(sent.as_bytes()).unwrap();
            stream
        })
        .collect();
    for mut stream in half {
        // The end of the stream comes from the other side, or this waits without end.
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    }
    assert!(viewer.try_wait().unwrap().is_none());
    let _ = viewer.kill();
    let _ = viewer.wait();
}
