//! AUL, AULA, CPS and SSS of a tiny BERT against values computed in double precision with NumPy, and
//! sentences longer than the model reads.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::path::{Path, PathBuf};

use epicene_core::{Answer, LikelihoodMethod, Query, Question};
use epicene_lm::{EngineOptions, LanguageModel, TransformerModel};
use serde_json::Value;

/// The reference data beside the project; absent it skips, except in CI.
fn reference() -> Option<PathBuf> {
    let root = std::env::var_os("EPICENE_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join("data/mbe/reference_tiny_bert");
    if path.exists() {
        return Some(path);
    }
    let missing = format!("{} is not there", path.display());
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{missing}");
    println!("skipped: {missing}");
    None
}

fn ask(model: &TransformerModel, question: Question) -> Answer {
    let query = Query {
        index: 0,
        item: "t:1",
        unit: "u",
        question,
    };
    model.observe(&[query]).unwrap().remove(0)
}

fn close(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert!(
        (found - expected).abs() < 2e-4,
        "{what}: {found} against {expected}"
    );
}

#[test]
fn every_method_equals_the_reference() {
    let Some(path) = reference() else { return };
    let expected = std::fs::read_to_string(path.join("expected.json")).unwrap();
    let expected: Value = serde_json::from_str(&expected).unwrap();
    let model = TransformerModel::open(&path, EngineOptions::default()).unwrap();
    let mut checked = 0;
    for sentence in expected["sentences"].as_array().unwrap() {
        let text = sentence["text"].as_str().unwrap().to_owned();
        for (method, key) in [
            (LikelihoodMethod::Aul, "aul"),
            (LikelihoodMethod::Aula, "aula"),
        ] {
            let question = Question::Embedded {
                text: text.clone(),
                method,
            };
            let Answer::Sentence {
                likelihood,
                embedding,
            } = ask(&model, question)
            else {
                panic!("no likelihood for `{text}`");
            };
            close(likelihood, &sentence[key], &text);
            for (found, expected) in embedding
                .iter()
                .zip(sentence["embedding"].as_array().unwrap())
            {
                close(f64::from(*found), expected, &text);
            }
            checked += 1;
        }
    }
    for pair in expected["pairs"].as_array().unwrap() {
        let texts =
            ["stereotype", "anti_stereotype"].map(|key| pair[key].as_str().unwrap().to_owned());
        for (method, key) in [
            (LikelihoodMethod::Aul, "aul"),
            (LikelihoodMethod::Aula, "aula"),
            (LikelihoodMethod::Cps, "cps"),
            (LikelihoodMethod::Sss, "sss_formula"),
            (LikelihoodMethod::SssReleased, "sss_released_code"),
        ] {
            let question = Question::Likelihood {
                texts: texts.to_vec(),
                method,
            };
            let Answer::Likelihoods(values) = ask(&model, question) else {
                panic!("no likelihoods for {texts:?}");
            };
            for (value, expected) in values.iter().zip(pair[key].as_array().unwrap()) {
                match (value, expected.as_f64()) {
                    (Some(value), Some(_)) => close(*value, expected, &texts[0]),
                    (None, None) => {}
                    other => panic!("{key} of {texts:?}: {other:?}"),
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "{checked}");
    println!("{checked} likelihoods");
}

/// A sentence longer than the model reads is cut, not refused; one without words has no likelihood.
#[test]
fn long_and_empty_sentences() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checkpoints/bert");
    let model = TransformerModel::open(&path, EngineOptions::default()).unwrap();
    let long = "the man said that he was tired and ".repeat(200);
    let question = |text: &str| Question::Embedded {
        text: text.to_owned(),
        method: LikelihoodMethod::Aula,
    };
    assert!(matches!(
        ask(&model, question(&long)),
        Answer::Sentence { .. }
    ));
    assert_eq!(ask(&model, question("")), Answer::Missing);
}
