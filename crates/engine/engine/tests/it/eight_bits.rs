//! Eight-bit floats with a scale for each block: the numbers of a twin in bfloat16, bit for bit.
//!
//! Both are made by `tools/reference/eight_bits.py`.

use crate::support;
use std::fs;
use std::path::Path;

use epicene_engine::{EngineOptions, System, TransformerModel};
use tempfile::TempDir;

/// A checkpoint with a tokenizer, its configuration changed.
fn checkpoint(name: &str, from: &str, to: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let made = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/eight_bits");
    let weights = made.join(name).join("model.safetensors");
    fs::copy(weights, place.path().join("model.safetensors")).unwrap();
    for file in ["tokenizer.json", "tokenizer_config.json"] {
        let path = support::directory("llama").join(file);
        fs::copy(path, place.path().join(file)).unwrap();
    }
    let config = fs::read_to_string(made.join(name).join("config.json")).unwrap();
    assert!(config.contains(from));
    fs::write(place.path().join("config.json"), config.replace(from, to)).unwrap();
    place
}

fn open(place: &TempDir) -> Result<TransformerModel, String> {
    let opened = TransformerModel::open(place.path(), EngineOptions::default());
    opened.map_err(|error| error.to_string())
}

#[test]
fn eight_bits_answer_as_their_twin() {
    let eight = open(&checkpoint("eight", "", "")).unwrap();
    let twin = open(&checkpoint("twin", "", "")).unwrap();
    assert!(eight.card().source.ends_with(",fp8"));
    let (ids, all) = ([1, 17, 300, 44, 5], [0, 1, 2, 3, 4]);
    let logits = eight.all_logits(&ids, &all).unwrap();
    assert_eq!(logits, twin.all_logits(&ids, &all).unwrap());
    assert!(logits.iter().flatten().any(|logit| logit.abs() > 0.01));
}

#[test]
fn eight_bits_of_another_kind_are_refused() {
    for (from, to, wanted) in [
        ("\"e4m3\"", "\"e5m2\"", "quantised weights (fp8)"),
        ("\"dynamic\"", "\"static\"", "quantised weights (fp8)"),
        (
            "\"weight_block_size\"",
            "\"weight_size\"",
            "quantised weights (fp8)",
        ),
        ("   8\n", "   9\n", "has no number for each block"),
        (
            "\"quantization_config\"",
            "\"use_cache_config\"",
            "`use_cache_config`",
        ),
    ] {
        let message = open(&checkpoint("eight", from, to)).unwrap_err();
        assert!(message.contains(wanted), "{message}");
    }
    // Where nothing is said of them, they are no weights.
    let place = checkpoint("eight", "", "");
    let ignored = ["quantization_config".to_owned()];
    let options = EngineOptions::default();
    let opened = TransformerModel::open_ignoring(place.path(), &ignored, options);
    let message = opened.unwrap_err().to_string();
    assert!(
        message.contains("is stored as eight-bit floats"),
        "{message}"
    );
}
