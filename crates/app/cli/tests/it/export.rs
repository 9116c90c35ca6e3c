//! Results in the layouts of other tools, and filled templates. The judge of the layouts is `.ci/python`; here stand the
//! worked examples, the refusals, and that the same export gives the same bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use epicene_bench::Instead;
use serde_json::Value;

use crate::support::{edit_manifest, epicene, refuse, run, shared, succeed};

const WHO: [&str; 4] = ["--organization", "Example Org", "--relationship", "other"];

/// A demo run of GEST.
fn demo(path: &Path) {
    let command = "run gest --model demo:mlm --data epicene-mini --bootstrap 50 --out r";
    succeed(&command.split(' ').collect::<Vec<_>>(), path);
}

/// Every file below a folder by its path.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

fn export(arguments: &[&str], directory: &Path) -> BTreeMap<String, String> {
    let out = tempfile::tempdir().unwrap();
    let target = out.path().join("out");
    let done = epicene()
        .arg("export")
        .args(arguments)
        .arg("-o")
        .arg(&target)
        .current_dir(directory)
        .env("SOURCE_DATE_EPOCH", "1795000000")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{arguments:?}: {said}");
    files(&target)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn example(part: &str) -> Option<PathBuf> {
    Some(shared("interchange")?.join("examples").join(part))
}

#[test]
fn the_worked_example_of_every_eval_ever_is_exported_byte_for_byte() {
    let Some(examples) = example("") else { return };
    let arguments = [&["gest-run", "--to", "eee"][..], &WHO].concat();
    let found = export(&arguments, &examples);
    let (name, text) = found.first_key_value().unwrap();
    let expected = std::fs::read_to_string(examples.join("eee").join(name)).unwrap();
    assert_eq!(text, &expected, "{name}");
    assert_eq!(found.len(), 1);
}

#[test]
fn an_archived_run_of_translations_is_exported_as_the_example() {
    let Some(examples) = example("") else { return };
    let url = "https://github.com/gabrielStanovsky/mt_gender";
    let common = [
        "winomt-run",
        "--model-id",
        "google=google/translate-2019",
        "--source-url",
        url,
        "--to",
    ];
    let who = [
        "eee",
        "--organization",
        "Example Org",
        "--relationship",
        "third_party",
    ];
    let found = export(&[&common[..], &who].concat(), &examples);
    let (name, text) = found.first_key_value().unwrap();
    let mut expected = json(&std::fs::read_to_string(examples.join("eee").join(name)).unwrap());
    // The archive has no answers; `epicene-report` tests their lines.
    expected
        .as_object_mut()
        .unwrap()
        .remove("detailed_evaluation_results")
        .unwrap();
    assert_eq!(json(text), expected, "{name}");

    let when = ["lm-eval", "--date", "2026-11-17T21:00:00"];
    let found = export(&[&common[..], &when].concat(), &examples);
    let (name, text) = found.first_key_value().unwrap();
    let mut expected = json(&std::fs::read_to_string(examples.join("lm_eval").join(name)).unwrap());
    expected["task_hashes"] = json("{}");
    assert_eq!(json(text), expected, "{name}");
}

#[test]
fn a_second_export_is_byte_identical() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    demo(path);
    for to in ["eee", "model-index", "lm-eval"] {
        let mut arguments = vec!["r", "--to", to];
        if to == "eee" {
            arguments.extend(WHO);
        }
        if to != "model-index" {
            arguments.push("--allow-partial");
        }
        let first = export(&arguments, path);
        assert!(!first.is_empty());
        assert_eq!(first, export(&arguments, path), "{to}");
    }
}

/// gest has targets alone: each leaves as its distance with the image of its interval.
#[test]
fn targets_leave_as_distances() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    demo(path);
    let measures = json(&std::fs::read_to_string(path.join("r/measures.json")).unwrap());
    let found = export(&[&["r", "--to", "eee"][..], &WHO].concat(), path);
    let log = json(found.values().next().unwrap());
    let results = log["evaluation_results"].as_array().unwrap();
    let rows = measures["rows"].as_array().unwrap();
    let with_ideal = rows
        .iter()
        .filter(|row| !row["ideal"].is_null() && row["system"] == "demo:mlm");
    assert_eq!(results.len(), with_ideal.count());
    for result in results {
        let details = &result["score_details"]["details"];
        let number = |key: &str| details[key].as_str().unwrap().parse::<f64>().unwrap();
        let (value, low, high) = (number("value"), number("low"), number("high"));
        assert!(
            (result["score_details"]["score"].as_f64().unwrap() - (value - 1.0).abs()).abs()
                < 1e-15
        );
        let interval = &result["score_details"]["uncertainty"]["confidence_interval"];
        let ends = [(low - 1.0).abs(), (high - 1.0).abs()];
        let lower = if low <= 1.0 && 1.0 <= high {
            0.0
        } else {
            ends[0].min(ends[1])
        };
        assert_eq!(interval["lower"].as_f64(), Some(lower));
        assert_eq!(interval["upper"].as_f64(), Some(ends[0].max(ends[1])));
        assert_eq!(result["metric_config"]["lower_is_better"], true);
        assert_eq!(result["metric_config"]["max_score"], "Infinity");
    }
    // The values beside them are marked, and rows without an ideal value leave only when asked for.
    let raw = export(&[&["r", "--to", "eee", "--raw"][..], &WHO].concat(), path);
    let raw = json(raw.values().next().unwrap());
    assert_eq!(
        raw["evaluation_results"].as_array().unwrap().len(),
        2 * results.len()
    );
    let all = export(&[&["r", "--to", "eee", "--all"][..], &WHO].concat(), path);
    let all = json(all.values().next().unwrap());
    let all = all["evaluation_results"].as_array().unwrap();
    assert!(all.len() > results.len());
    let ids: std::collections::BTreeSet<String> = all
        .iter()
        .map(|result| result["evaluation_result_id"].to_string())
        .collect();
    assert_eq!(ids.len(), all.len());
}

#[test]
fn what_is_missing_is_named_by_its_option() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    demo(path);
    let write = |name: &str, text: &str| std::fs::write(path.join(name), text).unwrap();
    let cell = |row: usize, column: usize| ((row * 7 + column * 3) % 11) as f64 / 10.0 - 0.5;
    let line = |row| {
        (0..4)
            .map(|column| cell(row, column).to_string())
            .collect::<Vec<_>>()
    };
    let scores: String = (0..384).map(|row| line(row).join(",") + "\n").collect();
    write(
        "s.csv",
        &format!("m_template-0,m_template-1,m_template-2,m_template-3\n{scores}"),
    );
    let words = |command: &str| command.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let refused = |command: &str| {
        let words = words(command);
        refuse(&words.iter().map(String::as_str).collect::<Vec<_>>(), path)
    };
    succeed(
        &[
            "run",
            "gest",
            "--model",
            "file:s.csv",
            "--data",
            "epicene-mini",
            "--bootstrap",
            "50",
            "--out",
            "f",
        ],
        path,
    );
    succeed(
        &[
            "run",
            "gest",
            "--model",
            "random:1",
            "--data",
            "epicene-mini",
            "--bootstrap",
            "50",
            "--out",
            "n",
        ],
        path,
    );
    for (command, wanted) in [
        (
            "export r --to eee -o out --relationship other",
            "pass --organization",
        ),
        (
            "export r --to eee -o out --organization X",
            "pass --relationship",
        ),
        (
            "export r --to eee -o out --organization X --relationship self",
            "third_party",
        ),
        (
            "export r --to eee --organization X --relationship other",
            "pass -o DIR",
        ),
        (
            "export f --to eee -o out --organization X --relationship other",
            "pass --model-id m=ORG/NAME",
        ),
        (
            "export f --to model-index --model-id m=name",
            "`name` is not ORG/NAME",
        ),
        (
            "export f --to model-index --model-id other=a/b",
            "systems: m",
        ),
        ("export n --to model-index", "baselines alone"),
        ("export r --to hf -o out", "pass --dataset"),
        ("export r --to hf -o out --dataset a/b", "pass --task"),
        (
            "export r --to hf -o out --dataset a/b --task t",
            "pass --to model-index",
        ),
        ("export r --to csv -o out", "eee, hf, model-index, lm-eval"),
        ("export r --to model-index --date yesterday", "2026-11-17"),
        (
            "export r --to model-index --samples",
            "--to eee and --to lm-eval",
        ),
        (
            "export r --to model-index --metric nothing",
            "nothing to export for demo:mlm (nothing)",
        ),
        ("export nowhere --to model-index", "is not a run directory"),
        (
            "export r --to eee --samples -o out --organization X --relationship other",
            "no right answers",
        ),
        ("report r --template poem", "model-card, audit"),
        ("report r --template audit -o x.csv", "use .md or .html"),
        (
            "report r --template model-card --baseline f",
            "--template audit",
        ),
    ] {
        let said = refused(command);
        assert!(said.contains(wanted), "{command}: {said}");
        assert!(!path.join("out").exists(), "{command}");
    }
    // What is there is not replaced.
    let eee = "export r --to eee -o out --organization X --relationship other";
    succeed(
        &words(eee).iter().map(String::as_str).collect::<Vec<_>>(),
        path,
    );
    assert!(refused(eee).contains("pass --force"));
    let forced = format!("{eee} --force");
    succeed(
        &words(&forced)
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>(),
        path,
    );
}

/// One file for each run and model; baselines beside a model are left out, and a note says so.
#[test]
fn several_runs_leave_in_one_export() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    demo(path);
    let second = "run winobias --model demo:mlm --model random:1 --data epicene-winograd --out w";
    succeed(&second.split(' ').collect::<Vec<_>>(), path);
    let layouts = [
        (
            "eee",
            &WHO[..],
            ["data/epicene-gest/", "data/epicene-winobias/"],
        ),
        (
            "lm-eval",
            &["--date", "2026-11-17"],
            [
                "demo__mlm/results_2026-11-17T00-00-00.000000.json",
                "demo__mlm/results_2026-11-17T00-00-00.000001.json",
            ],
        ),
    ];
    for (to, more, wanted) in layouts {
        let arguments = [&["export", "r", "w", "--to", to, "-o", to][..], more].concat();
        let (code, _, stderr) = run(&arguments, path);
        assert_eq!(code, 0, "{stderr}");
        assert!(
            stderr.contains("left out: random:1: a baseline, not a model"),
            "{stderr}"
        );
        let found = files(&path.join(to));
        assert_eq!(found.len(), 2, "{:?}", found.keys());
        for (name, wanted) in found.keys().zip(wanted) {
            assert!(name.starts_with(wanted), "{name}");
        }
    }
}

#[test]
fn measures_that_are_not_of_the_run_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    demo(path);
    let stored = path.join("r/measures.json");
    let text = std::fs::read_to_string(&stored).unwrap();
    let export = ["export", "r", "--to", "model-index"];
    let g_s = json(&text)["rows"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["metric"] == "g_s" && row["unit"] == "all")
        .unwrap()["value"]
        .to_string();
    for (changed, wanted) in [
        (
            text.replace(&g_s, "1.0"),
            "is not what the answers of the run give",
        ),
        (
            text.replace("gest|data:", "gest|data:other"),
            "is not of this run",
        ),
        (text[..text.len() / 2].to_owned(), "measures.json"),
    ] {
        std::fs::write(&stored, changed).unwrap();
        let said = refuse(&export, path);
        assert!(said.contains(wanted), "{said}");
    }
    // Without measures a report makes them.
    std::fs::remove_file(&stored).unwrap();
    assert!(refuse(&export, path).contains("epicene report r"));
    succeed(&["report", "r"], path);
    assert_eq!(std::fs::read_to_string(&stored).unwrap(), text);
    succeed(&export, path);
    // A newer layout is refused with both numbers.
    edit_manifest(&path.join("r"), |manifest| manifest["format"] = 99.into());
    let said = refuse(&export, path);
    assert!(
        said.contains("run format 99") && said.contains("reads 3"),
        "{said}"
    );
}

#[test]
fn sentences_leave_only_if_their_licence_allows_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    std::fs::write(
        path.join("d.csv"),
        "sentence,stereotype\nI am tired.,1\nI am strong.,10\n",
    )
    .unwrap();
    let run = "run gest --model demo:mlm --data d.csv --bootstrap 50 --out r";
    succeed(&run.split(' ').collect::<Vec<_>>(), path);
    let samples = ["export", "r", "--to", "lm-eval", "--samples", "-o", "out"];
    let said = refuse(&samples, path);
    assert!(
        said.contains("licence of gest custom is not known"),
        "{said}"
    );
    let closed = [&samples[..], &["--data-licence", "CC-BY-NC-4.0"]].concat();
    let said = refuse(&closed, path);
    assert!(
        said.contains("does not allow publishing its sentences"),
        "{said}"
    );
    assert!(said.contains("leave out --samples"), "{said}");
    let open = [&samples[..], &["--data-licence", "CC-BY-4.0"]].concat();
    succeed(&open, path);
    let found = files(&path.join("out"));
    let lines = found
        .iter()
        .find(|(name, _)| name.contains("samples_epicene_gest_template_1_"));
    let (_, lines) = lines.unwrap();
    assert_eq!(lines.lines().count(), 2);
    let first = json(lines.lines().next().unwrap());
    assert_eq!(first["doc"]["text"], "I am tired.");
    assert!(first["log10_ratio"].is_number(), "{first}");
}

#[test]
fn incomplete_runs_leave_only_on_request() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    succeed(
        &[
            "export-questions",
            "gest",
            "--kind",
            "masked",
            "--data",
            "epicene-mini",
            "--out",
            "r",
        ],
        path,
    );
    let asked = succeed(&["export-questions", "--rest", "r"], path);
    let mut lines = asked.lines();
    let mut told = format!("{}\n", lines.next().unwrap());
    for line in lines.take(800) {
        let id = json(line)["id"].clone();
        told += &format!("{{\"id\":{id},\"answer\":0.25}}\n");
    }
    std::fs::write(path.join("a.jsonl"), told).unwrap();
    succeed(&["import-answers", "r", "a.jsonl", "--system", "m"], path);
    succeed(&["report", "r"], path);
    let export = ["export", "r", "--to", "lm-eval", "-o", "out"];
    let said = refuse(&export, path);
    assert!(
        said.contains("incomplete: 800 of 1536") && said.contains("--allow-partial"),
        "{said}"
    );
    succeed(&[&export[..], &["--allow-partial"]].concat(), path);
}

/// A template without what differs between machines and minutes.
fn settled(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let moving = [
            "| Started |",
            "| Finished |",
            "| Host |",
            "| SHA-256 of the manifest |",
        ];
        let line = match moving.iter().find(|start| line.starts_with(**start)) {
            Some(start) => format!("{start} … |"),
            None => line.replace(env!("CARGO_PKG_VERSION"), "VERSION"),
        };
        let line = match line.split_once("; from ") {
            Some((before, after)) => {
                let after = after.split_once("; ").map_or("", |(_, after)| after);
                format!("{before}; from … to …; {after}")
            }
            None => line,
        };
        out += line.trim_end();
        out.push('\n');
    }
    out
}

#[test]
fn templates_are_filled_from_the_run() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    demo(path);
    for (template, left) in [("model-card", 1), ("audit", 11)] {
        let text = succeed(&["report", "r", "--template", template], path);
        assert!(text.starts_with("Produced by epicene "), "{text}");
        assert!(
            text.lines()
                .next()
                .unwrap()
                .ends_with("; not legal advice, not a certificate.")
        );
        let open = text
            .lines()
            .filter(|line| line.starts_with("TO FILL: "))
            .count();
        assert_eq!(open, left, "{text}");
        for empty in ["|  |", "**.**", ": .", "()"] {
            assert!(
                !text.contains(empty),
                "{template} has an empty field `{empty}`"
            );
        }
        insta::assert_snapshot!(format!("template_{template}"), settled(&text));
        let (code, _, _) = run(&["report", "r", "--template", template, "--strict"], path);
        assert_eq!(code, 1);
        let page = format!("{template}.html");
        succeed(&["report", "r", "--template", template, "-o", &page], path);
        let html = std::fs::read_to_string(path.join(page)).unwrap();
        assert!(html.contains("default-src 'none'") && html.contains("TO FILL: "));
        assert!(!html.contains("<script"));
    }
}

/// A translator has what a language model has not: verdicts, answers without one, and rates for each gender.
#[test]
fn an_audit_file_of_a_translator_has_rates_for_each_gender() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let asked = "export-questions winomt --kind mt --data epicene-winograd --lang de";
    let asked = succeed(&asked.split(' ').collect::<Vec<_>>(), path);
    let told = [
        "Die Ärztin half dem Lehrer.",
        "Der Arzt half der Lehrerin.",
        "Der Arzt half dem Lehrer.",
    ];
    let lines = asked.lines().skip(1).zip(told.iter().cycle());
    let lines: String = lines.map(|(_, line)| format!("{line}\n")).collect();
    std::fs::write(path.join("t.txt"), lines).unwrap();
    let run = "run winomt --mt mine=file:t.txt --data epicene-winograd --lang de --out t";
    succeed(&run.split(' ').collect::<Vec<_>>(), path);
    let text = succeed(&["report", "t", "--template", "audit"], path);
    assert!(text.contains("| Ratio (smaller / larger) |"), "{text}");
    for empty in ["|  |", "**.**", ": .", "()"] {
        assert!(!text.contains(empty), "an empty field `{empty}`: {text}");
    }
    for wanted in [
        "`recall` |",
        "(gold:male): `unknown` ",
        "(gold:female): `unknown` ",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(!text.contains("(occupation:"), "{text}");
}

#[test]
fn an_audit_file_has_its_check_its_warnings_and_the_earlier_run() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    demo(path);
    let before = "run gest --model demo:mlm --data epicene-mini --bootstrap 50 --out before";
    succeed(&before.split(' ').collect::<Vec<_>>(), path);
    let audit = [
        "report",
        "r",
        "--template",
        "audit",
        "--baseline",
        "before",
        "--fail-if",
    ];
    let (code, text, _) = run(&[&audit[..], &["g_s[all]>0.5"]].concat(), path);
    assert_eq!(code, 1);
    assert!(text.contains("The check `g_s[all]>0.5` fails."), "{text}");
    assert!(text.contains("Compared with the run `before`"), "{text}");
    assert!(text.contains("`delta_g_s`"), "{text}");
    assert!(
        text.contains("This is not a Local Law 144 bias audit"),
        "{text}"
    );
    let told = json(&std::fs::read_to_string(path.join("r/measures.json")).unwrap());
    for warning in told["warnings"].as_array().into_iter().flatten() {
        assert!(text.contains(warning.as_str().unwrap()), "{warning}");
    }
    let (code, text, _) = run(&[&audit[..], &["g_s[all]>9"]].concat(), path);
    assert_eq!(code, 0);
    assert!(text.contains("The check `g_s[all]>9` passes."), "{text}");
}

#[test]
fn verify_says_when_where_and_how_complete() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    demo(path);
    let said = succeed(&["verify", "r"], path);
    for wanted in [
        "1,536 answers intact and complete",
        "finished ",
        std::env::consts::ARCH,
        "core",
    ] {
        assert!(said.contains(wanted), "{said}");
    }
}

/// What a JSON Schema of draft 7 says against a value, for the words that the schema of Every Eval Ever uses. `.ci/python`
/// asks jsonschema the same.
fn violations(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.strip_prefix('#').unwrap()).unwrap();
        return violations(root, target, value, at, found);
    }
    let fits = |schema: &Value| {
        let mut own = Vec::new();
        violations(root, schema, value, at, &mut own);
        own.is_empty()
    };
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        other => panic!("type {other}"),
    };
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !kinds.is_empty() && !kinds.iter().any(|kind| is(kind)) {
        found.push(format!("{at}: {value} is not {kinds:?}"));
        return;
    }
    if let Some(known) = schema["enum"].as_array()
        && !known.contains(value)
    {
        found.push(format!("{at}: {value} is none of {known:?}"));
    }
    if schema.get("const").is_some_and(|only| only != value) {
        found.push(format!("{at}: {value} is not {}", schema["const"]));
    }
    if let Some(all) = schema["oneOf"].as_array()
        && all.iter().filter(|one| fits(one)).count() != 1
    {
        found.push(format!("{at}: {value} fits not exactly one of oneOf"));
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        violations(root, part, value, at, found);
    }
    if let Some(condition) = schema.get("if") {
        let branch = if fits(condition) { "then" } else { "else" };
        if let Some(branch) = schema.get(branch) {
            violations(root, branch, value, at, found);
        }
    }
    if let Some(object) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten() {
            if !object.contains_key(name.as_str().unwrap()) {
                found.push(format!("{at}: no {name}"));
            }
        }
        for (key, value) in object {
            match (
                schema["properties"].get(key),
                schema.get("additionalProperties"),
            ) {
                (Some(own), _) => violations(root, own, value, &format!("{at}.{key}"), found),
                (None, Some(Value::Bool(false))) => found.push(format!("{at}: {key} is unknown")),
                (None, Some(others)) if others.is_object() => {
                    violations(root, others, value, &format!("{at}.{key}"), found);
                }
                _ => {}
            }
        }
    }
    if let Some(values) = value.as_array() {
        for (index, value) in values.iter().enumerate() {
            if let Some(items) = schema.get("items") {
                violations(root, items, value, &format!("{at}[{index}]"), found);
            }
        }
    }
}

fn problems(schema: &Value, log: &Value) -> Vec<String> {
    let mut found = Vec::new();
    violations(schema, schema, log, "$", &mut found);
    for result in log["evaluation_results"].as_array().into_iter().flatten() {
        let config = &result["metric_config"];
        let bound = |value: &Value| match value.as_str() {
            Some("Infinity") => f64::INFINITY,
            Some("-Infinity") => f64::NEG_INFINITY,
            _ => value.as_f64().unwrap_or(f64::NAN),
        };
        let score = result["score_details"]["score"]
            .as_f64()
            .unwrap_or(f64::NAN);
        if !(bound(&config["min_score"])..=bound(&config["max_score"])).contains(&score) {
            found.push(format!("{}: score outside bounds", config["metric_id"]));
        }
    }
    found
}

/// An archive of every benchmark with each of its metrics at both bounds and at its ideal value.
#[test]
fn the_metrics_of_every_benchmark_pass_the_schema() {
    let Some(folder) = shared("interchange") else {
        return;
    };
    let schema = json(&std::fs::read_to_string(folder.join("eval.schema.json")).unwrap());
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let template = folder.join("examples/winomt-run/manifest.json");
    let template = json(&std::fs::read_to_string(template).unwrap());
    // A run of one's own questions is a run of the benchmark whose measure it takes.
    let measured = epicene_bench::ALL.iter().map(|benchmark| benchmark.card());
    for card in measured.filter(|card| !card.turns(Instead::BySpec)) {
        let run = path.join(card.name);
        std::fs::create_dir(&run).unwrap();
        let mut manifest = template.clone();
        manifest["benchmark"] = card.name.into();
        std::fs::write(run.join("manifest.json"), manifest.to_string()).unwrap();
        let mut rows = Vec::new();
        for metric in card.metrics.iter().filter(|metric| metric.range.is_some()) {
            let range = metric.range.unwrap();
            let high = range.max.min(range.min + 1000.0);
            let ideal = metric.ideal.unwrap();
            for (group, value) in [("all", ideal), ("low", range.min), ("high", high)] {
                rows.push(serde_json::json!({
                    "benchmark": card.name, "system": "google", "unit": "all", "group": group,
                    "metric": metric.symbol, "value": value, "low": range.min, "high": high,
                    "n": 12, "ideal": ideal,
                }));
            }
        }
        assert!(!rows.is_empty(), "{}", card.name);
        let signature = format!("{}|data:winomt-custom@250615b6cfee|interval:x", card.name);
        let measures = serde_json::json!({ "signature": signature, "rows": rows });
        std::fs::write(run.join("measures.json"), measures.to_string()).unwrap();
        let arguments = [
            card.name,
            "--to",
            "eee",
            "--raw",
            "--model-id",
            "google=a/b",
        ];
        let found = export(&[&arguments[..], &WHO].concat(), path);
        let log = json(found.values().next().unwrap());
        assert_eq!(
            problems(&schema, &log),
            Vec::<String>::new(),
            "{}",
            card.name
        );
        for result in log["evaluation_results"].as_array().unwrap() {
            let direction = &result["metric_config"]["additional_details"]["direction"];
            let lower = result["metric_config"]["lower_is_better"]
                .as_bool()
                .unwrap();
            let name = result["metric_config"]["metric_id"].as_str().unwrap();
            let expected = direction == "lower" || name.ends_with(".distance");
            assert_eq!(lower, expected, "{result}");
        }
    }
}

#[test]
fn broken_records_are_rejected() {
    let Some(folder) = shared("interchange") else {
        return;
    };
    let schema = json(&std::fs::read_to_string(folder.join("eval.schema.json")).unwrap());
    let found = export(
        &[&["gest-run", "--to", "eee"][..], &WHO].concat(),
        &folder.join("examples"),
    );
    let whole = json(found.values().next().unwrap());
    assert_eq!(problems(&schema, &whole), Vec::<String>::new());
    let first = "/evaluation_results/0";
    let broken: [(&str, &str, Option<Value>); 8] = [
        ("/score_details", "score", Some((-0.5).into())),
        ("/model_info/additional_details", "deployment_type", None),
        ("", "eval_library", None),
        ("", "surprise", Some(1.into())),
        ("/metric_config", "max_score", None),
        ("/score_details/details", "n", Some(384.into())),
        ("/metric_config", "lower_is_better", None),
        (
            "/source_metadata",
            "evaluator_relationship",
            Some("self".into()),
        ),
    ];
    for (place, key, value) in broken {
        let mut log = whole.clone();
        let own = format!("{first}{place}");
        let place = if log.pointer(&own).is_some() && !place.is_empty() {
            own
        } else {
            place.to_owned()
        };
        let object = log.pointer_mut(&place).unwrap().as_object_mut().unwrap();
        match value {
            Some(value) => object.insert(key.to_owned(), value),
            None => object.remove(key),
        };
        assert_ne!(log, whole, "{key}");
        assert!(!problems(&schema, &log).is_empty(), "{key}");
    }
}
