//! Japanese end to end: a tiny checkpoint with a MeCab tokenizer and a dictionary that the user points to, asked about template pairs
//! through the command line; likelihoods are those of `transformers` (tools/reference/japanese_checkpoint.py).

use std::fs;
use std::path::Path;

use crate::support::epicene;
use serde_json::Value;

#[test]
fn template_pairs_have_the_likelihoods_of_transformers() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/japanese");
    let words = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engine/engine/tests/japanese");
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let dictionary = place.join("dictionary");
    fs::create_dir(&dictionary).unwrap();
    for name in ["sys.dic", "unk.dic", "matrix.bin"] {
        fs::copy(words.join(name), dictionary.join(name)).unwrap();
    }
    let packed = fs::File::open(words.join("char.bin.gz")).unwrap();
    let mut letters = fs::File::create(dictionary.join("char.bin")).unwrap();
    std::io::copy(&mut flate2::read::GzDecoder::new(packed), &mut letters).unwrap();

    let model = format!("dir:{}", own.join("checkpoint").display());
    let ask = |dictionary: Option<&Path>, out: &str| {
        let mut command = epicene();
        command
            .current_dir(place)
            .env_remove("EPICENE_MECAB_DICTIONARY");
        if let Some(dictionary) = dictionary {
            command.env("EPICENE_MECAB_DICTIONARY", dictionary);
        }
        let data = own.join("pairs.csv").display().to_string();
        command.args(["run", "crows-pairs", "--data", &data, "--method", "aula"]);
        command
            .args(["--model", &model, "--out", out])
            .output()
            .unwrap()
    };
    // Without a dictionary the words are not known, and nothing is guessed.
    let refused = ask(None, "refused");
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("EPICENE_MECAB_DICTIONARY"), "{message}");

    let done = ask(Some(&dictionary), "run");
    let message = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(0), "{message}");
    let golden: Vec<[f64; 4]> =
        serde_json::from_slice(&fs::read(own.join("aula.json")).unwrap()).unwrap();
    let items = epicene()
        .current_dir(place)
        .args(["items", "run"])
        .output()
        .unwrap();
    let items = String::from_utf8(items.stdout).unwrap();
    let mut asked = 0;
    for (line, golden) in items.lines().zip(&golden) {
        let item: Value = serde_json::from_str(line).unwrap();
        let found = likelihoods(&item);
        for (ours, theirs) in found.iter().zip(golden) {
            assert!((ours - theirs).abs() < 1e-5, "{line}: {golden:?}");
        }
        asked += found.len();
    }
    assert_eq!(asked, 2 * golden.len());
}

/// The two numbers of an answer, wherever the item has them.
fn likelihoods(item: &Value) -> Vec<f64> {
    match item {
        Value::Object(fields) => {
            if let Some(Value::Array(values)) = fields.get("likelihoods") {
                return values.iter().filter_map(Value::as_f64).collect();
            }
            let nested = fields.values().map(likelihoods);
            nested
                .into_iter()
                .find(|found| !found.is_empty())
                .unwrap_or_default()
        }
        Value::Array(values) => {
            let nested = values.iter().map(likelihoods);
            nested
                .into_iter()
                .find(|found| !found.is_empty())
                .unwrap_or_default()
        }
        _ => Vec::new(),
    }
}
