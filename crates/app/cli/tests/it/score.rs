//! `epicene score`: every task against reference values, in any batch, and lines that are wrong.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::support::{Rows, epicene, refuse, run, shared, succeed};
use serde_json::{Value, json};

fn tiny(name: &str) -> String {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/engine/tests/checkpoints");
    format!("dir:{}", folder.join(name).display())
}

/// Exit code, answers, standard error.
fn score(input: &str, arguments: &[&str]) -> (i32, Vec<Value>, String) {
    let output = epicene()
        .arg("score")
        .args(arguments)
        .write_stdin(input)
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!stderr.contains("panicked"), "{stderr}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    let answers = stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    (output.status.code().unwrap(), answers.collect(), stderr)
}

fn lines(objects: &[Value]) -> String {
    objects.iter().fold(String::new(), |mut text, object| {
        writeln!(text, "{object}").unwrap();
        text
    })
}

fn reference() -> Option<(PathBuf, Value)> {
    let path = shared("mbe/reference_tiny_bert")?;
    let text = std::fs::read_to_string(path.join("expected.json")).unwrap();
    Some((path, serde_json::from_str(&text).unwrap()))
}

fn close(found: &Value, expected: &Value, what: &str) {
    match (found.as_f64(), expected.as_f64()) {
        (Some(found), Some(expected)) => {
            assert!(
                (found - expected).abs() < 1e-5,
                "{what}: {found} {expected}"
            );
        }
        _ => assert_eq!(found, expected, "{what}"),
    }
}

#[test]
fn likelihoods_of_the_reference() {
    let Some((path, expected)) = reference() else {
        return;
    };
    let model = format!("dir:{}", path.display());
    let sentences = expected["sentences"].as_array().unwrap();
    let asked: Vec<Value> = sentences
        .iter()
        .map(|s| json!({"id": s["group"], "text": s["text"]}))
        .collect();
    let arguments = ["--model", &model, "--task", "aula,aul", "--embeddings"];
    let (code, answers, stderr) = score(&lines(&asked), &arguments);
    assert_eq!((code, answers.len()), (0, 20), "{stderr}");
    assert!(stderr.contains("20 lines"), "{stderr}");
    for (answer, sentence) in answers.iter().zip(sentences) {
        assert_eq!(answer["id"], sentence["group"]);
        close(&answer["aula"], &sentence["aula"], "aula");
        close(&answer["aul"], &sentence["aul"], "aul");
        let expected = sentence["embedding"].as_array().unwrap();
        for (found, expected) in answer["embedding"].as_array().unwrap().iter().zip(expected) {
            close(found, expected, "embedding");
        }
    }
    let pairs = expected["pairs"].as_array().unwrap();
    let asked: Vec<Value> = pairs
        .iter()
        .map(|pair| json!({"texts": [pair["stereotype"], pair["anti_stereotype"]]}))
        .collect();
    let tasks = "aula,aul,cps,sss,sss-released";
    let (code, answers, _) = score(&lines(&asked), &["--model", &model, "--task", tasks]);
    assert_eq!((code, answers.len()), (0, 13));
    for (number, (answer, pair)) in answers.iter().zip(pairs).enumerate() {
        // Without an id a line is known by its number.
        assert_eq!(answer["id"], number + 1);
        for (task, key) in [
            ("aula", "aula"),
            ("aul", "aul"),
            ("cps", "cps"),
            ("sss", "sss_formula"),
            ("sss-released", "sss_released_code"),
        ] {
            for side in 0..2 {
                close(&answer[task][side], &pair[key][side], task);
            }
        }
    }
}

#[test]
fn batches_threads_and_parts_do_not_show() {
    let model = tiny("bert");
    let asked: Vec<Value> = (0..40)
        .map(|n| {
            let texts = [
                format!("He likes {n} apples."),
                format!("She likes {n} apples."),
            ];
            json!({"id": {"part": n}, "texts": texts, "more": "is ignored"})
        })
        .collect();
    let arguments = ["--model", &model, "--task", "cps,aula", "--accuracy"];
    let (code, whole, stderr) = score(&lines(&asked), &arguments);
    assert_eq!((code, whole.len()), (0, 40), "{stderr}");
    for options in [
        ["--threads", "1", "--batch-tokens", "10000"],
        ["--threads", "3", "--batch-tokens", "1"],
    ] {
        let (_, again, _) = score(&lines(&asked), &[&arguments[..], &options].concat());
        assert_eq!(again, whole);
    }
    let (_, mut parts, _) = score(&lines(&asked[..13]), &arguments);
    parts.extend(score(&lines(&asked[13..]), &arguments).1);
    assert_eq!(parts, whole);
    let first = whole[0].as_object().unwrap();
    assert!(first["scored"].as_u64().unwrap() >= first["first"].as_u64().unwrap());
    assert!(first["scored"].as_u64().unwrap() > 10);
    // From a packed file.
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("in.jsonl.gz");
    let file = std::fs::File::create(&path).unwrap();
    let mut packer = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    std::io::Write::write_all(&mut packer, lines(&asked).as_bytes()).unwrap();
    packer.finish().unwrap();
    let packed = [&arguments[..], &[path.to_str().unwrap()]].concat();
    assert_eq!(score("", &packed).1, whole);
}

#[test]
fn the_embedded_models_answer_every_task() {
    let pair = json!({"masculine": "He cried.", "feminine": "She cried."});
    let (code, answers, stderr) = score(
        &lines(std::slice::from_ref(&pair)),
        &["--model", "demo:mlm", "--task", "masked-pair"],
    );
    assert_eq!(code, 0, "{stderr}");
    assert!(answers[0]["masked-pair"].as_f64().unwrap().is_finite());
    let (_, answers, _) = score(
        &lines(&[pair]),
        &["--model", "always:she", "--task", "masked-pair"],
    );
    assert_eq!(answers, [json!({"id": 1, "masked-pair": -3.0})]);
    let blank =
        json!({"id": "b", "context": "My sister is BLANK.", "words": ["kind", "remarkably", ""]});
    let (_, answers, stderr) = score(
        &lines(&[blank]),
        &["--model", "demo:mlm", "--task", "filled-blank"],
    );
    let found = answers[0]["filled-blank"].as_array().unwrap();
    let probability = |value: &Value| value.as_f64().is_some_and(|p| p > 0.0 && p < 1.0);
    assert!(
        probability(&found[0]) && probability(&found[1]),
        "{found:?}"
    );
    assert!(
        found[2].is_null() && stderr.contains("1 likelihoods are null"),
        "{stderr}"
    );
    let next = json!({"prompt": "The doctor said that", "masculine": "he", "feminine": "she"});
    let (code, answers, stderr) = score(
        &lines(std::slice::from_ref(&next)),
        &["--model", "demo:clm", "--task", "next-word"],
    );
    assert_eq!(code, 0, "{stderr}");
    assert!(answers[0]["next-word"].as_f64().unwrap().is_finite());

    // The other kind of model is refused before anything is said about a line.
    let (code, answers, stderr) = score(
        &lines(&[next]),
        &["--model", "demo:mlm", "--task", "next-word"],
    );
    assert_eq!((code, answers.len()), (2, 0));
    assert!(
        stderr.contains("cannot answer a `next-word` question"),
        "{stderr}"
    );
    for (task, object) in [
        ("aula", json!({"text": "She left."})),
        ("cps", json!({"texts": ["She left.", "He left."]})),
        (
            "filled-blank",
            json!({"context": "BLANK left.", "words": ["She"]}),
        ),
        (
            "masked-pair",
            json!({"masculine": "He left.", "feminine": "She left."}),
        ),
    ] {
        let (code, _, stderr) = score(&lines(&[object]), &["--model", "demo:clm", "--task", task]);
        assert_eq!(code, 2);
        assert!(
            stderr.contains(&format!("cannot answer a `{task}` question")),
            "{stderr}"
        );
        assert!(
            stderr.contains("hint: this asks a masked model"),
            "{stderr}"
        );
    }
}

#[test]
fn a_bad_line_is_named_and_nothing_before_it_is_lost() {
    let model = tiny("bert");
    let good = "{\"id\": 1, \"texts\": [\"a man\", \"a woman\"]}\n".repeat(3);
    for (bad, message) in [
        (
            "{\"id\": 4, \"texts\": [\"a man\"]}",
            "a cps question needs `texts`, a list of two",
        ),
        (
            "{\"id\": 4, \"text\": \"a man\"}",
            "a cps question needs `texts`, a list of two",
        ),
        ("{\"id\": 4", "EOF while parsing"),
        ("[4]", "this is no JSON object"),
        ("{\"texts\": 4}", "invalid type"),
    ] {
        let (code, answers, stderr) = score(
            &format!("{good}\n{bad}\n{good}"),
            &["--model", &model, "--task", "cps"],
        );
        // The blank line counts as a line, and is no object.
        assert!(stderr.contains("(standard input), line 5: "), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
        assert_eq!((code, answers.len()), (2, 3));
    }
    // What only the model can find is named too.
    let pair = |m: &str, f: &str| json!({"masculine": m, "feminine": f});
    let asked = [
        pair("He left", "She left"),
        pair("He", "She"),
        pair("it", "it"),
        pair("He", "She"),
    ];
    let (code, answers, stderr) = score(
        &lines(&asked),
        &["--model", &model, "--task", "masked-pair"],
    );
    assert_eq!((code, answers.len()), (2, 2));
    assert!(stderr.contains("line 3: "), "{stderr}");
    assert!(stderr.contains("are the same to its tokenizer"), "{stderr}");

    let directory = tempfile::tempdir().unwrap();
    std::fs::write(
        directory.path().join("latin1.jsonl"),
        b"{\"text\": \"caf\xe9\"}\n",
    )
    .unwrap();
    for (arguments, message) in [
        (
            &["--model", &model, "--task", "aul", "latin1.jsonl"][..],
            "latin1.jsonl, line 1: invalid UTF-8",
        ),
        (
            &["--model", &model, "--task", "aul", "no.jsonl"][..],
            "no.jsonl",
        ),
        (
            &["--model", "file:x.csv", "--task", "aul"],
            "it cannot answer new questions",
        ),
        (
            &["--model", &model, "--task", "aul,masked-pair"],
            "must all be likelihoods",
        ),
        (
            &["--model", &model, "--task", "cps", "--embeddings"],
            "--embeddings goes with aula and aul",
        ),
        (
            &["--model", &model, "--task", "aul,aul"],
            "--task aul twice",
        ),
        (&["--model", &model, "--task", "mass"], "is none of aula"),
    ] {
        let error = refuse(&[&["score"], arguments].concat(), directory.path());
        assert!(error.contains(message), "{error}");
    }
    assert_eq!(score("", &["--model", &model, "--task", "aul"]).0, 0);
}

#[test]
fn what_a_model_cannot_read_is_counted() {
    let model = tiny("bert");
    let long = "the man said that he was tired and ".repeat(200);
    let asked = [
        json!({"text": long}),
        json!({"text": ""}),
        json!({"text": "\u{13000} \u{13001}"}),
        json!({"text": "the man"}),
    ];
    let (code, answers, stderr) = score(&lines(&asked), &["--model", &model, "--task", "aula"]);
    assert_eq!(code, 0);
    assert_eq!(answers[0]["cut"], 1);
    assert!(answers[1]["aula"].is_null());
    assert_eq!(answers[2]["unknown"], 1);
    assert_eq!(answers[3].as_object().unwrap().len(), 2);
    let counts = "4 lines; 1 likelihoods are null; 1 texts were cut to the model's length; 1 texts have no word the tokenizer knows";
    assert!(stderr.contains(counts), "{stderr}");
}

/// Extraction, scores and the measure apart give what they give in one command; values and counts of
/// the reference through the engine.
#[test]
fn mbe_in_one_command_and_in_steps() {
    let Some((path, expected)) = reference() else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let model = format!("dir:{}", path.display());
    let (mut source, mut target) = (String::new(), String::new());
    for sentence in expected["sentences"].as_array().unwrap() {
        let english = if sentence["group"] == "f" {
            "She waits."
        } else {
            "He waits."
        };
        writeln!(source, "{english}").unwrap();
        writeln!(target, "{}", sentence["text"].as_str().unwrap()).unwrap();
    }
    std::fs::write(directory.join("en.txt"), source).unwrap();
    std::fs::write(directory.join("xx.txt"), target).unwrap();
    let corpus = ["--source", "en.txt", "--target", "xx.txt"];
    let one = [
        &[
            "run", "mbe", "--model", &model, "--format", "json", "--method", "aula,aul",
        ],
        &corpus[..],
    ]
    .concat();
    let rows = Rows::parse(&succeed(&one, directory));
    for method in ["aula", "aul"] {
        let unit = format!("method:{method}");
        let found = rows.value("reference_tiny_bert", &unit, "all", "mbe");
        let cosine = expected["mbe"][method]["cosine"].as_f64().unwrap();
        assert!((found - cosine).abs() < 1e-5, "{method}: {found} {cosine}");
        let accuracy = rows.row("reference_tiny_bert", &unit, "all", "accuracy");
        assert_eq!(accuracy["n"], 219);
    }
    let sets = succeed(&[&["extract"], &corpus[..]].concat(), directory);
    std::fs::write(directory.join("sets.tsv"), &sets).unwrap();
    let jsonl = succeed(&[&["extract", "--jsonl"], &corpus[..]].concat(), directory);
    assert_eq!(jsonl.lines().count() + 1, sets.lines().count());
    let arguments = ["--model", &model, "--task", "aula,aul", "--embeddings"];
    let (_, answers, _) = score(&jsonl, &arguments);
    std::fs::write(directory.join("scores.jsonl"), lines(&answers)).unwrap();
    let steps = [
        "run",
        "mbe",
        "--data",
        "sets.tsv",
        "--model",
        "file:scores.jsonl",
        "--format",
        "json",
    ];
    let again = Rows::parse(&succeed(&steps, directory));
    for metric in ["mbe", "p_value", "shf", "mcnemar_p"] {
        for unit in ["method:aula", "method:aul"] {
            assert_eq!(
                again.value("scores", unit, "all", metric),
                rows.value("reference_tiny_bert", unit, "all", metric)
            );
        }
    }
}

/// Pair scores of the reference through the engine, and CrowS-Pairs' and StereoSet's layouts.
#[test]
fn pair_scores_of_the_reference() {
    let Some((path, expected)) = reference() else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let model = format!("dir:{}", path.display());
    let mut pairs = String::new();
    for pair in expected["pairs"].as_array().unwrap() {
        let item =
            json!({"stereotype": pair["stereotype"], "anti-stereotype": pair["anti_stereotype"]});
        writeln!(pairs, "{item}").unwrap();
    }
    std::fs::write(directory.join("pairs.jsonl"), pairs).unwrap();
    let command = [
        "run",
        "crows-pairs",
        "--data",
        "pairs.jsonl",
        "--estimate",
        "published",
        "--model",
        &model,
        "--format",
        "json",
    ];
    let (code, stdout, stderr) = run(&command, directory);
    assert_eq!(code, 0, "{stderr}");
    let rows = Rows::parse(&stdout);
    for (method, key) in [
        ("aul", "aul"),
        ("aula", "aula"),
        ("cps", "cps"),
        ("sss", "sss_formula"),
        ("sss-released", "sss_released_code"),
    ] {
        let unit = format!("method:{method}");
        let found = rows.value("reference_tiny_bert", &unit, "all", "pair_score");
        let wanted = expected["pair_bias_score"][key]["all_13_pairs"]
            .as_f64()
            .unwrap();
        assert!((found - wanted).abs() < 1e-9, "{method}: {found} {wanted}");
    }
    // A pair of equal sentences and one with an empty difference have no SSS.
    assert!(rows.value("reference_tiny_bert", "method:sss", "all", "no_likelihood") > 0.0);
}

/// The embedded model on the first pairs of CrowS-Pairs and StereoSet, with its own fill-in score, and
/// sentences it cannot read in the notes.
#[test]
fn pair_benchmarks_with_the_embedded_model() {
    let Some(folder) = shared("mbe/benchmarks") else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let data = |name: &str| folder.join(name).display().to_string();
    let crows_pairs = data("crows_pairs_gender.csv");
    let command = [
        "run",
        "crows-pairs",
        "--data",
        &crows_pairs,
        "--model",
        "demo:mlm",
        "--method",
        "aula,cps",
        "--limit",
        "12",
        "--format",
        "json",
    ];
    let rows = Rows::parse(&succeed(&command, directory));
    for unit in ["method:aula", "method:cps"] {
        let row = rows.row("demo:mlm", unit, "all", "pair_score");
        assert_eq!(row["n"], 12);
        let accuracy = rows.value("demo:mlm", unit, "all", "accuracy");
        assert!((0.0..=100.0).contains(&accuracy));
    }
    // A trained model guesses some masked words.
    assert!(rows.value("demo:mlm", "method:cps", "all", "accuracy") > 10.0);
    let stereoset = data("stereoset_dev_intrasentence_gender.jsonl");
    let command = [
        "run",
        "stereoset",
        "--data",
        &stereoset,
        "--model",
        "demo:mlm",
        "--method",
        "filled-blank",
        "--limit",
        "40",
        "--format",
        "json",
    ];
    let rows = Rows::parse(&succeed(&command, directory));
    for metric in ["lms", "ss", "icat"] {
        let value = rows.value("demo:mlm", "method:filled-blank", "all", metric);
        assert!((0.0..=100.0).contains(&value), "{metric} {value}");
    }
    assert_eq!(
        rows.value("demo:mlm", "method:filled-blank", "all", "no_likelihood"),
        0.0
    );
    // A trained model prefers what makes sense to what does not.
    assert!(rows.value("demo:mlm", "method:filled-blank", "all", "lms") > 50.0);

    let long = "she was tired and ".repeat(400);
    let sets =
        format!("gender\tline\ttext\nf\t1\t{long}\nf\t2\tshe\nm\t3\the left\nm\t4\t\u{200b}\n");
    std::fs::write(directory.join("sets.tsv"), sets).unwrap();
    let command = [
        "run", "mbe", "--data", "sets.tsv", "--model", "demo:mlm", "--format", "json",
    ];
    let (code, stdout, stderr) = run(&command, directory);
    assert_eq!(code, 0, "{stderr}");
    let rows = Rows::parse(&stdout);
    assert_eq!(rows.value("demo:mlm", "method:aula", "all", "cut"), 1.0);
    let table = succeed(&command[..6], directory);
    let note = "texts longer than the model reads, cut to its length: 1";
    assert!(table.contains(note), "{table}");
}
