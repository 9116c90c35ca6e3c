//! Paid chat services: their own forms and keys, what is agreed on beforehand, and budgets.

use crate::support::chat_server::{Server, ask, rows, run, says, text, value};
use serde_json::{Value, json};

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
        said.contains("questions to ask")
            && said.contains("--price IN,OUT")
            && said.contains("--yes"),
        "{said}"
    );
    // Only the question about probabilities went out.
    assert!(server.asked() <= 1, "{}", server.asked());
    let priced = [&arguments[..], &["--price", "0.15,0.60"]].concat();
    let said = text(&run(&priced, folder.path(), &key).stderr);
    assert!(said.contains("USD at the price you gave"), "{said}");
}

#[test]
fn a_budget_holds_over_all_shards_and_after_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|_, _| says("She sang."));
    let model = format!("chat:m@{}#1", server.url);
    let key = [("OPENAI_API_KEY", "k")];
    let with = |out: &'static str, more: &[&'static str]| {
        let mut arguments = ask(&model, "character:1");
        *arguments.last_mut().unwrap() = out;
        let arguments = [&arguments[..], more].concat();
        let output = run(&arguments, folder.path(), &key);
        (output.status.code(), text(&output.stderr))
    };
    let (code, said) = with("a", &["--budget", "1"]);
    assert!(
        code == Some(2) && said.contains("--budget needs a price"),
        "{said}"
    );
    let (code, said) = with("a", &["--budget", "0.01", "--price", "0,10"]);
    // Eight answers of at most 160 tokens.
    assert!(
        code == Some(2) && said.contains("costs up to about 0.01 USD"),
        "{said}"
    );
    assert_eq!(server.asked(), 0);
    // A quarter each, and sentences that are alike: every shard has what it needs, and no more.
    let shards = ["1/4", "2/4", "3/4", "4/4"];
    for (shard, out) in shards.into_iter().zip(["s1", "s2", "s3", "s4"]) {
        let (code, said) = with(
            out,
            &["--budget", "0.0132", "--price", "0,10", "--shard", shard],
        );
        assert_eq!(code, Some(0), "{said}");
    }
    let spent = |out: &str| {
        let text = std::fs::read_to_string(folder.path().join(out).join("spent.json")).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["usd"]
            .as_f64()
            .unwrap()
    };
    let all: f64 = ["s1", "s2", "s3", "s4"].map(spent).iter().sum();
    assert!(all > 0.0 && all < 0.0132, "{all}");
    // Money that is spent stays spent: nothing is asked any more.
    let asked = server.asked();
    std::fs::remove_dir_all(folder.path().join("cache")).unwrap();
    std::fs::write(folder.path().join("a/spent.json"), "{\"usd\": 0.0128}").unwrap();
    let (code, said) = with("a", &["--budget", "0.0132", "--price", "0,10"]);
    assert!(code == Some(2) && said.contains("0.01 are spent"), "{said}");
    assert_eq!(server.asked(), asked);
}
