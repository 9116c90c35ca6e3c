//! Encoder-decoder models that fill blanks (BART, mBART, T5, mT5) against `transformers`, and what they refuse.
//!
//! The files are made by `tools/reference/tiny_fillers.py`, whose numbers versions 4.57 and 5.22 agree on. Scores and logits
//! agree to 1e-4.

use std::path::PathBuf;

use crate::support::{floats, ids, query, ratio, text};
use epicene_core::{Answer, LikelihoodMethod, Query, Question};
use epicene_engine::{EngineOptions, System, TransformerModel};
use serde_json::Value;

const TOLERANCE: f64 = 1e-4;
/// Folders, and the files with what `transformers` says.
const FILLERS: [(&str, &str); 4] = [
    ("fillers/bart", "golden.json"),
    ("fillers/t5", "golden.json"),
    ("fillers/mt5", "golden.json"),
    ("seq2seq/mbart50", "filler.json"),
];

fn directory(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

fn open(name: &str, options: EngineOptions) -> TransformerModel {
    TransformerModel::open(&directory(name), options)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn model(name: &str) -> TransformerModel {
    let options = EngineOptions {
        threads: 1,
        ..EngineOptions::default()
    };
    open(name, options)
}

fn golden(name: &str, file: &str) -> Value {
    let text = std::fs::read_to_string(directory(name).join(file)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn entries(golden: &Value) -> Vec<&Value> {
    let list = |key: &str| golden[key].as_array().into_iter().flatten();
    list("masked").chain(list("pairs")).collect()
}

fn pair(masculine: &str, feminine: &str) -> Query<'static> {
    query(Question::MaskedPair {
        masculine: masculine.to_owned(),
        feminine: feminine.to_owned(),
        one_token: false,
    })
}

fn questions(golden: &Value) -> Vec<Query<'static>> {
    let entries = entries(golden);
    let entries = entries.iter();
    entries
        .map(|entry| pair(text(&entry["masculine"]), text(&entry["feminine"])))
        .collect()
}

#[test]
fn fillers_agree_with_transformers() {
    for (name, file) in FILLERS {
        let (model, golden) = (model(name), golden(name, file));
        let mut worst = 0f64;
        for entry in entries(&golden) {
            for (side, wanted) in [("masculine", "ids_m"), ("feminine", "ids_f")] {
                let found = model.encode(text(&entry[side])).unwrap();
                assert_eq!(found, ids(&entry[wanted]), "{name}: {}", entry[side]);
            }
        }
        let answers = model.answer(&questions(&golden)).unwrap();
        for (answer, entry) in answers.iter().zip(entries(&golden)) {
            let wanted = entry["score"].as_f64().unwrap();
            worst = worst.max((ratio(answer) - wanted).abs());
        }
        let mut logits = 0f64;
        for entry in golden["logits"].as_array().into_iter().flatten() {
            let positions = ids(&entry["positions"]);
            let positions: Vec<usize> = positions.iter().map(|place| *place as usize).collect();
            let found = model.all_logits(&ids(&entry["ids"]), &positions).unwrap();
            for (found, wanted) in found.iter().zip(entry["values"].as_array().unwrap()) {
                for (found, wanted) in found.iter().zip(floats(wanted)) {
                    logits = logits.max((f64::from(*found) - wanted).abs());
                }
            }
        }
        println!(
            "{name}: {} pairs, scores {worst:.1e}, logits {logits:.1e}",
            answers.len()
        );
        assert!(worst <= TOLERANCE && logits <= TOLERANCE, "{name}");
    }
}

#[test]
fn company_and_threads_change_no_answer() {
    for (name, file) in FILLERS {
        let golden = golden(name, file);
        let questions = questions(&golden);
        let options = EngineOptions {
            threads: 3,
            batch_tokens: 37,
            ..EngineOptions::default()
        };
        let together = open(name, options).answer(&questions).unwrap();
        let model = model(name);
        for (question, answer) in questions.into_iter().zip(&together) {
            let alone = model.answer(&[question]).unwrap();
            assert_eq!(
                ratio(&alone[0]).to_bits(),
                ratio(answer).to_bits(),
                "{name}"
            );
        }
    }
}

fn likelihood(method: LikelihoodMethod) -> Query<'static> {
    let texts = ["The man was late.", "The woman was late."];
    query(Question::Likelihood {
        texts: texts.map(str::to_owned).to_vec(),
        method,
    })
}

#[test]
fn questions_with_blanks_are_answered_and_others_refused_with_words() {
    for (name, _) in FILLERS {
        let model = model(name);
        let blank = query(Question::FilledBlank {
            context: "The BLANK was late.".to_owned(),
            words: vec!["man".to_owned(), "woman".to_owned()],
        });
        let mut asked = vec![blank];
        asked.push(likelihood(LikelihoodMethod::Cps));
        asked.push(likelihood(LikelihoodMethod::Sss));
        for answer in model.answer(&asked).unwrap() {
            let Answer::Likelihoods(values) = answer.plain().0 else {
                panic!("{name}: {answer:?}");
            };
            assert!(values.iter().all(|value| value.is_some_and(f64::is_finite)));
        }
        let mut refused = vec![LikelihoodMethod::Aul, LikelihoodMethod::Aula];
        if name.ends_with("t5") {
            refused.push(LikelihoodMethod::SssReleased);
        }
        for method in refused {
            let error = model.answer(&[likelihood(method)]).unwrap_err();
            let message = error.to_string();
            assert!(message.contains("is an encoder-decoder model"), "{message}");
            assert!(message.contains(method.name()), "{message}");
        }
        let next = query(Question::NextWord {
            prompt: "The".to_owned(),
            masculine: "man".to_owned(),
            feminine: "woman".to_owned(),
        });
        let message = model.answer(&[next]).unwrap_err().to_string();
        assert!(message.contains("cannot answer a `next-word`"), "{message}");
    }
    let sentinel = pair("He saw <extra_id_2>.", "She saw <extra_id_2>.");
    let message = model("fillers/t5").answer(&[sentinel]).unwrap_err();
    assert!(
        message.to_string().contains("a sentinel of its own"),
        "{message}"
    );
}
