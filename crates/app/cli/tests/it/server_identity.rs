//! A server is what it answers, not what its model is called: numbers of one are never printed for another.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support;
use crate::support::chat_server::{Seen, Server, completion, run, says, text};
use serde_json::{Value, json};

/// Words with the blank before them.
fn tokens(text: &str) -> Vec<String> {
    text.split_inclusive(' ')
        .scan(false, |blank, word| {
            let token = format!("{}{}", if *blank { " " } else { "" }, word.trim_end());
            *blank = word.ends_with(' ');
            Some(token)
        })
        .collect()
}

/// Honours `echo` and nothing else. A model is a number that every log-probability depends on.
fn echoed(body: &Value, model: f64, name: &str) -> (u16, String) {
    let prompts: Vec<&str> = match &body["prompt"] {
        Value::Array(texts) => texts.iter().map(|text| text.as_str().unwrap()).collect(),
        text => text.as_str().into_iter().collect(),
    };
    let choice = |(index, text): (usize, &&str)| {
        let mut tokens = tokens(text);
        tokens.push(" said".to_owned());
        let value = |(place, token): (usize, &String)| match (place, token.as_str()) {
            (0, _) => Value::Null,
            (_, " he" | " man") => json!(-1.0 - model),
            (_, " she" | " woman") => json!(-2.0 - model / 3.0),
            _ => json!(-3.0),
        };
        let values: Vec<Value> = tokens.iter().enumerate().map(value).collect();
        json!({"index": index, "logprobs": {"tokens": tokens, "token_logprobs": values}})
    };
    // A server without log-probabilities of the next token.
    let next =
        |(index, _): (usize, &&str)| json!({"index": index, "text": " said", "logprobs": null});
    let choices: Vec<Value> = if body["echo"] == true {
        prompts.iter().enumerate().map(choice).collect()
    } else {
        prompts.iter().enumerate().map(next).collect()
    };
    (200, json!({"model": name, "choices": choices}).to_string())
}

fn model(number: f64) -> Server {
    Server::start(move |_, (_, _, body)| echoed(body, number, "m"))
}

fn gest(url: &str, more: &[&str], folder: &Path) -> (i32, String, String) {
    let spec = format!("openai:m@{url}");
    let line = "run gest --data epicene-mini --limit 16 --bootstrap 20 --format json --model";
    let words: Vec<&str> = line.split(' ').chain([spec.as_str()]).collect();
    let output = run(&[&words[..], more].concat(), folder, &[]);
    (
        output.status.code().unwrap(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn two_servers_with_one_model_name_never_share_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let (first, second) = (model(0.0), model(1.0));
    let (code, one, said) = gest(&first.url, &[], here);
    assert_eq!(code, 0, "{said}");
    let (code, other, said) = gest(&second.url, &[], here);
    assert_eq!(code, 0, "{said}");
    assert!(!said.contains("are there already"), "{said}");
    assert_ne!(one, other);
    let signature = |text: &str| {
        let value: Value = serde_json::from_str(text).unwrap();
        value["signature"].as_str().unwrap().to_owned()
    };
    assert_ne!(signature(&one), signature(&other));
    // The first is still what it was.
    assert_eq!(gest(&first.url, &[], here).1, one);

    // With a directory of its own, the second server is refused by both addresses.
    assert_eq!(gest(&first.url, &["--out", "r"], here).0, 0);
    let log = std::fs::read(here.join("r/log.jsonl")).unwrap();
    let (code, _, said) = gest(&second.url, &["--out", "r"], here);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains(&first.url) && said.contains(&second.url),
        "{said}"
    );
    assert_eq!(std::fs::read(here.join("r/log.jsonl")).unwrap(), log);
    // The same model elsewhere is the same system, and finishes the run.
    let (code, found, said) = gest(&model(0.0).url, &["--out", "r"], here);
    assert_eq!((code, &found), (0, &one), "{said}");
}

#[test]
fn shards_of_two_models_do_not_merge() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (out, shard, number) in [("a", "1/2", 0.0), ("b", "2/2", 1.0), ("c", "2/2", 0.0)] {
        let more = ["--shard", shard, "--out", out];
        let (code, _, said) = gest(&model(number).url, &more, here);
        assert_eq!(code, 0, "{said}");
    }
    let error = support::refuse(&["merge", "a", "b", "--out", "ab"], here);
    assert!(
        error.contains("cannot merge a with b: m: the server was"),
        "{error}"
    );
    assert!(!here.join("ab/manifest.json").exists());
    support::succeed(&["merge", "a", "c", "--out", "ac"], here);
}

/// The model behind an address is exchanged: between two commands, under way, with and without a new name.
#[test]
fn a_model_that_is_exchanged_is_refused_by_both_names() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let switch = Arc::new(AtomicUsize::new(usize::MAX));
    let start = |renames: bool| {
        let switch = Arc::clone(&switch);
        Server::start(move |count, (_, _, body): &Seen| {
            match (count > switch.load(Ordering::SeqCst), renames) {
                (false, _) => echoed(body, 0.0, "m-1"),
                (true, true) => echoed(body, 0.0, "m-2"),
                (true, false) => echoed(body, 1.0, "m-1"),
            }
        })
    };
    for renames in [true, false] {
        switch.store(usize::MAX, Ordering::SeqCst);
        let server = start(renames);
        let out = if renames { "renamed" } else { "exchanged" };
        assert_eq!(gest(&server.url, &["--out", out], here).0, 0);
        switch.store(0, Ordering::SeqCst);
        let (code, _, said) = gest(&server.url, &["--out", out], here);
        assert_eq!(code, 2, "{said}");
        if renames {
            assert!(said.contains("was `m-1`, now `m-2`"), "{said}")
        } else {
            assert!(said.contains("another model answers at"), "{said}")
        }
        // Under way: when the servers have been tested and some questions asked.
        let server = start(renames);
        switch.store(14, Ordering::SeqCst);
        let under_way = format!("{out}-under-way");
        let single = format!("{}#1", server.url);
        let (code, stdout, said) = gest(&single, &["--out", &under_way], here);
        assert_eq!((code, stdout.as_str()), (2, ""), "{said}");
        assert!(
            said.contains("the model was changed while it was asked"),
            "{said}"
        );
        if renames {
            assert!(
                said.contains("`m-1` answered until now, and `m-2` answers now"),
                "{said}"
            );
        }
        // The same command does not turn the mixture into a number.
        assert_eq!(gest(&single, &["--out", &under_way], here).0, 2);
    }
}

#[test]
fn a_pool_of_two_models_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (model(0.0), model(1.0));
    let both = format!("{},{}", first.url, second.url);
    let (code, _, said) = gest(&both, &[], folder.path());
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("not alike") && said.contains(&first.url) && said.contains(&second.url),
        "{said}"
    );
    let alike = format!("{},{}", first.url, model(0.0).url);
    assert_eq!(gest(&alike, &[], folder.path()).0, 0);
}

/// Batches change the last digits on many servers, and nothing repeats the words of a model that samples.
#[test]
fn a_server_that_varies_is_not_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let noisy = Server::start(|count, (_, _, body)| {
        let noise = [0.0, 0.02, -0.03][count % 3];
        echoed(body, noise, "m")
    });
    for _ in 0..4 {
        let (code, _, said) = gest(&noisy.url, &["--out", "r"], here);
        assert_eq!(code, 0, "{said}");
    }
    let sampling = Server::start(|count, _| says(&format!("She sang song {count}.")));
    for _ in 0..4 {
        let (code, said) = chat(&sampling.url, &["--out", "c"], here);
        assert_eq!(code, 0, "{said}");
    }
}

fn chat(url: &str, more: &[&str], folder: &Path) -> (i32, String) {
    let spec = format!("chat:m@{url}");
    let line = "run gest-chat --data eight.csv --frames character --bootstrap 20 --model";
    let words: Vec<&str> = line.split(' ').chain([spec.as_str()]).collect();
    let output = run(&[&words[..], more].concat(), folder, &[]);
    let said = text(&output.stdout) + &text(&output.stderr);
    (output.status.code().unwrap(), said)
}

fn speaker(pronoun: &'static str) -> Server {
    Server::start(move |_, (_, _, body)| {
        let asked = body["messages"][0]["content"].as_str().unwrap_or("");
        says(&format!("{pronoun} heard {} letters.", asked.len()))
    })
}

#[test]
fn chat_servers_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let (he, she) = (speaker("He"), speaker("She"));
    let runs = || {
        std::fs::read_dir(here.join("epicene-runs"))
            .unwrap()
            .count()
    };
    assert_eq!(chat(&he.url, &[], here).0, 0);
    let (code, said) = chat(&she.url, &[], here);
    assert_eq!((code, runs()), (0, 2), "{said}");
    assert_eq!(chat(&he.url, &["--out", "r"], here).0, 0);
    let (code, said) = chat(&she.url, &["--out", "r"], here);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains(&he.url) && said.contains(&she.url), "{said}");
    let (code, said) = chat(&speaker("He").url, &["--out", "r"], here);
    assert_eq!(code, 0, "{said}");
    let both = format!("{},{}", he.url, she.url);
    let (code, said) = chat(&both, &["--out", "both"], here);
    assert!(code == 2 && said.contains("not alike"), "{said}");
}

/// A server that exchanges its model after so many requests, under one name.
fn exchanging(switch: &Arc<AtomicUsize>, words: [&'static str; 2]) -> Server {
    let switch = Arc::clone(switch);
    Server::start(move |count, (_, _, body): &Seen| {
        let asked = body["messages"][0]["content"].as_str().unwrap_or("");
        let word = words[usize::from(count > switch.load(Ordering::SeqCst))];
        says(&format!("{word} {} dní.", asked.len() % 7))
    })
}

#[test]
fn a_chat_model_exchanged_under_its_name_gives_no_number() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let switch = Arc::new(AtomicUsize::new(usize::MAX));
    let server = exchanging(&switch, ["He slept", "She slept"]);
    let single = format!("{}#1", server.url);
    let share = |out: &str| {
        let report = support::succeed(&["report", out, "--format", "json"], here);
        let report: Value = serde_json::from_str(&report).unwrap();
        let rows = report["rows"].as_array().unwrap();
        let row = |row: &&Value| row["unit"] == "character:1" && row["metric"] == "r";
        rows.iter().find(row).unwrap()["value"].as_f64().unwrap()
    };
    // Between two commands: what the first model answered is in the cache, and is not the second one's answer.
    assert_eq!(chat(&single, &["--out", "he"], here).0, 0);
    assert_eq!(share("he"), 1.0);
    switch.store(0, Ordering::SeqCst);
    assert_eq!(chat(&single, &["--out", "she"], here).0, 0);
    assert_eq!(share("she"), 0.0);
    // Under way.
    switch.store(server.count() + 18, Ordering::SeqCst);
    let (code, said) = chat(&single, &["--out", "mixed"], here);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("the model was changed while it was asked"),
        "{said}"
    );
    assert!(
        said.contains("`He slept") && said.contains("now `She slept"),
        "{said}"
    );
    // Nothing makes a number of the mixture, also when the first model is back.
    switch.store(usize::MAX, Ordering::SeqCst);
    for command in ["report", "items", "verify"] {
        let error = support::refuse(&[command, "mixed"], here);
        assert!(error.contains("by two models"), "{command}: {error}");
    }
    let (code, said) = chat(&single, &["--out", "mixed"], here);
    assert!(code == 2 && said.contains("by two models"), "{said}");
    assert_eq!(chat(&single, &["--out", "other"], here).0, 0);
    assert_eq!(share("other"), 1.0);
    assert_eq!(chat(&single, &["--out", "mixed", "--fresh"], here).0, 0);
    assert_eq!(share("mixed"), 1.0);
}

#[test]
fn a_translating_model_exchanged_under_its_name_gives_no_number() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let switch = Arc::new(AtomicUsize::new(usize::MAX));
    let server = exchanging(&switch, ["Bol som tu", "Bola som tu"]);
    let spec = format!("openai:m@{}#1", server.url);
    let line = "run gest --data epicene-mini --limit 16 --bootstrap 20 --lang sk --format json";
    let words: Vec<&str> = line.split(' ').chain(["--mt", &spec, "--out"]).collect();
    let ask = |out: &str| {
        let output = run(&[&words[..], &[out]].concat(), here, &[]);
        let said = text(&output.stderr);
        (output.status.code().unwrap(), text(&output.stdout), said)
    };
    let (code, first, said) = ask("first");
    assert_eq!(code, 0, "{said}");
    switch.store(0, Ordering::SeqCst);
    let (code, second, said) = ask("second");
    assert_eq!(code, 0, "{said}");
    assert_ne!(first, second);
    switch.store(server.count() + 12, Ordering::SeqCst);
    let (code, _, said) = ask("mixed");
    assert!(
        code == 2 && said.contains("the model was changed while it was asked"),
        "{said}"
    );
    assert!(
        said.contains("`Bol som") && said.contains("now `Bola som"),
        "{said}"
    );
    let error = support::refuse(&["report", "mixed"], here);
    assert!(error.contains("by two models"), "{error}");
    switch.store(usize::MAX, Ordering::SeqCst);
    assert_eq!(ask("again").1, first);
    // Without a run around it.
    let numbered: String = (0..18)
        .map(|line| format!("I ran {line} times.\n"))
        .collect();
    std::fs::write(here.join("lines.txt"), numbered).unwrap();
    switch.store(server.count() + 12, Ordering::SeqCst);
    let translate = "translate --to sk lines.txt -o translated.txt --mt";
    let translate: Vec<&str> = translate.split(' ').chain([spec.as_str()]).collect();
    let output = run(&translate, here, &[]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(!here.join("translated.txt").exists());
    assert!(said.contains("the model was changed"), "{said}");
}

#[test]
fn translators_behind_servers_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let translator = |said: &'static str, name: &'static str| {
        Server::start(move |_, (_, _, body)| {
            let asked = body["messages"][0]["content"].as_str().unwrap_or("");
            let number = asked.len() % 7;
            completion(json!({"content": format!("{said} {number} dní.")}), name)
        })
    };
    let ask = |url: &str, more: &[&str]| {
        let spec = format!("openai:m@{url}");
        let line = "run gest --data epicene-mini --limit 16 --lang sk --mt";
        let words: Vec<&str> = line.split(' ').chain([spec.as_str()]).collect();
        let output = run(&[&words[..], more].concat(), here, &[]);
        let said = text(&output.stdout) + &text(&output.stderr);
        (output.status.code().unwrap(), said)
    };
    let (he, she) = (
        translator("Bol som tu", "m"),
        translator("Bola som tu", "m"),
    );
    let (code, said) = ask(&he.url, &[]);
    assert_eq!(code, 0, "{said}");
    let (code, said) = ask(&she.url, &[]);
    assert!(code == 0 && !said.contains("are there already"), "{said}");
    assert_eq!(ask(&he.url, &["--out", "r"]).0, 0);
    let (code, said) = ask(&she.url, &["--out", "r"]);
    assert!(
        code == 2 && said.contains(&he.url) && said.contains(&she.url),
        "{said}"
    );
    let renamed = Server::start(|count, _| {
        let name = if count < 12 { "m-1" } else { "m-2" };
        completion(json!({"content": format!("Bol som tu {count} dní.")}), name)
    });
    let (code, said) = ask(&renamed.url, &["--out", "renamed"]);
    assert!(
        code == 2 && said.contains("`m-1` answered until now, and `m-2`"),
        "{said}"
    );
}

#[test]
fn a_key_in_an_address_is_refused_and_kept_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let server = model(0.0);
    for address in [
        format!("{}?key=sk-secret-1234", server.url),
        format!("{}/v1?api_key=sk-secret-1234", server.url),
        format!("{}/?key=sk-secret-1234#2", server.url),
        server.url.replace("http://", "http://me:sk-secret-1234@"),
    ] {
        let (code, stdout, said) = gest(&address, &["--out", "r"], here);
        assert_eq!((code, stdout.as_str()), (2, ""), "{said}");
        assert!(
            !said.contains("secret") && said.contains("OPENAI_API_KEY"),
            "{said}"
        );
        let (code, said) = chat(&address, &["--out", "r"], here);
        assert!(code == 2 && !said.contains("secret"), "{said}");
        assert!(!here.join("r").exists());
    }
}
