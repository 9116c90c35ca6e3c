//! Tokenizers of translation models against two generations of `transformers`: 1,400 odd lines become the same tokens, and tokens the same
//! texts. The files are made by `tools/reference/translator_tokenizers.py`; it describes their content.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Files, TranslationTokenizer};
use epicene_checkpoint::{CheckpointError, Config};

const SEED: u64 = 20_261_116;
const DRAWN: usize = 400;
/// Lines made for translators.
const OWN: usize = 400;

pub fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/tests")
}

pub fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// All lines, the last of them those made for translators.
fn lines() -> Vec<String> {
    let of = |folder: &str| -> Vec<String> {
        serde_json::from_value(read(&tests().join(folder).join("lines.json"))).unwrap()
    };
    let all = [of("old_tokenizers"), of("translators")].concat();
    assert_eq!(all.len(), 1400);
    all
}

/// Numbers as the script draws them.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> u32 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as u32
    }
}

/// A case as its owner has it, written by a version.
fn open(case: &Value, version: &str) -> Result<TranslationTokenizer, CheckpointError> {
    let base = tests().join("seq2seq").join(case["base"].as_str().unwrap());
    let place = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(&base).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, place.path().join(path.file_name().unwrap())).unwrap();
    }
    for (file, content) in case["files"].as_object().unwrap() {
        let path = place.path().join(file);
        match content {
            Value::Null => fs::remove_file(path).unwrap(),
            content => fs::write(path, content.to_string()).unwrap(),
        }
    }
    let mut config = read(&base.join("config.json"));
    config["transformers_version"] = json!(version);
    let config = Config::parse(&config.to_string()).unwrap();
    TranslationTokenizer::open(Files(place.path()), &config, "it", &[])
}

fn digests(entries: &[String]) -> Vec<String> {
    let blocks = entries.chunks(10).map(|block| block.join("\n"));
    blocks
        .map(|block| epicene_io::digest::hex(&Sha256::digest(block))[..8].to_owned())
        .collect()
}

/// Where blocks of ten differ from what is wanted.
pub fn differing(found: &[String], wanted: &Value) -> Vec<usize> {
    let wanted = wanted.as_str().unwrap();
    let found = digests(found);
    assert_eq!(8 * found.len(), wanted.len());
    let blocks = found.iter().enumerate();
    blocks
        .filter(|(block, digest)| wanted[8 * block..8 * block + 8] != ***digest)
        .map(|(block, _)| 10 * block)
        .collect()
}

fn compare(
    name: &str,
    version: &str,
    tokenizer: &TranslationTokenizer,
    judged: &Value,
    lines: &[String],
) -> Vec<String> {
    let request = tokenizer.scheme.request("en", "de", tokenizer.end).unwrap();
    let encode = |line: &String| tokenizer.encode(line, &request, usize::MAX).unwrap().ids;
    let ids: Vec<Vec<u32>> = lines.iter().map(encode).collect();
    let size = judged["size"].as_u64().unwrap() as usize;
    let mut lists: Vec<Vec<u32>> = ids.clone();
    lists
        .iter_mut()
        .for_each(|list| list.retain(|id| (*id as usize) < size));
    let mut draw = Draw(SEED);
    for _ in 0..DRAWN {
        let length = 1 + draw.below(16);
        lists.push((0..length).map(|_| draw.below(size)).collect());
    }
    let texts: Vec<String> = lists
        .iter()
        .map(|list| tokenizer.decode(list).unwrap())
        .collect();
    if let Some(place) = std::env::var_os("EPICENE_JUDGED") {
        let all = json!({"ids": ids, "texts": texts}).to_string();
        fs::write(
            Path::new(&place).join(format!("{name}.{version}.json")),
            all,
        )
        .unwrap();
    }
    let mut failures = Vec::new();
    for hard in judged["hard"].as_array().unwrap() {
        let line = lines.len() - OWN + hard["line"].as_u64().unwrap() as usize;
        if hard["ids"] != json!(ids[line]) || hard["text"] != json!(texts[line]) {
            let (ids, text) = (&ids[line], &texts[line]);
            failures.push(format!(
                "{name}, {version}: {:?}: {ids:?} {text:?}, not {hard}",
                lines[line]
            ));
        }
    }
    let numbers = |list: &Vec<u32>| {
        list.iter()
            .map(u32::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let ids: Vec<String> = ids.iter().map(numbers).collect();
    for (what, found, wanted) in [
        ("ids", &ids, &judged["ids"]),
        ("texts", &texts, &judged["texts"]),
    ] {
        let differing = differing(found, wanted);
        if !differing.is_empty() {
            failures.push(format!(
                "{name}, {version}: {what} of the ten lines from {differing:?}"
            ));
        }
    }
    failures
}

#[test]
fn lines_and_tokens_are_read_as_transformers_does() {
    let mut cases: Vec<PathBuf> = fs::read_dir(tests().join("translators"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap() != "lines.json")
        .collect();
    cases.sort();
    assert!(cases.len() > 50);
    let mut failures = Vec::new();
    let all = lines();
    for path in cases {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let case = read(&path);
        for (version, number) in [("four", "4.57.6"), ("five", "5.22.2")] {
            let judged = match &case[version] {
                Value::Null => continue,
                Value::String(other) => &case[other.as_str()],
                own => own,
            };
            let opened = open(&case, number);
            let refused = match &case["refused"] {
                Value::Object(versions) => versions.get(version).and_then(Value::as_str),
                both => both.as_str(),
            };
            match (opened, refused) {
                // What a version cannot read, it cannot judge.
                (Ok(_), None) if judged.get("error").is_some() => {}
                (Ok(tokenizer), None) => {
                    let count = 10 * judged["ids"].as_str().unwrap().len() / 8;
                    let lines = &all[all.len() - count..];
                    failures.extend(compare(name, version, &tokenizer, judged, lines));
                }
                (Ok(_), Some(_)) => failures.push(format!("{name}, {version}: is read")),
                (Err(error), Some(part)) if error.to_string().contains(part) => {}
                (Err(error), _) => failures.push(format!("{name}, {version}: {error}")),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Where the card says nothing, lines that the versions read differently are told.
#[test]
fn blanks_that_the_versions_read_differently_are_told() {
    let all = lines();
    for base in ["nllb", "mbart50"] {
        let case = json!({"base": base, "files": {}});
        let [four, five] = ["4.57.6", "5.22.2"].map(|version| {
            let tokenizer = open(&case, version).unwrap();
            let request = tokenizer.scheme.request("en", "de", tokenizer.end).unwrap();
            let encode = |line: &String| tokenizer.encode(line, &request, usize::MAX).unwrap();
            all.iter().map(encode).collect::<Vec<_>>()
        });
        let (mut told, mut differing) = (0, 0);
        for ((line, four), five) in all.iter().zip(&four).zip(&five) {
            let differs = four.ids != five.ids;
            assert!(!differs || four.blanks_in_doubt, "{base}: {line:?}");
            assert_eq!(four.blanks_in_doubt, five.blanks_in_doubt, "{line:?}");
            told += usize::from(four.blanks_in_doubt);
            differing += usize::from(differs);
        }
        // A blank behind characters without a piece is one with them.
        assert!(
            differing > 500 && told < differing + 20,
            "{base}: {told}, {differing}"
        );
    }
}
