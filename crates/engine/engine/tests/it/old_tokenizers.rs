//! Checkpoints without `tokenizer.json`: a thousand odd lines become the ids that `transformers` gives them, for every
//! kind of vocabulary.
//!
//! The files are made by `tools/reference/old_tokenizers.py`.

use std::fs;
use std::path::{Path, PathBuf};

use epicene_checkpoint::{CheckpointError, Config};
use epicene_io::digest::hex;
use epicene_tokenize::TextTokenizer;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

fn place() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old_tokenizers")
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The directory of a case as people have it.
fn directory(case: &Value) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, stored) in case["files"].as_object().unwrap() {
        let stored = place().join(stored.as_str().unwrap());
        fs::copy(stored, directory.path().join(name)).unwrap();
    }
    let settings = case["settings"].to_string();
    fs::write(directory.path().join("tokenizer_config.json"), settings).unwrap();
    directory
}

fn open(directory: &Path, model_type: &str) -> Result<TextTokenizer, CheckpointError> {
    let config = Config::parse(&json!({"model_type": model_type}).to_string()).unwrap();
    TextTokenizer::open(directory, &config, &[])
}

#[test]
fn odd_lines_become_the_same_tokens() {
    let lines: Vec<String> = serde_json::from_value(read(&place().join("lines.json"))).unwrap();
    assert_eq!(lines.len(), 1000);
    let mut cases: Vec<PathBuf> = fs::read_dir(place())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_str().unwrap().ends_with(".case.json"))
        .collect();
    cases.sort();
    assert!(cases.len() >= 34);
    let mut failures = Vec::new();
    for path in cases {
        let case = read(&path);
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let directory = directory(&case);
        let tokenizer = match open(directory.path(), case["model_type"].as_str().unwrap()) {
            Ok(tokenizer) => tokenizer,
            Err(error) => {
                failures.push(format!("{name}: {error}"));
                continue;
            }
        };
        let hashes = case["hashes"].as_str().unwrap();
        let mut wrong = 0;
        for (number, line) in lines.iter().enumerate() {
            let ids = tokenizer.encode(line).unwrap();
            let text: Vec<String> = ids.iter().map(u32::to_string).collect();
            let found = hex(&Sha256::digest(text.join(" ")));
            if found[..8] != hashes[8 * number..8 * number + 8] {
                wrong += 1;
                if wrong <= 3 {
                    failures.push(format!("{name} {number}: {line:?} becomes {ids:?}"));
                }
            }
        }
        for (number, ids) in case["first"].as_object().unwrap() {
            let line = &lines[number.parse::<usize>().unwrap()];
            let found = tokenizer.encode(line).unwrap();
            if json!(found) != *ids {
                failures.push(format!("{name} {number}: {line:?}: {found:?}, not {ids}"));
            }
        }
        if case["size"] != json!(tokenizer.size())
            || (!case["mask"].is_null() && case["mask"] != json!(tokenizer.mask()))
        {
            failures.push(format!(
                "{name}: {} {:?}",
                tokenizer.size(),
                tokenizer.mask()
            ));
        }
        println!("{name}: {wrong} of {} lines differ", lines.len());
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// `tokenizer_config.json` as versions 4 and 5 write it (`tools/reference/saved_settings.py`): nothing in it is refused.
#[test]
fn settings_that_either_version_writes_are_read() {
    let saved = read(&place().join("saved.json"));
    for version in ["four", "five"] {
        let entries = saved[version].as_array().unwrap();
        assert!(entries.len() >= 30, "{version}");
        for entry in entries {
            let mut case = entry.clone();
            case["settings"] = entry["saved"].clone();
            if case["settings"]["tokenizer_class"] == "TokenizersBackend" {
                // Without a class of its own it needs a tokenizer.json.
                continue;
            }
            let directory = directory(&case);
            let opened = open(directory.path(), entry["model_type"].as_str().unwrap());
            let name = &entry["name"];
            opened.unwrap_or_else(|error| panic!("{name}, {version}: {error}"));
        }
    }
}

/// mBART-50's `tokenizer.json` was written by version 4 from the model file beside it.
#[test]
fn mbart_50_is_read_from_its_model_file_as_from_tokenizer_json() {
    let lines: Vec<String> = serde_json::from_value(read(&place().join("lines.json"))).unwrap();
    let whole = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seq2seq/mbart50");
    let model_file = tempfile::tempdir().unwrap();
    for name in [
        "sentencepiece.bpe.model",
        "special_tokens_map.json",
        "tokenizer_config.json",
    ] {
        fs::copy(whole.join(name), model_file.path().join(name)).unwrap();
    }
    let (one, other) = (
        open(&whole, "mbart").unwrap(),
        open(model_file.path(), "mbart").unwrap(),
    );
    for line in lines {
        assert_eq!(
            one.encode(&line).unwrap(),
            other.encode(&line).unwrap(),
            "{line:?}"
        );
    }
}

#[test]
fn what_is_missing_is_named() {
    let empty = tempfile::tempdir().unwrap();
    for (model_type, wanted) in [
        ("bert", "no tokenizer.json, and no vocab.txt"),
        (
            "gpt2",
            "no tokenizer.json, and no vocab.json and merges.txt",
        ),
        ("albert", "no tokenizer.json, and no spiece.model"),
        ("something", "no tokenizer.json"),
    ] {
        let error = open(empty.path(), model_type).unwrap_err().to_string();
        assert!(error.ends_with(wanted), "{error}");
    }
}

#[test]
fn classes_that_are_not_read_are_named() {
    let place = tempfile::tempdir().unwrap();
    let settings = json!({"tokenizer_class": "XLNetTokenizer"}).to_string();
    fs::write(place.path().join("tokenizer_config.json"), settings).unwrap();
    fs::write(place.path().join("spiece.model"), "x").unwrap();
    let error = open(place.path(), "bert").unwrap_err().to_string();
    for part in ["XLNetTokenizer", "CodeLlama", "openai:", "fast tokenizer"] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn broken_vocabularies_are_named() {
    let refusal = |model_type: &str, files: &[(&str, &[u8])]| {
        let place = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            fs::write(place.path().join(name), bytes).unwrap();
        }
        let error = open(place.path(), model_type).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
        error
    };
    let text = b"[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n";
    for (wanted, model_type, files) in [
        (
            "vocab.txt: not a tokenizer: not UTF-8",
            "bert",
            vec![("vocab.txt", &b"\xff\xfe"[..])],
        ),
        (
            "with tokens that occur twice",
            "bert",
            vec![("vocab.txt", &b"a\na\n[UNK]\n"[..])],
        ),
        (
            "has number 9, but would get 6",
            "bert",
            vec![
                ("vocab.txt", &text[..]),
                ("added_tokens.json", &b"{\"x\": 9}"[..]),
            ],
        ),
        (
            "`x` has no number",
            "bert",
            vec![
                ("vocab.txt", &text[..]),
                ("added_tokens.json", &b"{\"x\": \"y\"}"[..]),
            ],
        ),
        (
            "vocab.json: not a tokenizer",
            "gpt2",
            vec![
                ("vocab.json", &b"[]"[..]),
                ("merges.txt", &b"#version\n"[..]),
            ],
        ),
        (
            "`a b c` is no pair",
            "gpt2",
            vec![
                ("vocab.json", &b"{\"a\": 0}"[..]),
                ("merges.txt", &b"#version\na b c\n"[..]),
            ],
        ),
        (
            "not a tokenizer",
            "gpt2",
            vec![
                ("vocab.json", &b"{\"a\": 0}"[..]),
                ("merges.txt", &b"#version\na b\n"[..]),
            ],
        ),
        (
            "spiece.model: not a tokenizer",
            "albert",
            vec![("spiece.model", &b"x"[..])],
        ),
    ] {
        let message = refusal(model_type, &files);
        assert!(message.contains(wanted), "{wanted}: {message}");
    }
}
