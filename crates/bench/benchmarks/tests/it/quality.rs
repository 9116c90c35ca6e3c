//! BLEU and chrF against sacrebleu (`tools/reference/sacrebleu_golden.py`).

use epicene_bench::quality::{Bleu, Chrf, CorpusScore, corpus, tokenize_13a};
use serde_json::Value;

fn golden() -> Value {
    serde_json::from_str(include_str!("../golden/sacrebleu.json")).unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    let list = value.as_array().unwrap().iter();
    list.map(|text| text.as_str().unwrap()).collect()
}

fn score<S: CorpusScore>(case: &Value) -> f64 {
    let (ours, theirs) = (texts(&case["hypotheses"]), texts(&case["references"]));
    corpus(ours.iter().zip(&theirs).map(|(a, b)| S::of(a, b)))
}

#[test]
fn corpus_scores_are_sacrebleus() {
    let golden = golden();
    let cases = golden["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 60);
    for (number, case) in cases.iter().enumerate() {
        for (found, wanted) in [
            (score::<Bleu>(case), &case["bleu"]),
            (score::<Chrf>(case), &case["chrf"]),
        ] {
            let wanted = wanted.as_f64().unwrap();
            let near = (found - wanted).abs() <= 1e-9 * wanted.abs().max(1.0);
            assert!(near, "case {number}: {found} instead of {wanted}");
        }
    }
}

#[test]
fn the_tokenizer_is_mtevals() {
    for case in golden()["tokens"].as_array().unwrap() {
        let line = case["line"].as_str().unwrap();
        assert_eq!(tokenize_13a(line), texts(&case["tokens"]), "{line:?}");
    }
}
