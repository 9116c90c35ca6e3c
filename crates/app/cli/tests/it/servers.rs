//! What OpenAI-compatible servers really answer: replies recorded from vLLM and llama-cpp-python, servers that behave like
//! them, and several of them together.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::support::completions::{Program, Server, log_probability};
use crate::support::{epicene, shared};
use epicene_lm::{read_completion, read_completions};
use serde_json::Value;

const PROMPT: &str = "\"I have always been a leadership type.\",";

fn recorded(directory: &Path, name: &str) -> (u64, Value, String) {
    let text = std::fs::read_to_string(directory.join(format!("{name}.json"))).unwrap();
    let mut value: Value = serde_json::from_str(&text).unwrap();
    let (request, response) = (value["request"]["body"].take(), value["response"].take());
    // Candidates come back in another order than the server's: maps are sorted here.
    let reply = match response {
        Value::String(text) => text,
        other => other.to_string(),
    };
    (value["status"].as_u64().unwrap(), request, reply)
}

fn texts(request: &Value) -> Vec<&str> {
    match &request["prompt"] {
        Value::Array(texts) => texts.iter().map(|text| text.as_str().unwrap()).collect(),
        text => vec![text.as_str().unwrap()],
    }
}

#[test]
fn recorded_replies_are_read() {
    let Some(directory) = shared("servers") else {
        return;
    };
    let he = -1.2890862226486206;
    for (name, expected) in [
        ("vllm/completions-echo-max0", he),
        ("vllm/completions-echo-max1", he),
        ("vllm/completions-echo-logprobs0-max0", he),
        ("vllm/completions-echo-logprobs5-max1", he),
        ("vllm/completions-temperature-half-echo", he),
        ("vllm/completions-prompt_logprobs0-max1", he),
        ("vllm/completions-prompt_logprobs0-token_ids", he),
        ("vllm/completions-prompt_logprobs1-max1", he),
        ("vllm/completions-split-characters", -3.6863317489624023),
        (
            "vllm/completions-add_special_tokens-false",
            -1.4069472551345825,
        ),
        (
            "vllm/completions-text-with-bos-add_special_tokens-false",
            he,
        ),
        ("llamacpp/completions-echo-max0", -1.288895845413208),
        ("llamacpp/completions-echo-max1", -1.288895845413208),
        (
            "llamacpp/completions-echo-logprobs5-max1",
            -1.288895845413208,
        ),
        ("llamacpp/completions-split-characters", -3.686084747314453),
    ] {
        let (status, request, reply) = recorded(&directory, name);
        let text = request["prompt"].as_str().unwrap();
        let prompt = text.strip_suffix(" he").unwrap();
        assert_eq!(
            (status, read_completion(&reply, prompt, text)),
            (200, Ok(expected)),
            "{name}"
        );
    }
    for name in [
        "vllm/completions-two-prompts-echo",
        "vllm/completions-two-prompts-prompt_logprobs",
    ] {
        let (_, request, reply) = recorded(&directory, name);
        let found = read_completions(&reply, PROMPT, &texts(&request));
        assert_eq!(found, Ok(vec![he, -2.3494205474853516]), "{name}");
    }
    // A parameter that is ignored without a word, and a beginning of text that is there twice.
    for name in [
        "llamacpp/completions-prompt_logprobs0-max1",
        "vllm/completions-text-with-bos",
    ] {
        let (_, request, reply) = recorded(&directory, name);
        let text = request["prompt"].as_str().unwrap();
        let prompt = text.strip_suffix(" he").unwrap();
        assert!(read_completion(&reply, prompt, text).is_err(), "{name}");
    }
}

/// Refusals are shown as they are, at once, with a hint that fits.
#[test]
fn recorded_refusals_are_shown_and_not_repeated() {
    let Some(directory) = shared("servers") else {
        return;
    };
    for (name, shown, hinted) in [
        (
            "vllm/unknown-model",
            "The model `nope` does not exist",
            "GET /v1/models",
        ),
        (
            "vllm/wrong-type",
            "must be an integer",
            "the same command continues",
        ),
        ("vllm/no-such-path", "Not Found", "GET /v1/models"),
        (
            "llamacpp/wrong-type",
            "validation error",
            "the same command continues",
        ),
        (
            "llamacpp/completions-echo-without-logits_all",
            "logits_all=False",
            "--logits_all true",
        ),
        (
            "llamacpp/empty-prompt",
            "list assignment index",
            "the same command continues",
        ),
    ] {
        let (status, _, reply) = recorded(&directory, name);
        let server = Server::refusing(status as u16, &reply);
        let here = tempfile::tempdir().unwrap();
        let (code, stdout, stderr) = score(
            &server.url,
            "{\"prompt\":\"I,\",\"masculine\":\"he\",\"feminine\":\"she\"}",
            here.path(),
        );
        assert_eq!((code, stdout.as_str()), (2, ""), "{name}");
        assert!(
            stderr.contains(shown) && stderr.contains(hinted),
            "{name}: {stderr}"
        );
        assert!(
            !stderr.contains("prompt_logprobs; where"),
            "{name}: {stderr}"
        );
        let asked = server.requests.load(Ordering::SeqCst);
        assert!(asked <= 12, "{name}: asked {asked} times");
    }
}

fn score(urls: &str, lines: &str, directory: &Path) -> (i32, String, String) {
    score_task("next-word", urls, lines, directory)
}

fn score_task(task: &str, urls: &str, lines: &str, directory: &Path) -> (i32, String, String) {
    let output = epicene()
        .args([
            "score",
            "--task",
            task,
            "--model",
            &format!("openai:demo@{urls}"),
        ])
        .env("EPICENE_HTTP_PAUSE", "0.05")
        .current_dir(directory)
        .write_stdin(lines)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn lines(count: usize) -> (String, Vec<f64>) {
    let (mut lines, mut expected) = (String::new(), Vec::new());
    for number in 0..count {
        let name = ["runner", "žena", "naïve 😀 singer", "Я"][number % 4];
        let (words, ending) = match number % 3 {
            0 => (["man", "woman"], " a"),
            _ => (["he", "she"], ","),
        };
        let prompt = format!("I am {name} number {number}{ending}");
        let [masculine, feminine] = words.map(|word| log_probability(&prompt, &format!(" {word}")));
        expected.push((masculine - feminine) / std::f64::consts::LN_10);
        let line = serde_json::json!({"id": number, "prompt": prompt, "masculine": words[0], "feminine": words[1]});
        lines += &format!("{line}\n");
    }
    (lines, expected)
}

/// The same values by every way, fewer requests by the fast ones, and a text that is too long costs itself.
#[test]
fn every_program_gives_the_same_scores() {
    let (mut input, mut expected) = lines(200);
    let long = format!("I am {},", "very ".repeat(80));
    input += &format!(
        "{}\n",
        serde_json::json!({"id": "long", "prompt": long, "masculine": "he", "feminine": "she"})
    );
    let (more, rest) = lines(40);
    input += &more;
    expected.push(f64::NAN);
    expected.extend(rest);
    for program in [Program::Vllm, Program::LlamaCpp, Program::Plain] {
        let server = Server::start(program);
        let here = tempfile::tempdir().unwrap();
        let (code, stdout, stderr) = score(&server.url, &input, here.path());
        assert_eq!(code, 0, "{program:?}: {stderr}");
        let found: Vec<Value> = stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(found.len(), expected.len());
        for (line, expected) in found.iter().zip(&expected) {
            match line["next-word"].as_f64() {
                Some(value) => assert!((value - expected).abs() < 1e-12, "{program:?}: {line}"),
                None => assert!(expected.is_nan() && line["id"] == "long", "{line}"),
            }
        }
        assert!(
            stderr.contains("1 question is longer than the server reads"),
            "{stderr}"
        );
        let (requests, next) = (
            server.requests.load(Ordering::SeqCst),
            server.next_token.load(Ordering::SeqCst),
        );
        match program {
            // Lists of 32 prompts.
            Program::Vllm => assert!(next > 200 && requests < 60, "{requests}"),
            // One request a question, two where a word is not among the likeliest.
            Program::LlamaCpp => assert!(next > 200 && requests < 400, "{requests}"),
            Program::Plain => assert!(next < 20 && requests < 100, "{requests}"),
        }
    }
}

/// The log-probability of a text behind another, token by token: blanks begin tokens, other alphabets are two a letter.
fn behind(program: Program, before: &str, text: &str) -> (f64, u64) {
    let (mut before, mut sum, mut count) = (before.to_owned(), 0.0, 0);
    let mut word = String::new();
    let mut add = |before: &mut String, token: &str, shown: &str| {
        sum += log_probability(before, token);
        count += 1;
        before.push_str(shown);
    };
    for c in text.chars() {
        if (!c.is_ascii() || c == ' ') && !word.is_empty() {
            let whole = std::mem::take(&mut word);
            add(&mut before, &whole, &whole);
        }
        if c.is_ascii() {
            word.push(c);
            continue;
        }
        let last = match program {
            Program::LlamaCpp => String::new(),
            _ => c.to_string(),
        };
        // Both parts stand at one offset.
        add(&mut before, "", "");
        add(&mut before, &last, &c.to_string());
    }
    if !word.is_empty() {
        add(&mut before, &word.clone(), &word);
    }
    (sum, count)
}

/// Continuations of several tokens, some of them of split characters, by every program's way of listing tokens.
#[test]
fn continuations_are_scored_by_every_program() {
    let mut input = String::new();
    let mut asked = Vec::new();
    for number in 0..30 {
        let context = format!("Two persons met {number} times.\n\nQ: Who was late?\nA:");
        let continuations = [" The woman", " žena", " 남자아이", " Not enough info", " A"];
        // Blanks at the end of the context belong to what follows.
        let (context, continuations) = match number % 2 {
            0 => (context, continuations.to_vec()),
            _ => (context + " ", continuations.map(|text| &text[1..]).to_vec()),
        };
        let line =
            serde_json::json!({"id": number, "context": context, "continuations": continuations});
        input += &format!("{line}\n");
        asked.push((context, continuations));
    }
    let long = "very ".repeat(80);
    input += &format!(
        "{}\n",
        serde_json::json!({"id": "long", "context": long, "continuations": [" a", " b"]})
    );
    for program in [Program::Vllm, Program::LlamaCpp, Program::Plain] {
        let server = Server::start(program);
        let here = tempfile::tempdir().unwrap();
        let (code, stdout, stderr) = score_task("continuations", &server.url, &input, here.path());
        assert_eq!(code, 0, "{program:?}: {stderr}");
        let found: Vec<Value> = stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(found.len(), asked.len() + 1);
        for (line, (context, continuations)) in found.iter().zip(&asked) {
            let scores = line["continuations"].as_array().unwrap();
            assert_eq!(scores.len(), continuations.len(), "{line}");
            for (score, continuation) in scores.iter().zip(continuations) {
                let kept = context.trim_end();
                let blanks = &context[kept.len()..];
                let (sum, tokens) = behind(program, kept, &format!("{blanks}{continuation}"));
                let difference = (score["sum"].as_f64().unwrap() - sum).abs();
                assert!(
                    difference < 1e-9,
                    "{program:?} `{continuation}`: {score}, not {sum}"
                );
                assert_eq!(score["tokens"], tokens, "{program:?} `{continuation}`");
            }
        }
        assert!(found[asked.len()]["continuations"].is_null(), "{stdout}");
        assert!(
            stderr.contains("1 question is longer than the server reads"),
            "{stderr}"
        );
    }
}

fn run(urls: &str, out: &Path, more: &[&str]) -> (i32, String) {
    let output = epicene()
        .args([
            "run",
            "gest",
            "--data",
            "epicene-mini",
            "--bootstrap",
            "20",
            "--model",
            &format!("openai:demo@{urls}"),
            "--out",
        ])
        .arg(out)
        .args(more)
        .env("EPICENE_HTTP_PAUSE", "0.05")
        .env("EPICENE_HTTP_ATTEMPTS", "3")
        .current_dir(out.parent().unwrap())
        .output()
        .unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn a_server_that_dies_in_the_middle_changes_nothing() {
    let here = tempfile::tempdir().unwrap();
    let measures =
        |name: &str| std::fs::read(here.path().join(name).join("measures.json")).unwrap();
    let good = Server::start(Program::LlamaCpp);
    assert_eq!(run(&good.url, &here.path().join("one"), &[]).0, 0);
    let (first, second) = (
        Server::dying(Program::LlamaCpp, 60),
        Server::start(Program::LlamaCpp),
    );
    let urls = format!("{},{}", first.url, second.url);
    let (code, stderr) = run(&urls, &here.path().join("two"), &[]);
    assert_eq!(code, 0, "{stderr}");
    assert!(first.dead.load(Ordering::SeqCst) && second.requests.load(Ordering::SeqCst) > 60);
    assert_eq!(measures("one"), measures("two"));

    // All dead: an error in words; what was answered is kept, and the same run is finished elsewhere.
    let (first, second) = (
        Server::dying(Program::LlamaCpp, 60),
        Server::dying(Program::LlamaCpp, 70),
    );
    let out = here.path().join("three");
    let (code, stderr) = run(&format!("{},{}", first.url, second.url), &out, &[]);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("none of the 2 servers answers")
            && stderr.contains("is the server running"),
        "{stderr}"
    );
    let log = std::fs::read_to_string(out.join("log.jsonl")).unwrap();
    assert!(log.lines().count() > 60, "{}", log.lines().count());
    let third = Server::start(Program::LlamaCpp);
    assert_eq!(run(&third.url, &out, &[]).0, 0);
    assert_eq!(measures("one"), measures("three"));
}

#[test]
fn a_slow_server_beside_a_fast_one_costs_nothing() {
    let here = tempfile::tempdir().unwrap();
    let slow = Server::slow(Program::LlamaCpp, Duration::from_millis(1500));
    let fast = Server::slow(Program::LlamaCpp, Duration::from_millis(5));
    let urls = format!("{},{}", fast.url, slow.url);
    assert_eq!(run(&urls, &here.path().join("both"), &[]).0, 0);
    let asked = |server: &Server| server.requests.load(Ordering::SeqCst);
    let (quick, late) = (asked(&fast), asked(&slow));
    // The first look asks every server who it is, and what it says to the test texts is asked before and after: only that may
    // wait for the slow one, not the questions.
    assert!(late <= 16 && quick > 4 * late, "{quick} and {late}");
}

#[test]
fn servers_that_are_not_alike_and_models_that_are_not_there_are_refused() {
    let here = tempfile::tempdir().unwrap();
    let (vllm, other) = (Server::start(Program::Vllm), Server::start(Program::Vllm));
    let output = epicene()
        .args([
            "score",
            "--task",
            "next-word",
            "--model",
            &format!("openai:nope@{}", vllm.url),
        ])
        .write_stdin("")
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("has no model `nope`; it has demo"),
        "{stderr}"
    );
    let (code, _) = run(
        &format!("{}#2,{}/v1#3", vllm.url, other.url),
        &here.path().join("r"),
        &["--limit", "9"],
    );
    assert_eq!(code, 0);
    let manifest = std::fs::read_to_string(here.path().join("r/manifest.json")).unwrap();
    for said in ["\"vllm-0.32.0\"", "\"dtype-untold\"", "\"bos\""] {
        assert!(manifest.contains(said), "{manifest}");
    }
    let (code, stderr) = run(&format!("{}#0", vllm.url), &here.path().join("s"), &[]);
    assert!(
        code == 2 && stderr.contains("how many requests it takes at once"),
        "{stderr}"
    );
}
