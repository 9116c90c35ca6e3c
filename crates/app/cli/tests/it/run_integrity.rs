//! A run says what was asked and answered, or it is refused: manifests that were edited, runs that lost theirs, and
//! directories that are no run.

use std::fs;
use std::path::Path;

use crate::support::{edit_manifest, refuse, run, succeed};
use serde_json::Value;

const RUN: &str = "run gest --data epicene-mini --model random:1 --bootstrap 20 --out";

fn made(out: &str, here: &Path) {
    let words: Vec<&str> = RUN.split(' ').chain([out]).collect();
    succeed(&words, here);
}

fn commands<'a>(run: &'a str, other: &'a str) -> Vec<Vec<&'a str>> {
    vec![
        vec!["report", run],
        vec!["compare", run, other],
        vec!["items", run],
        vec!["plan", run],
        vec!["status", run],
        vec!["merge", run, other, "--out", "merged"],
    ]
}

/// Every value of a manifest, changed by itself.
fn edits(value: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    let mut paths = vec![String::new()];
    while let Some(path) = paths.pop() {
        let at = value.pointer(&path).unwrap();
        let names: Vec<String> = match at {
            Value::Object(fields) => fields.keys().cloned().collect(),
            Value::Array(values) => (0..values.len()).map(|place| place.to_string()).collect(),
            _ => Vec::new(),
        };
        paths.extend(names.iter().map(|name| format!("{path}/{name}")));
        let other = match at {
            Value::String(text) => Value::from(format!("{text}x")),
            Value::Number(number) => Value::from(number.as_u64().unwrap() + 1),
            Value::Bool(was) => Value::from(!was),
            Value::Null => Value::from("x"),
            _ => continue,
        };
        let mut changed = value.clone();
        *changed.pointer_mut(&path).unwrap() = other;
        found.push((path, changed));
    }
    found
}

#[test]
fn a_manifest_that_was_edited_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    made("r", here);
    let words: Vec<&str> = RUN.split(' ').chain(["o"]).collect();
    let words: Vec<&str> = words
        .into_iter()
        .map(|word| if word == "random:1" { "random:2" } else { word })
        .collect();
    succeed(&words, here);
    let path = here.join("r/manifest.json");
    let whole = fs::read_to_string(&path).unwrap();
    let value: Value = serde_json::from_str(&whole).unwrap();
    let edits = edits(&value);
    assert!(edits.len() > 20, "{}", edits.len());
    for (field, changed) in edits {
        fs::write(&path, changed.to_string()).unwrap();
        let error = refuse(&["report", "r"], here);
        let newer = field == "/format" && error.contains("newer epicene");
        let said = error.contains("manifest.json: was changed after it was written");
        assert!(said || newer, "{field}: {error}");
    }
    // Every command that reads a run looks; so does the run itself when it is continued.
    let edited = whole.replace("\"epicene-mini\"", "\"gest\"");
    assert_ne!(edited, whole);
    fs::write(&path, edited).unwrap();
    let again: Vec<&str> = RUN.split(' ').chain(["r"]).collect();
    for command in commands("r", "o").into_iter().chain([again]) {
        let error = refuse(&command, here);
        assert!(
            error.contains("was changed after it was written"),
            "{command:?}: {error}"
        );
    }
    // Without its checksum it is no older manifest.
    let mut bare = value.clone();
    bare.as_object_mut().unwrap().remove("sum");
    fs::write(&path, bare.to_string()).unwrap();
    refuse(&["report", "r"], here);
    // Other blanks are no other manifest.
    fs::write(&path, value.to_string()).unwrap();
    succeed(&["report", "r"], here);
}

/// Runs of 0.1 and 0.2 have no checksum; names of editions are still compared with the data themselves.
#[test]
fn data_that_are_not_what_the_manifest_says_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    made("r", here);
    made("o", here);
    let path = here.join("r/manifest.json");
    let whole = fs::read_to_string(&path).unwrap();
    let mut old: Value = serde_json::from_str(&whole).unwrap();
    old.as_object_mut().unwrap().remove("sum");
    old["format"] = 2.into();
    fs::write(&path, old.to_string()).unwrap();
    succeed(&["report", "r"], here);
    for (field, value) in [("sha256", "0".repeat(64)), ("name", "gest".to_owned())] {
        let mut edited = old.clone();
        edited["data"][field] = value.into();
        edited["data"]["version"] = match field {
            "name" => "1.0".into(),
            _ => "1".into(),
        };
        fs::write(&path, edited.to_string()).unwrap();
        for command in [vec!["report", "r"], vec!["compare", "r", "o"]] {
            let error = refuse(&command, here);
            assert!(
                error.contains("the manifest says that the data are"),
                "{error}"
            );
        }
    }
    // A checksum that was made to fit does not help.
    fs::write(&path, &whole).unwrap();
    edit_manifest(&here.join("r"), |manifest| {
        manifest["data"]["sha256"] = "1".repeat(64).into();
    });
    let error = refuse(&["report", "r"], here);
    assert!(
        error.contains("the manifest says that the data are epicene-mini 1"),
        "{error}"
    );
}

#[test]
fn a_run_that_lost_its_manifest_keeps_its_answers() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    for (out, log) in [("lines", "log.jsonl"), ("segments", "log")] {
        let words: Vec<&str> = RUN.split(' ').chain([out, "--log", out]).collect();
        succeed(&words, here);
        let folder = here.join(out);
        let manifest = fs::read(folder.join("manifest.json")).unwrap();
        fs::remove_file(folder.join("manifest.json")).unwrap();
        let listed = |path: &Path| fs::read_dir(path).unwrap().count();
        let before = listed(&folder);
        for fresh in [false, true] {
            let more = if fresh { &["--fresh"][..] } else { &[] };
            let error = refuse(&[&words[..], more].concat(), here);
            assert!(
                error.contains("holds answers but no manifest.json"),
                "{error}"
            );
            assert!(error.contains("restore manifest.json"), "{error}");
        }
        assert!(folder.join(log).exists());
        assert!(listed(&folder) >= before);
        fs::write(folder.join("manifest.json"), manifest).unwrap();
        let (code, _, said) = run(&words, here);
        assert!(
            code == 0 && said.contains("1536 of 1536 answers are there already"),
            "{said}"
        );
    }
}

/// Somebody else's files, also where they are called as ours are.
#[test]
fn a_directory_that_is_no_run_is_not_written_to() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    for (number, name) in [
        "notes.txt",
        "log.jsonl",
        "items.jsonl",
        "measures.json",
        "audit.json",
        "failures.jsonl",
        "verdicts.bin",
        "inputs/mine.csv",
        "links/0.align",
        "log/000001.jsonl",
        "log/mine.txt",
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("folder-{number}");
        let file = here.join(&out).join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "{\"precious\":true}\n").unwrap();
        for fresh in [false, true] {
            let words: Vec<&str> = RUN.split(' ').chain([out.as_str()]).collect();
            let more = if fresh { &["--fresh"][..] } else { &[] };
            let error = refuse(&[&words[..], more].concat(), here);
            assert!(error.contains("refusing to write"), "{name}: {error}");
            assert_eq!(
                fs::read_to_string(&file).unwrap(),
                "{\"precious\":true}\n",
                "{name}"
            );
        }
    }
    fs::create_dir(here.join("empty")).unwrap();
    made("empty", here);
}

#[test]
fn verify_says_what_a_run_is() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    made("r", here);
    let said = succeed(&["verify", "r"], here);
    assert!(
        said.starts_with("r: 1,536 answers intact and complete, data = epicene-mini 1 ("),
        "{said}"
    );
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        said.contains(", finished 20") && said.contains(&format!(" UTC, epicene {version}, ")),
        "{said}"
    );
    // A part of a run is intact, but not complete.
    let log = here.join("r/log.jsonl");
    let whole = fs::read_to_string(&log).unwrap();
    let half: String = whole
        .lines()
        .take(100)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(&log, half).unwrap();
    let (code, said, _) = run(&["verify", "r"], here);
    assert!(
        code == 1 && said.contains("100 of 1,536 answers, intact but not complete"),
        "{said}"
    );
    // Whatever was changed is found, by name.
    let (first, other) = ("\"item\":2", "\"item\":3");
    for (file, from, to) in [
        ("log.jsonl", first, other),
        ("items.jsonl", "I ", "We "),
        ("manifest.json", "\"seed\": 0", "\"seed\": 1"),
        ("times.json", "20", "19"),
    ] {
        let path = here.join("r").join(file);
        let text = if file == "log.jsonl" {
            whole.clone()
        } else {
            fs::read_to_string(&path).unwrap()
        };
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let error = refuse(&["verify", "r"], here);
        assert!(
            error.contains(file) && !error.contains("delete that line"),
            "{file}: {error}"
        );
        fs::write(&path, text).unwrap();
    }
    succeed(&["verify", "r"], here);
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs-0.1.0/winobias");
    let said = succeed(&["verify", old.to_str().unwrap()], here);
    assert!(
        said.contains("no times on record, epicene 0.1.0, ")
            && said.contains("manifest without a checksum"),
        "{said}"
    );
}

#[test]
fn a_wrong_path_names_the_runs_that_are_there() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    for command in ["report", "items", "verify", "status"] {
        let error = refuse(&[command, "nosuch"], here);
        assert!(error.contains("`nosuch` is not a run directory"), "{error}");
        assert!(error.contains("there are no runs here"), "{error}");
    }
    made("r", here);
    let error = refuse(&["report", "nosuch"], here);
    assert!(error.contains("hint: runs here: r"), "{error}");
}
