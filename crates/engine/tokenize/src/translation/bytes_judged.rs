//! Characters that become bytes, and bytes that become text, against two generations of `transformers`: translators and causal models. The
//! files are made by `tools/reference/byte_fallback.py`; it describes their content.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::judged::{differing, read, tests};
use super::{Files, TranslationTokenizer};
use crate::text::TextTokenizer;
use epicene_checkpoint::{CheckpointError, Config};

/// Changes as the script makes them: models get more pieces, all else is put in place of what was there.
fn change(state: &mut Value, changes: &Value) {
    for (key, new) in changes.as_object().unwrap() {
        match (key.as_str(), &mut state[key], new) {
            ("model", old, new) => change(old, new),
            ("vocab", Value::Array(old), Value::Array(new)) => old.extend(new.clone()),
            ("vocab", Value::Object(old), Value::Object(new)) => old.extend(new.clone()),
            (_, old, new) => *old = new.clone(),
        }
    }
}

/// Writes the files of a case; its configuration comes back.
fn make(case: &Value, version: &str, place: &Path) -> Config {
    let mut config = case["config"].clone();
    if let Some(base) = case["base"].as_str() {
        let base = tests().join(base);
        config = read(&base.join("config.json"));
        for entry in fs::read_dir(&base).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap();
            if !name.to_str().unwrap().contains("safetensors") {
                fs::copy(&path, place.join(name)).unwrap();
            }
        }
    }
    let entries = |part: &str| case[part].as_object().cloned().unwrap_or_default();
    for (file, source) in entries("copies") {
        fs::copy(tests().join(source.as_str().unwrap()), place.join(file)).unwrap();
    }
    for (file, content) in entries("files") {
        let path = place.join(file);
        match content {
            Value::Null if !path.exists() => {}
            Value::Null => fs::remove_file(path).unwrap(),
            content => fs::write(path, content.to_string()).unwrap(),
        }
    }
    for (file, changes) in entries("changes") {
        let path = place.join(file);
        let mut state = read(&path);
        change(&mut state, &changes);
        fs::write(path, state.to_string()).unwrap();
    }
    config["transformers_version"] = json!(version);
    Config::parse(&config.to_string()).unwrap()
}

/// Ids of the lines and texts of the lists.
fn answers(
    case: &Value,
    version: &str,
    drawn: &Value,
) -> Result<(Vec<String>, Vec<String>, Config), CheckpointError> {
    let place = tempfile::tempdir().unwrap();
    let config = make(case, version, place.path());
    let lines = drawn["lines"].as_array().unwrap().iter();
    let lines = lines.map(|line| line.as_str().unwrap());
    let spelled = |item: &Value| match item.as_u64() {
        Some(byte) => format!("<0x{byte:02X}>"),
        None => item.as_str().unwrap().to_owned(),
    };
    let lists = drawn["lists"].as_array().unwrap().iter();
    let lists = lists.map(|list| list.as_array().unwrap().iter().map(spelled));
    let numbers = |ids: Vec<u32>| {
        let ids: Vec<String> = ids.iter().map(u32::to_string).collect();
        ids.join(" ")
    };
    let (ids, texts) = if case["kind"] == "causal" {
        let tokenizer = TextTokenizer::open(place.path(), &config, &[])?;
        let ids = lines.map(|line| numbers(tokenizer.encode(line).unwrap()));
        let texts = lists.map(|list| {
            let ids: Vec<u32> = list.filter_map(|piece| tokenizer.id_of(&piece)).collect();
            tokenizer.decode_plain(&ids).unwrap()
        });
        (ids.collect(), texts.collect())
    } else {
        let tokenizer = TranslationTokenizer::open(Files(place.path()), &config, "it", &[])?;
        let request = tokenizer.scheme.request("en", "de", tokenizer.end).unwrap();
        let encode = |line: &str| tokenizer.encode(line, &request, usize::MAX).unwrap().ids;
        let texts = lists.map(|list| {
            let ids = list.filter_map(|piece| tokenizer.pieces.target_id(&piece));
            tokenizer.decode(&ids.collect::<Vec<_>>()).unwrap()
        });
        (
            lines.map(|line| numbers(encode(line))).collect(),
            texts.collect(),
        )
    };
    Ok((ids, texts, config))
}

#[test]
fn bytes_are_read_and_spelled_as_transformers_does() {
    let place = tests().join("byte_fallback");
    let drawn = read(&place.join("lists.json"));
    let mut cases: Vec<PathBuf> = fs::read_dir(&place)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().unwrap() == "json" && path.file_stem().unwrap() != "lists")
        .collect();
    cases.sort();
    assert!(cases.len() >= 20);
    let mut failures = Vec::new();
    for path in cases {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let case = read(&path);
        for (version, number) in [("four", "4.57.6"), ("five", "5.22.2")] {
            let judged = match &case[version] {
                Value::Null => continue,
                Value::String(other) => &case[other.as_str()],
                own => own,
            };
            let (ids, texts, config) = match answers(&case, number, &drawn) {
                Ok(answers) => answers,
                Err(error) => {
                    failures.push(format!("{name}, {version}: {error}"));
                    continue;
                }
            };
            for (place, wanted) in judged["hard"].as_array().unwrap().iter().enumerate() {
                if *wanted != json!(texts[place]) {
                    let list = &drawn["lists"][place];
                    failures.push(format!(
                        "{name}, {version}: {list}: {:?}, not {wanted}",
                        texts[place]
                    ));
                }
            }
            for (what, found) in [("ids", &ids), ("texts", &texts)] {
                let differing = differing(found, &judged[what]);
                if !differing.is_empty() {
                    failures.push(format!(
                        "{name}, {version}: {what} of the ten from {differing:?}"
                    ));
                }
            }
            // What the versions do not agree on is remarked.
            let agreed = case["five"].is_null() || case["five"] == "four";
            if !agreed && config.remarks().is_empty() {
                failures.push(format!("{name}, {version}: nothing is said"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
