//! Translation services against a server of this machine that answers as they document, and
//! stumbles as they do: what is asked, what is tried again, what is kept, and what is never shown.

use crate::support;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support::vendors::{Manner, Vendors};
use crate::support::{Rows, epicene, refuse, succeed, synthetic_gest};
use assert_cmd::Command;
use serde_json::json;

/// Looks like a key of DeepL's free service.
const KEY: &str = "279a2e9d-83b3-c416-7e2d-f721593e42a0";

/// The program with every key set and every service at the test's server.
fn asking(url: &str, directory: &Path) -> Command {
    let mut command = epicene();
    command
        .current_dir(directory)
        .env("EPICENE_CACHE", directory.join("cache"))
        .env("EPICENE_HTTP_PAUSE", "0.01")
        .env("EPICENE_HTTP_TIMEOUT", "5");
    for (name, path) in [
        ("EPICENE_DEEPL_URL", ""),
        ("EPICENE_GOOGLE_URL", ""),
        ("EPICENE_MICROSOFT_URL", ""),
        ("EPICENE_AMAZON_URL", ""),
    ] {
        command.env(name, format!("{url}{path}"));
    }
    for name in [
        "DEEPL_AUTH_KEY",
        "GOOGLE_API_KEY",
        "GOOGLE_OAUTH_ACCESS_TOKEN",
        "AZURE_TRANSLATOR_KEY",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "LIBRETRANSLATE_API_KEY",
        "OPENAI_API_KEY",
    ] {
        command.env(name, KEY);
    }
    command
        .env("GOOGLE_CLOUD_PROJECT", "my-project")
        .env("AZURE_TRANSLATOR_REGION", "westeurope")
        .env("AWS_REGION", "eu-central-1");
    command
}

fn output(mut command: Command) -> (i32, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    (
        status.code().unwrap_or(-1),
        String::from_utf8(stdout).unwrap(),
        String::from_utf8(stderr).unwrap(),
    )
}

fn translate(
    url: &str,
    directory: &Path,
    arguments: &[&str],
    input: &str,
) -> (i32, String, String) {
    let mut command = asking(url, directory);
    command.arg("translate").args(arguments).write_stdin(input);
    let (code, stdout, stderr) = output(command);
    assert!(!stderr.contains("panicked"), "{stderr}");
    assert!(
        !stdout.contains(KEY) && !stderr.contains(KEY),
        "the key is shown: {stderr}"
    );
    (code, stdout, stderr)
}

/// No file below a directory holds the key.
fn no_key_below(directory: &Path) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            no_key_below(&path)
        } else {
            let bytes = std::fs::read(&path).unwrap();
            let found = bytes.windows(KEY.len()).any(|part| part == KEY.as_bytes());
            assert!(!found, "{} holds the key", path.display());
        }
    }
}

fn specs(url: &str) -> Vec<String> {
    vec![
        "deepl:".to_owned(),
        "google:".to_owned(),
        "google:v3".to_owned(),
        "microsoft:".to_owned(),
        "amazon:".to_owned(),
        format!("libretranslate:{url}"),
        format!("openai:tiny@{url}"),
    ]
}

#[test]
fn every_service_is_asked_in_its_own_words() {
    let input = "I ran.\n\nShe's \"here\" — naïve & 5 < 6 🏃\nWrite &amp; here.\n";
    for (place, code) in [
        "PT-BR",
        "pt",
        "pt",
        "pt",
        "pt",
        "pt-BR",
        "Brazilian Portuguese",
    ]
    .iter()
    .enumerate()
    {
        let server = Vendors::good();
        let directory = tempfile::tempdir().unwrap();
        let spec = &specs(&server.url)[place];
        let arguments = ["--mt", spec, "--to", "pt-BR"];
        let (status, stdout, stderr) = translate(&server.url, directory.path(), &arguments, input);
        assert_eq!(status, 0, "{spec}: {stderr}");
        let expected: Vec<String> = input
            .lines()
            .map(|line| match line {
                "" => String::new(),
                line => format!("{code}: {line}"),
            })
            .collect();
        assert_eq!(stdout.lines().collect::<Vec<_>>(), expected, "{spec}");
        // The list of a server's models costs nothing and belongs to its identity.
        let asked = || {
            let mut requests = server.requests();
            requests.retain(|request| !request.path.ends_with("/models"));
            requests
        };
        let requests = asked();
        let first = &requests[0];
        let bearer = format!("Bearer {KEY}");
        match spec.split(['@', ':']).next().unwrap() {
            "deepl" => {
                assert_eq!(
                    first.header("authorization"),
                    format!("DeepL-Auth-Key {KEY}")
                );
                assert_eq!(first.body["source_lang"], "EN");
                assert_eq!(first.path, "/v2/translate");
            }
            "google" if spec.ends_with("v3") => {
                assert_eq!(
                    first.path,
                    "/v3/projects/my-project/locations/global:translateText"
                );
                assert_eq!(first.header("authorization"), bearer);
                assert_eq!(first.body["mimeType"], "text/plain");
                assert_eq!(first.body["sourceLanguageCode"], "en");
            }
            "google" => {
                assert_eq!(first.path, "/language/translate/v2");
                assert_eq!(first.header("x-goog-api-key"), KEY);
                assert_eq!(first.body["format"], "text");
            }
            "microsoft" => {
                assert_eq!(
                    first.path,
                    "/translate?api-version=3.0&textType=plain&from=en&to=pt"
                );
                assert_eq!(first.header("ocp-apim-subscription-key"), KEY);
                assert_eq!(first.header("ocp-apim-subscription-region"), "westeurope");
            }
            "amazon" => {
                assert_eq!(requests.len(), 3);
                assert_eq!(
                    first.header("x-amz-target"),
                    "AWSShineFrontendService_20170701.TranslateText"
                );
                assert_eq!(first.header("content-type"), "application/x-amz-json-1.1");
                assert_eq!(first.header("x-amz-security-token"), KEY);
                let signed = "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=";
                let authorization = first.header("authorization");
                assert!(authorization.contains(signed), "{authorization}");
                let scope = format!(
                    "/{}/eu-central-1/translate/aws4_request",
                    &first.header("x-amz-date")[..8]
                );
                assert!(authorization.contains(&scope), "{authorization}");
            }
            "libretranslate" => {
                assert_eq!(
                    first.body,
                    json!({"q": first.texts, "source": "en", "target": "pt-BR", "format": "text", "api_key": KEY})
                );
            }
            "openai" => {
                assert_eq!(first.header("authorization"), bearer);
                assert_eq!(first.body["model"], "tiny");
                assert_eq!(first.body["temperature"], 0);
            }
            other => panic!("{other}"),
        }
        no_key_below(directory.path());
        // What was answered is not asked again; --fresh asks.
        let before = requests.len();
        let again = translate(&server.url, directory.path(), &arguments, input);
        assert_eq!((again.0, again.1), (0, stdout));
        assert_eq!(asked().len(), before, "{spec}");
        let fresh = ["--mt", spec, "--to", "pt-BR", "--fresh"];
        assert_eq!(translate(&server.url, directory.path(), &fresh, input).0, 0);
        // Batches depend on how fast lines come in where nothing has to be counted first.
        assert!(asked().len() > before, "{spec}");
        assert_eq!(server.answered().len(), 6, "{spec}");
    }
}

#[test]
fn entities_a_service_puts_in_are_taken_out() {
    let server = Vendors::start(
        |_, _| Manner::Good,
        |text, _| text.replace('\'', "&#39;").replace('"', "&quot;"),
    );
    let directory = tempfile::tempdir().unwrap();
    let input = "It's \"fine\".\n";
    for spec in ["google:", "deepl:"] {
        let arguments = ["--mt", spec, "--to", "fr"];
        let found = translate(&server.url, directory.path(), &arguments, input);
        assert_eq!((found.0, found.1.as_str()), (0, input));
    }
}

/// Each stumble comes twice and is got over; no sentence is lost or out of order.
#[test]
fn stumbles_are_got_over() {
    let lines: Vec<String> = (0..120).map(|i| format!("Sentence number {i}.")).collect();
    let input = lines.join("\n") + "\n";
    let expected: Vec<String> = lines.iter().map(|line| format!("SK: {line}")).collect();
    let date = "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    for stumble in [
        Manner::Status(429, "Retry-After: 0\r\n", "slow down".to_owned()),
        Manner::Status(429, date, String::new()),
        Manner::Status(503, "", "<html>busy</html>".to_owned()),
        Manner::Status(500, "", String::new()),
        Manner::Truncated,
        Manner::HalfAnAnswer,
        Manner::WrongCount,
        Manner::Hangs(Duration::from_secs(60)),
    ] {
        // A busy machine takes its time over good answers as well.
        let timeout = match stumble {
            Manner::Hangs(_) => "3",
            _ => "120",
        };
        let told = stumble.clone();
        let server = Vendors::start(
            move |count, _| match count {
                2 | 3 => told.clone(),
                _ => Manner::Good,
            },
            |text, to| format!("{to}: {text}"),
        );
        let directory = tempfile::tempdir().unwrap();
        let mut command = asking(&server.url, directory.path());
        command
            .args(["translate", "--mt", "deepl:", "--to", "sk"])
            .env("EPICENE_HTTP_TIMEOUT", timeout)
            .write_stdin(input.as_str());
        let (code, stdout, stderr) = output(command);
        assert_eq!(code, 0, "{stumble:?}: {stderr}");
        assert_eq!(stdout.lines().collect::<Vec<_>>(), expected, "{stumble:?}");
        // Three batches of fifty, and the two that stumbled again.
        assert_eq!(server.requests().len(), 5, "{stumble:?}");
    }
    // Amazon says "slow down" with status 400.
    let server = Vendors::start(
        |count, _| match count {
            1 => Manner::Status(400, "", r#"{"__type":"ThrottlingException"}"#.to_owned()),
            _ => Manner::Good,
        },
        |text, to| format!("{to}: {text}"),
    );
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["--mt", "amazon:", "--to", "sk"];
    let (code, stdout, _) = translate(&server.url, directory.path(), &arguments, "I ran.\n");
    assert_eq!((code, stdout.as_str()), (0, "sk: I ran.\n"));
}

#[test]
fn retry_after_is_waited_for() {
    let server = Vendors::start(
        |count, _| match count {
            1 => Manner::Status(429, "Retry-After: 1\r\n", String::new()),
            _ => Manner::Good,
        },
        |text, to| format!("{to}: {text}"),
    );
    let directory = tempfile::tempdir().unwrap();
    let start = Instant::now();
    let arguments = ["--mt", "deepl:", "--to", "sk"];
    assert_eq!(
        translate(&server.url, directory.path(), &arguments, "I ran.\n").0,
        0
    );
    assert!(start.elapsed() >= Duration::from_secs(1));
}

/// A refused key is not tried again, its variable is named, and it is not shown, even where the
/// service repeats it.
#[test]
fn refused_keys_are_named_by_their_variable() {
    for (spec, status, body, variable) in [
        ("deepl:", 403, format!("bad {KEY}"), "DEEPL_AUTH_KEY"),
        (
            "google:",
            400,
            format!("API key not valid: {KEY}"),
            "GOOGLE_API_KEY",
        ),
        (
            "google:v3",
            401,
            format!("token {KEY} expired"),
            "GOOGLE_OAUTH_ACCESS_TOKEN",
        ),
        ("microsoft:", 401, KEY.to_owned(), "AZURE_TRANSLATOR_KEY"),
        (
            "amazon:",
            400,
            format!("{{\"__type\":\"ExpiredTokenException\",\"message\":\"{KEY}\"}}"),
            "AWS_ACCESS_KEY_ID",
        ),
    ] {
        let told = body.clone();
        let server = Vendors::start(
            move |_, _| Manner::Status(status, "", told.clone()),
            |text, _| text.to_owned(),
        );
        let directory = tempfile::tempdir().unwrap();
        let arguments = ["--mt", spec, "--to", "sk"];
        let (code, _, stderr) = translate(&server.url, directory.path(), &arguments, "I ran.\n");
        assert_eq!(code, 2, "{spec}");
        assert!(
            stderr.contains(variable) && stderr.contains("hint:"),
            "{stderr}"
        );
        assert_eq!(server.requests().len(), 1, "{spec} was asked again");
        no_key_below(directory.path());
    }
    // The quota is another matter.
    let server = Vendors::start(
        |_, _| Manner::Status(456, "", "Quota exceeded".to_owned()),
        |text, _| text.to_owned(),
    );
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["--mt", "deepl:", "--to", "sk"];
    let (code, _, stderr) = translate(&server.url, directory.path(), &arguments, "I ran.\n");
    assert_eq!(code, 2);
    assert!(stderr.contains("the quota is used up (456)"), "{stderr}");
    // No key at all is said before anything is asked.
    let stderr = refuse(
        &["translate", "--mt", "deepl:", "--to", "sk"],
        directory.path(),
    );
    assert!(stderr.contains("DEEPL_AUTH_KEY"), "{stderr}");
}

#[test]
fn a_service_that_stays_down_is_given_up_and_the_answers_stay() {
    let server = Vendors::start(
        |count, _| match count {
            1 => Manner::Good,
            2..=7 => Manner::Status(503, "", "down".to_owned()),
            _ => Manner::Good,
        },
        |text, to| format!("{to}: {text}"),
    );
    let directory = tempfile::tempdir().unwrap();
    let lines: Vec<String> = (0..100).map(|i| format!("Sentence {i}.")).collect();
    let input = lines.join("\n");
    let arguments = ["--mt", "libretranslate:URL", "--to", "sk"];
    let spec = format!("libretranslate:{}", server.url);
    let arguments: Vec<&str> = arguments
        .iter()
        .map(|a| {
            if *a == "libretranslate:URL" {
                &spec
            } else {
                *a
            }
        })
        .collect();
    let mut command = asking(&server.url, directory.path());
    command
        .arg("translate")
        .args(&arguments)
        .env("EPICENE_HTTP_ATTEMPTS", "3")
        .write_stdin(input.as_str());
    let (code, _, stderr) = output(command);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("the server answered 503 (down), 3 times"),
        "{stderr}"
    );
    let kept = server.answered().len();
    assert!(kept >= 25, "{kept}");
    let (code, stdout, _) = translate(&server.url, directory.path(), &arguments, &input);
    assert_eq!(code, 0);
    assert_eq!(stdout.lines().count(), 100);
    let mut answered = server.answered();
    answered.sort();
    let count = answered.len();
    answered.dedup();
    assert_eq!((count, answered.len()), (100, 100), "asked twice");
}

/// `kill -9` while a request is under way, then the same command: nothing that was answered is
/// asked again.
#[test]
fn killed_in_the_middle_nothing_is_paid_for_twice() {
    let server = Vendors::start(
        |count, _| match count {
            5.. if count < 7 => Manner::Hangs(Duration::from_secs(600)),
            _ => Manner::Good,
        },
        |text, to| format!("{to}: {text}"),
    );
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 400);
    let arguments = [
        "run", "gest", "--data", "gest.csv", "--mt", "deepl:", "--lang", "sk", "--out", "r",
        "--format", "json",
    ];
    let program = asking(&server.url, path);
    let mut child: Child = std::process::Command::new(program.get_program())
        .args(arguments)
        .current_dir(path)
        .envs(program.get_envs().filter_map(|(k, v)| Some((k, v?))))
        .env("EPICENE_HTTP_TIMEOUT", "600")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while server.requests().len() < 6 && start.elapsed() < Duration::from_secs(300) {
        std::thread::sleep(Duration::from_millis(20));
    }
    // The answers before are on disk while the next request is under way.
    child.kill().unwrap();
    child.wait().unwrap();
    let before = server.answered();
    assert_eq!(before.len(), 200);
    let mut command = asking(&server.url, path);
    command.args(arguments);
    let (code, stdout, stderr) = output(command);
    assert_eq!(code, 0, "{stderr}");
    Rows::parse(&stdout);
    let mut times: BTreeMap<String, u32> = BTreeMap::new();
    for text in server.answered() {
        *times.entry(text).or_default() += 1;
    }
    assert_eq!(times.len(), 400);
    assert!(times.values().all(|count| *count == 1), "asked twice");
    no_key_below(path);
    // Another run of other systems and the same sentences asks nothing either.
    let asked = server.requests().len();
    let mut command = asking(&server.url, path);
    command.args(["run", "gest", "--data", "gest.csv", "--mt", "again=deepl:"]);
    command.args(["--lang", "sk", "--out", "r2"]);
    assert_eq!(output(command).0, 0);
    assert_eq!(server.requests().len(), asked);
}

#[test]
fn two_processes_share_what_they_pay_for() {
    let server = Vendors::start(
        |_, _| Manner::Slow(Duration::from_millis(60)),
        |text, to| format!("{to}: {text}"),
    );
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let lines: Vec<String> = (0..400).map(|i| format!("Sentence {i}.")).collect();
    let input = lines.join("\n") + "\n";
    let expected: String = lines.iter().map(|line| format!("SK: {line}\n")).collect();
    let found: Vec<(i32, String, String)> = std::thread::scope(|scope| {
        let both: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let arguments = ["--mt", "deepl:", "--to", "sk"];
                    translate(&server.url, path, &arguments, &input)
                })
            })
            .collect();
        both.into_iter().map(|one| one.join().unwrap()).collect()
    });
    for (code, stdout, stderr) in found {
        assert_eq!(code, 0, "{stderr}");
        assert_eq!(stdout, expected);
    }
    let answered = server.answered();
    assert_eq!(answered.len(), 400, "something was paid for twice");
}

#[test]
fn more_than_a_thousand_paid_sentences_need_a_yes() {
    let server = Vendors::good();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let lines: Vec<String> = (0..1201).map(|i| format!("Sentence {i:04}.")).collect();
    let input = lines.join("\n") + "\n";
    let arguments = ["--mt", "google:", "--to", "sk"];
    let (code, stdout, stderr) = translate(&server.url, path, &arguments, &input);
    assert_eq!((code, stdout.as_str()), (2, ""));
    // 14 characters each, 20 dollars a million.
    assert!(
        stderr.contains("1201 sentences to ask for, 16814 characters, about 0.34 USD")
            && stderr.contains("--yes")
            && stderr.contains("estimate"),
        "{stderr}"
    );
    assert!(server.requests().is_empty());
    // A thousand are a try; with these in the cache the rest is one too.
    let thousand: String = lines[..1000].iter().map(|l| format!("{l}\n")).collect();
    assert_eq!(translate(&server.url, path, &arguments, &thousand).0, 0);
    let (code, stdout, _) = translate(&server.url, path, &arguments, &input);
    assert_eq!((code, stdout.lines().count()), (0, 1201));
    // The same in a run, and with a yes.
    synthetic_gest(&path.join("gest.csv"), 1100);
    let run = [
        "run", "gest", "--data", "gest.csv", "--mt", "amazon:", "--lang", "sk",
    ];
    let mut command = asking(&server.url, path);
    command.args(run);
    let (code, _, stderr) = output(command);
    assert_eq!(code, 2);
    assert!(stderr.contains("1100 sentences to ask for"), "{stderr}");
    let mut command = asking(&server.url, path);
    command.args(run).arg("--yes");
    let (code, _, stderr) = output(command);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("asked for 1100 sentences"), "{stderr}");
    // A shard is a part of the whole, and the whole is what is paid for; so are two services.
    for more in [
        &["--mt", "amazon:", "--shard", "1/4", "--out", "part"][..],
        &["--limit", "600", "--mt", "deepl:", "--mt", "google:"],
    ] {
        let mut command = asking(&server.url, path);
        let base = ["run", "gest", "--data", "gest.csv", "--lang", "cs"];
        command.args(base).args(more);
        let (code, _, stderr) = output(command);
        assert_eq!(code, 2, "{stderr}");
        assert!(
            stderr.contains("all shards, languages and services are counted"),
            "{stderr}"
        );
    }
    // What costs nothing needs no yes.
    let spec = format!("libretranslate:{}", server.url);
    let arguments = ["--mt", &spec, "--to", "sk"];
    assert_eq!(translate(&server.url, path, &arguments, &input).0, 0);
}

/// A Slovak translation that shows a gender, by the number in the sentence.
fn slovak(text: &str, to: &str) -> String {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let number: usize = digits.parse().unwrap_or(0);
    let was = match number % 3 {
        0 => "Bola",
        _ => "Bol",
    };
    let quoted = text.contains("said");
    let (was, number) = match (text.starts_with("She"), text.starts_with("He")) {
        (true, _) => ("Bola", number),
        (_, true) => ("Bol", number),
        _ => (was, number),
    };
    let sentence = format!("{was} som tam {number}.");
    let _ = to;
    if quoted {
        format!("Povedala: „{sentence}“")
    } else {
        sentence
    }
}

/// A run with a service has the numbers of a run with a file of the same translations.
#[test]
fn a_service_measures_like_a_file_of_its_translations() {
    let server = Vendors::start(|_, _| Manner::Good, slovak);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 320);
    let sentences: Vec<String> = {
        let text = std::fs::read_to_string(path.join("gest.csv")).unwrap();
        let rows = text.lines().skip(1);
        rows.map(|row| row.rsplit_once(',').unwrap().0.trim_matches('"').to_owned())
            .collect()
    };
    let run = |mt: &[&str], lang: &str, out: &str| {
        let mut command = asking(&server.url, path);
        command.args(["run", "gest", "--data", "gest.csv", "--lang", lang]);
        command.args(["--out", out, "--format", "json"]).args(mt);
        let (code, stdout, stderr) = output(command);
        assert_eq!(code, 0, "{stderr}");
        Rows::parse(&stdout)
    };
    let service = run(&["--mt", "x=deepl:"], "sk,cs", "service");
    let units: Vec<&str> = service
        .0
        .iter()
        .map(|row| row["unit"].as_str().unwrap())
        .collect();
    assert!(units.contains(&"lang:sk") && units.contains(&"lang:cs"));
    assert!(service.1.contains("system:deepl:"), "{}", service.1);
    let input = sentences.join("\n") + "\n";
    for (format, file) in [
        ("csv", "t.sk.csv"),
        ("tsv", "t.sk.tsv.gz"),
        ("jsonl", "t.sk.jsonl.zst"),
        ("lines", "t.sk.txt"),
        ("csv", "t.sk.csv.zst"),
    ] {
        let arguments = [
            "--mt", "deepl:", "--to", "sk", "--format", format, "-o", file,
        ];
        assert_eq!(translate(&server.url, path, &arguments, &input).0, 0);
        let spec = format!("x=file:{file}");
        let read = run(&["--mt", &spec], "sk", &format!("run-{file}"));
        for row in &read.0 {
            if row["unit"] == "lang:sk" {
                assert!(service.0.contains(row), "{file}: {row}");
            }
        }
        if format != "lines" {
            let spec = format!("file:{file}");
            let arguments = ["translate", "--mt", &spec];
            let mut command = asking(&server.url, path);
            command.args(arguments).write_stdin(input.as_str());
            let (code, stdout, stderr) = output(command);
            assert_eq!(code, 0, "{stderr}");
            assert_eq!(
                stdout.lines().next(),
                Some(slovak(&sentences[0], "")).as_deref()
            );
            assert_eq!(stdout.lines().count(), sentences.len());
        }
    }
    // A service and a file in one run.
    let both = run(
        &["--mt", "x=deepl:", "--mt", "y=file:t.sk.csv"],
        "sk",
        "both",
    );
    assert_eq!(
        both.value("x", "lang:sk", "all", "f_m"),
        both.value("y", "lang:sk", "all", "f_m")
    );
}

/// Prompts, quotations and filters of GEST's section 6 through a translator, in one command.
#[test]
fn pairs_are_built_with_a_translator() {
    let server = Vendors::start(|_, _| Manner::Good, slovak);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 90);
    let mut command = asking(&server.url, path);
    command.args(["pairs", "build", "--data", "gest.csv", "--lang", "sk"]);
    command.args(["--mt", "deepl:"]);
    let (code, stdout, stderr) = output(command);
    assert_eq!(code, 0, "{stderr}");
    let rows: Vec<&str> = stdout.lines().collect();
    assert_eq!(rows.len(), 91, "{stderr}");
    assert_eq!(
        rows[0],
        "translator,language,original,stereotype,male,female"
    );
    assert!(
        rows[1].starts_with("deepl,sk,") && rows[1].ends_with("Bol som tam 0.,Bola som tam 0.")
    );
    // The prompt asks for the other gender; DeepL and Czech go without the colon.
    let prompts: Vec<String> = server
        .answered()
        .into_iter()
        .filter(|text| text.contains("said"))
        .collect();
    assert_eq!(prompts.len(), 90);
    let first = "He said: \"I did thing number 0";
    assert!(prompts.iter().any(|prompt| prompt.starts_with(first)));
    let mut command = asking(&server.url, path);
    command.args(["pairs", "prompts", "--data", "gest.csv", "--lang", "cs"]);
    command.args(["--mt", "deepl:"]);
    let (_, stdout, _) = output(command);
    assert!(stdout.is_empty() || stdout.contains("said \""), "{stdout}");
}

#[test]
fn the_filter_streams_and_keeps_order() {
    let directory = tempfile::tempdir().unwrap();
    let program = asking("http://127.0.0.1:9", directory.path());
    let mut child = std::process::Command::new(program.get_program())
        .args(["translate", "--mt", "copy:", "--to", "sk", "--quiet"])
        .env("EPICENE_CACHE", directory.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = {
        use std::io::BufRead;
        std::io::BufReader::new(child.stdout.take().unwrap()).lines()
    };
    // An answer comes while the input is still open.
    for line in ["one", "", "two  words"] {
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
        assert_eq!(lines.next().unwrap().unwrap(), line);
    }
    drop(input);
    assert!(lines.next().is_none());
    assert!(child.wait().unwrap().success());
}

#[test]
fn bad_input_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    std::fs::write(path.join("bad.txt"), b"fine\nb\xffd\n").unwrap();
    std::fs::write(path.join("t.csv"), "from,to\nI ran.,Bežal som.\n").unwrap();
    for (arguments, message) in [
        (
            vec!["--mt", "copy:", "--to", "sk", "bad.txt"],
            "line 2: invalid UTF-8",
        ),
        (
            vec!["--mt", "babelfish:", "--to", "sk"],
            "unknown kind of translator",
        ),
        (
            vec!["--mt", "copy:", "--to", "sk", "missing.txt"],
            "missing.txt",
        ),
        (
            vec!["--mt", "file:t.csv", "t.csv"],
            "no translation of `from,to`",
        ),
        (
            vec!["--mt", "apertium:eng-spa", "--to", "sk", "t.csv"],
            "apertium",
        ),
        (
            vec!["--mt", "libretranslate:ftp://x", "--to", "sk", "t.csv"],
            "http",
        ),
    ] {
        let mut all = vec!["translate"];
        all.extend(arguments);
        let stderr = refuse(&all, path);
        assert!(stderr.contains(message), "{all:?}: {stderr}");
    }
    let listed = succeed(&["list", "translators"], path);
    for kind in [
        "deepl:",
        "apertium:",
        "AWS_SECRET_ACCESS_KEY",
        "USD per million",
    ] {
        assert!(listed.contains(kind), "{listed}");
    }
    let stderr = refuse(
        &[
            "run",
            "gest",
            "--data",
            "epicene-mini",
            "--mt",
            "copy:",
            "--lang",
            "sk,sk",
        ],
        path,
    );
    assert!(stderr.contains("given twice"), "{stderr}");
    // A control that translates nothing shows no gender.
    let json = succeed(
        &[
            "run",
            "gest",
            "--data",
            "epicene-mini",
            "--mt",
            "copy:",
            "--lang",
            "sk",
            "--format",
            "json",
        ],
        path,
    );
    assert_eq!(
        Rows::parse(&json).value("copy", "lang:sk", "all", "yield"),
        0.0
    );
}

/// A model run here is a translator like any other; how it searches is in its signature.
#[test]
fn a_model_run_here_translates() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/engine/tests/seq2seq/nllb");
    if !root.exists() {
        println!("skipped: {} is not there", root.display());
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let spec = format!("tiny=dir:{}", root.display());
    std::fs::write(path.join("in.txt"), "I ran.\n\nI was tired.\nI ran.\n").unwrap();
    let arguments = [
        "translate",
        "--mt",
        &spec,
        "--to",
        "cs",
        "--device",
        "cpu",
        "in.txt",
    ];
    let first = support::run(&arguments, path);
    assert_eq!(first.0, 0, "{}", first.2);
    let lines: Vec<&str> = first.1.lines().collect();
    assert_eq!((lines.len(), lines[1]), (4, ""));
    assert_eq!(lines[0], lines[3]);
    assert!(first.2.contains("asked for 2 sentences"), "{}", first.2);
    let second = support::run(&arguments, path);
    assert_eq!(second.1, first.1);
    assert!(second.2.contains("asked for 0 sentences"), "{}", second.2);
    let json = succeed(
        &[
            "run",
            "gest",
            "--data",
            "epicene-mini",
            "--limit",
            "6",
            "--mt",
            &spec,
            "--lang",
            "cs",
            "--device",
            "cpu",
            "--format",
            "json",
        ],
        path,
    );
    let rows = Rows::parse(&json);
    assert!(rows.1.contains("max-length"), "{}", rows.1);
    let stderr = refuse(
        &[
            "translate",
            "--mt",
            &spec,
            "--to",
            "tlh",
            "--device",
            "cpu",
            "in.txt",
        ],
        path,
    );
    assert!(stderr.contains("tlh"), "{stderr}");
}
