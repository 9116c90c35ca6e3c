//! fastText's binary models against fastText itself (`tools/reference/fasttext_tiny.py`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use epicene_vectors::{Layout, Request, load};
use serde_json::Value;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fasttext")
        .join(name)
}

fn golden(model: &str) -> Vec<(String, Vec<f64>)> {
    let text = std::fs::read_to_string(file("vectors.json")).unwrap();
    let golden: Value = serde_json::from_str(&text).unwrap();
    let words = golden[model].as_object().unwrap().iter();
    let numbers = |value: &Value| {
        value
            .as_array()
            .unwrap()
            .iter()
            .map(|x| x.as_f64().unwrap())
            .collect()
    };
    words
        .map(|(word, vector)| (word.clone(), numbers(vector)))
        .collect()
}

#[test]
fn words_and_unknown_words_have_fasttexts_own_vectors() {
    for (model, composed) in [("tiny", 5), ("plain", 0)] {
        let golden = golden(model);
        let words: BTreeSet<String> = golden.iter().map(|(word, _)| word.clone()).collect();
        let request = Request {
            words: &words,
            compose: true,
        };
        let found = load(&file(&format!("{model}.bin")), &request).unwrap();
        assert_eq!((found.layout, found.dimension), (Layout::FastTextBinary, 6));
        assert_eq!(found.composed.len(), composed);
        for (word, expected) in &golden {
            for (ours, theirs) in found.vectors[word].iter().zip(expected) {
                assert!((f64::from(*ours) - theirs).abs() < 1e-7, "{model} {word}");
            }
        }
    }
}

#[test]
fn unknown_words_stay_unknown_without_n_grams_or_on_request() {
    let words: BTreeSet<String> = ["nurse", "nurses"].map(str::to_owned).into();
    for (model, compose) in [("tiny.bin", false), ("plain.bin", true)] {
        let request = Request {
            words: &words,
            compose,
        };
        let found = load(&file(model), &request).unwrap();
        assert_eq!(
            found.vectors.keys().collect::<Vec<_>>(),
            ["nurse"],
            "{model}"
        );
    }
}

#[test]
fn quantised_and_truncated_models_are_refused() {
    let words = BTreeSet::from(["he".to_owned()]);
    let request = Request {
        words: &words,
        compose: true,
    };
    let error = load(&file("quantised.ftz"), &request).unwrap_err();
    assert!(error.message.contains("quantised"), "{error}");
    let whole = std::fs::read(file("tiny.bin")).unwrap();
    let cut = tempfile::NamedTempFile::new().unwrap();
    // At every length, the output matrix included.
    for length in 10..whole.len() {
        std::fs::write(cut.path(), &whole[..length]).unwrap();
        let error = load(cut.path(), &request).unwrap_err();
        assert!(
            error.message.contains("ends in the middle"),
            "{length}: {error}"
        );
    }
    std::fs::write(cut.path(), [&whole[..], b"more"].concat()).unwrap();
    let error = load(cut.path(), &request).unwrap_err();
    assert!(error.message.contains("4 bytes follow"), "{error}");
}
