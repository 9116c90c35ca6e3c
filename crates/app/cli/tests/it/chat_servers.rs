//! Chat systems against servers that answer as OpenAI documents, and as they stumble.

use crate::support::chat_server::{Server, ask, completion, rows, run, says, text, value};
use serde_json::{Value, json};

#[test]
fn a_server_without_probabilities_is_read_by_what_it_writes_and_never_asked_twice() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|_, _| says("<think>A, or C?</think>\n\n**B**"));
    let model = format!("chat:m@{}", server.url);
    let found = rows(&ask(&model, "choice:1"), folder.path(), &[]);
    // The first option of half of the orders is the man, the second is always what stands second.
    assert!((value(&found, "choice:1", "n") - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(value(&found, "choice:1", "unreadable"), 0.0);
    // One question to find out about probabilities, the list of models and three test prompts twice, before and after 8
    // items in 6 orders.
    assert_eq!(server.count(), 1 + 2 * 7 + 48);
    let log = std::fs::read_to_string(folder.path().join("run/log.jsonl")).unwrap();
    assert!(log.contains("choice-sampled") && !log.contains("choice-logprob"));
    // Another run of the same questions has them from the cache.
    let mut again = ask(&model, "choice:1");
    *again.last_mut().unwrap() = "other";
    rows(&again, folder.path(), &[]);
    assert_eq!(server.count(), 2 * (1 + 7) + 7 + 48);
}

#[test]
fn what_one_server_answered_is_not_another_s_answer() {
    let folder = tempfile::tempdir().unwrap();
    let share = |said: &'static str, out: &'static str| {
        let server = Server::start(move |_, _| says(said));
        let model = format!("chat:m@{}", server.url);
        let mut words = ask(&model, "choice:3");
        *words.last_mut().unwrap() = out;
        let found = rows(&words, folder.path(), &[]);
        assert!(server.count() > 40, "{}", server.count());
        value(&found, "choice:3", "m")
    };
    assert_eq!(share("man", "one"), 1.0);
    assert_eq!(share("woman", "two"), 0.0);
}

#[test]
fn a_model_that_refuses_everything_is_said_to() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|_, _| says("I'm sorry, but I can't help with that."));
    let model = format!("chat:m@{}", server.url);
    let output = run(&ask(&model, "choice:3"), folder.path(), &[]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(
        said.contains("m: 100 % of the answers are refusals (48 of 48)"),
        "{said}"
    );
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
    // The same command continues with neither: what is kept is by the other model, in the run and in the cache.
    for forget in [false, true] {
        if forget {
            std::fs::remove_dir_all(folder.path().join("cache")).unwrap();
        }
        let before = server.count();
        let output = run(&ask(&model, "character,completion"), folder.path(), &[]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.contains("the server's model was `m-1`, now `m-2`"),
            "{said}"
        );
        assert!(server.count() <= before + 8, "{said}");
    }
    let mut anew = ask(&model, "character,completion");
    *anew.last_mut().unwrap() = "anew";
    anew.push("--fresh");
    rows(&anew, folder.path(), &[]);
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
    // Eight at once may meet the refusal before the first has learned from it; nobody does afterwards.
    assert!(server.count() <= 2 * 7 + 8 + 8, "{}", server.count());
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
            r#"{"id": 1, "unit": "character:9", "text": "She ran."}"#,
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

/// A second model reads what the rules cannot; what both read says how far it can be trusted.
#[test]
fn a_second_model_reads_what_the_rules_cannot() {
    let folder = tempfile::tempdir().unwrap();
    // Half of the answers say nothing that the rules can read.
    let server = Server::start(|_, (_, _, body)| {
        let prompt = body["messages"][0]["content"].as_str().unwrap_or_default();
        let women = ["cried", "baked", "felt", "tidied"];
        says(if women.iter().any(|word| prompt.contains(word)) {
            "One of the fairer sex, no doubt."
        } else {
            "man"
        })
    });
    // It reads those, and calls a man whatever says so.
    let reader = Server::start(|_, (_, _, body)| {
        let prompt = body["messages"][0]["content"].as_str().unwrap_or_default();
        let answer = prompt.split("<answer>").nth(1).unwrap_or_default();
        says(if answer.contains("fairer") {
            "B"
        } else {
            "A. a man"
        })
    });
    let model = format!("chat:m@{}", server.url);
    let by = format!("model:chat:judge@{}", reader.url);
    let alone = rows(&ask(&model, "choice:3"), folder.path(), &[]);
    assert_eq!(value(&alone, "choice:3", "unreadable"), 0.5);

    let mut words = ask(&model, "choice:3");
    *words.last_mut().unwrap() = "read";
    words.extend(["--reader", &by]);
    let found = rows(&words, folder.path(), &[]);
    assert_eq!(value(&found, "choice:3", "unreadable"), 0.0);
    assert_eq!(value(&found, "choice:3", "s"), 1.0);
    assert_eq!(value(&found, "all", "reader_agreement"), 1.0);
    assert_eq!(value(&found, "all", "read_by_model"), 0.5);
    assert!(reader.count() >= 40, "{}", reader.count());
    // The reading model stands in the fingerprint of settings, and only where it reads.
    let shown = |directory: &str| {
        let words = ["report", directory, "--format", "json", "--bootstrap", "20"];
        text(&run(&words, folder.path(), &[]).stdout)
    };
    assert!(shown("read").contains("model(judge)"), "{}", shown("read"));
    assert!(!shown("run").contains("model("), "{}", shown("run"));
    // The labels are kept with the run: nothing is asked to show it again.
    let before = reader.count();
    assert!(shown("read").contains("choice:3"));
    assert_eq!(reader.count(), before);

    // A model that contradicts the rules is not trusted in silence.
    let contrary = Server::start(|_, _| says("B"));
    let by = format!("model:chat:contrary@{}", contrary.url);
    let mut words = ask(&model, "choice:3");
    *words.last_mut().unwrap() = "contrary";
    words.extend(["--reader", &by]);
    let output = run(&words, folder.path(), &[]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(
        said.contains("agrees with the rules on only 0 % of 24 answers"),
        "{said}"
    );
    // What is no model is refused before anything is asked.
    let before = server.count();
    let mut words = ask(&model, "choice:3");
    *words.last_mut().unwrap() = "refused";
    words.extend(["--reader", "judge"]);
    let output = run(&words, folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("model:SPEC"));
    assert_eq!(server.count(), before);
}
