//! AUL, AULA, CPS, SSS and StereoSet's filled blank of tiny BERTs against values computed elsewhere, and
//! sentences a model cannot read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::shared_data::shared;
use epicene_core::{Answer, LikelihoodMethod, Query, Question};
use epicene_engine::{EngineOptions, Read, Reading, System, TransformerModel, Wanted};
use serde_json::{Value, json};

/// What the reference asks for on every value (specification, section 13).
const TOLERANCE: f64 = 1e-5;

fn reference() -> Option<PathBuf> {
    shared("mbe/reference_tiny_bert")
}

fn expected(path: &Path) -> Value {
    let text = std::fs::read_to_string(path.join("expected.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn query(question: Question) -> Query<'static> {
    Query {
        index: 0,
        item: "t:1",
        unit: "u",
        question,
    }
}

fn ask(model: &TransformerModel, question: Question) -> Answer {
    model.answer(&[query(question)]).unwrap().remove(0)
}

fn checkpoint(name: &str) -> TransformerModel {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checkpoints");
    TransformerModel::open(&path.join(name), EngineOptions::default()).unwrap()
}

/// The largest difference for each kind of value.
#[derive(Default)]
struct Differences(BTreeMap<String, (usize, f64)>);

impl Differences {
    fn add(&mut self, kind: &str, found: f64, expected: &Value) {
        let expected = expected.as_f64().unwrap();
        let entry = self.0.entry(kind.to_owned()).or_default();
        entry.0 += 1;
        entry.1 = entry.1.max((found - expected).abs());
    }

    fn all(&mut self, kind: &str, found: &[f64], expected: &Value) {
        let expected = expected.as_array().unwrap();
        assert_eq!(found.len(), expected.len(), "{kind}");
        for (found, expected) in found.iter().zip(expected) {
            self.add(kind, *found, expected);
        }
    }

    fn check(&self) {
        for (kind, (count, largest)) in &self.0 {
            println!("{kind}: {count} values, largest difference {largest:.1e}");
        }
        for (kind, (_, largest)) in &self.0 {
            assert!(*largest <= TOLERANCE, "{kind}: {largest}");
        }
    }
}

const EVERYTHING: Wanted = Wanted {
    hidden: true,
    attention: true,
    log_probabilities: true,
};

fn look(model: &TransformerModel, text: &str) -> Reading {
    model.look(&[text], EVERYTHING).unwrap().remove(0)
}

/// Log-probabilities, attention received, embeddings, AUL, AULA, CPS and both forms of SSS.
#[test]
fn every_value_of_the_reference() {
    let Some(path) = reference() else { return };
    let expected = expected(&path);
    let model = TransformerModel::open(&path, EngineOptions::default()).unwrap();
    let mut differences = Differences::default();
    for sentence in expected["sentences"].as_array().unwrap() {
        let text = sentence["text"].as_str().unwrap().to_owned();
        let reading = look(&model, &text);
        assert_eq!(json!(reading.ids), sentence["ids"], "{text}");
        differences.all(
            "log_prob",
            &reading.log_probabilities,
            &sentence["log_prob"],
        );
        differences.all(
            "attention",
            &reading.attention,
            &sentence["attention_weight"],
        );
        for method in [LikelihoodMethod::Aul, LikelihoodMethod::Aula] {
            let question = Question::Embedded {
                text: text.clone(),
                method,
            };
            let answer = ask(&model, question);
            let (
                Answer::Sentence {
                    likelihood,
                    embedding,
                },
                notes,
            ) = answer.plain()
            else {
                panic!("no likelihood for `{text}`");
            };
            assert_eq!(notes.scored, reading.ids.len() as u64);
            differences.add(method.name(), *likelihood, &sentence[method.name()]);
            let embedding: Vec<f64> = embedding.iter().map(|x| f64::from(*x)).collect();
            differences.all("embedding", &embedding, &sentence["embedding"]);
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
            let answer = ask(&model, question);
            let (Answer::Likelihoods(values), _) = answer.plain() else {
                panic!("no likelihoods for {texts:?}");
            };
            for (value, expected) in values.iter().zip(pair[key].as_array().unwrap()) {
                match (value, expected.is_null()) {
                    (Some(value), false) => differences.add(key, *value, expected),
                    (None, true) => {}
                    other => panic!("{key} of {texts:?}: {other:?}"),
                }
            }
        }
    }
    differences.check();
    assert!(differences.0.len() == 8, "{}", differences.0.len());
}

/// Layer by layer: a checkpoint cut after layer k ends in hidden state k; what attention receives in a
/// layer is the difference of two cuts.
#[test]
fn every_layer_of_the_first_sentence() {
    let Some(path) = reference() else { return };
    let bytes = std::fs::read(path.join("activations_sentence0.safetensors")).unwrap();
    let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let table: Value = serde_json::from_slice(&bytes[8..8 + header]).unwrap();
    let tensor = |name: &str| -> Vec<f64> {
        let offsets: [usize; 2] =
            serde_json::from_value(table[name]["data_offsets"].clone()).unwrap();
        bytes[8 + header + offsets[0]..8 + header + offsets[1]]
            .chunks_exact(4)
            .map(|four| f64::from(f32::from_le_bytes(four.try_into().unwrap())))
            .collect()
    };
    let text = expected(&path)["sentences"][0]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    let config = std::fs::read_to_string(path.join("config.json")).unwrap();
    let mut differences = Differences::default();
    let mut before = vec![0.0; 7];
    for layers in 1..=3usize {
        let directory = tempfile::tempdir().unwrap();
        let mut config: Value = serde_json::from_str(&config).unwrap();
        config["num_hidden_layers"] = json!(layers);
        std::fs::write(directory.path().join("config.json"), config.to_string()).unwrap();
        for file in ["model.safetensors", "tokenizer.json"] {
            std::fs::copy(path.join(file), directory.path().join(file)).unwrap();
        }
        // The layers that are left out, and the head that stands on all of them.
        let left_out = ["bert.encoder.layer.*".to_owned()];
        let options = EngineOptions::default();
        let model = TransformerModel::open_ignoring(directory.path(), &left_out, options).unwrap();
        let reading = look(&model, &text);
        let hidden: Vec<f64> = reading.hidden.data.iter().map(|x| f64::from(*x)).collect();
        let state = tensor(&format!("hidden_states.{layers}"));
        differences.all(&format!("hidden {layers}"), &hidden, &json!(state));
        let length = reading.ids.len();
        if layers == 3 {
            let positions: Vec<usize> = (0..length).collect();
            let logits = model.all_logits(&reading.ids, &positions).unwrap();
            let logits: Vec<f64> = logits.concat().iter().map(|x| f64::from(*x)).collect();
            differences.all("logits", &logits, &json!(tensor("logits")));
        }
        let sums: Vec<f64> = reading
            .attention
            .iter()
            .map(|a| a * layers as f64)
            .collect();
        let ours: Vec<f64> = sums
            .iter()
            .zip(&before)
            .map(|(now, then)| now - then)
            .collect();
        let attentions = tensor(&format!("attentions.{}", layers - 1));
        let rows = attentions.len() / length;
        let mut received = vec![0.0; length];
        for query in attentions.chunks_exact(length) {
            for (sum, probability) in received.iter_mut().zip(query) {
                *sum += probability / rows as f64;
            }
        }
        differences.all(&format!("attention {layers}"), &ours, &json!(received));
        before = sums;
    }
    differences.check();
    assert_eq!(differences.0.len(), 7);
}

/// StereoSet's own score against `transformers` (`tools/reference/filled_blank.py`): WordPiece, byte-level
/// BPE and Unigram vocabularies, whose parts are put together again in different ways.
#[test]
fn filled_blanks_of_three_tokenizers() {
    let golden: Value = serde_json::from_str(include_str!("../golden/filled_blank.json")).unwrap();
    let mut differences = Differences::default();
    for (name, cases) in golden["checkpoints"].as_object().unwrap() {
        let model = checkpoint(name);
        let mut longest = 0;
        for case in cases.as_array().unwrap() {
            let words: Vec<String> = serde_json::from_value(case["words"].clone()).unwrap();
            let question = Question::FilledBlank {
                context: case["context"].as_str().unwrap().to_owned(),
                words: words.clone(),
            };
            let answer = ask(&model, question);
            let (Answer::Likelihoods(values), notes) = answer.plain() else {
                panic!("{answer:?}");
            };
            assert_eq!(values.len(), words.len());
            let parts: Vec<u64> = serde_json::from_value(case["parts"].clone()).unwrap();
            assert_eq!(notes.scored, parts.iter().sum::<u64>(), "{name} {words:?}");
            longest = longest.max(parts.into_iter().max().unwrap());
            for (value, expected) in values.iter().zip(case["scores"].as_array().unwrap()) {
                // Probabilities in a vocabulary of hundreds: compared by their logarithms.
                let logarithm = json!(expected.as_f64().unwrap().ln());
                differences.add(name, value.unwrap().ln(), &logarithm);
            }
        }
        assert!(longest > 1, "{name}: no word has several parts");
    }
    differences.check();
    assert_eq!(differences.0.len(), 3);
    let nothing = Question::FilledBlank {
        context: "A BLANK day.".to_owned(),
        words: vec![String::new()],
    };
    let answer = ask(&checkpoint("bert"), nothing);
    assert_eq!(answer, Answer::Likelihoods(vec![None]));
}

/// A sentence longer than the model reads is cut, not refused, and noted; one without words has no
/// likelihood; one of unknown words has, and is noted.
#[test]
fn long_empty_and_unknown_sentences() {
    let model = checkpoint("bert");
    let long = "the man said that he was tired and ".repeat(200);
    let embedded = |text: &str| Question::Embedded {
        text: text.to_owned(),
        method: LikelihoodMethod::Aula,
    };
    let answer = ask(&model, embedded(&long));
    assert!(matches!(answer.plain().0, Answer::Sentence { .. }));
    assert_eq!(answer.plain().1.cut, 1);
    assert_eq!(ask(&model, embedded("")), Answer::Missing);
    let unknown = ask(&model, embedded("\u{13000} \u{13001}"));
    assert!(matches!(unknown.plain().0, Answer::Sentence { .. }));
    assert_eq!((unknown.plain().1.unknown, unknown.plain().1.cut), (1, 0));
    let pair = Question::Likelihood {
        texts: vec![long.clone(), "the man".to_owned()],
        method: LikelihoodMethod::Sss,
    };
    assert_eq!(ask(&model, pair).plain().1.cut, 1);
    // A blank beyond the model's length has no likelihood; one before it has.
    for (context, has) in [
        (format!("{long} BLANK."), false),
        (format!("BLANK {long}"), true),
    ] {
        let question = Question::FilledBlank {
            context,
            words: vec!["man".to_owned()],
        };
        let answer = ask(&model, question);
        let (Answer::Likelihoods(values), notes) = answer.plain() else {
            panic!("{answer:?}");
        };
        assert_eq!((values[0].is_some(), notes.cut), (has, 1));
    }
}

/// The likeliest token is the one with the highest logit.
#[test]
fn guesses_are_counted() {
    let model = checkpoint("bert");
    let text = "the man said that he was tired";
    let reading = look(&model, text);
    let positions: Vec<usize> = (0..reading.ids.len()).collect();
    let logits = model.all_logits(&reading.ids, &positions).unwrap();
    let mut first = 0;
    for (place, logits) in logits.iter().enumerate() {
        let best = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        assert_eq!(logits[reading.likeliest[place] as usize], best);
        first += u64::from(reading.likeliest[place] == reading.ids[place]);
    }
    let read = Read {
        ids: reading.ids.clone(),
        at: vec![(2, vec![reading.ids[2]])],
    };
    let found = model.read_positions(&[&read]).unwrap();
    assert_eq!(found[0][0].likeliest, Some(reading.likeliest[2]));
    let question = Question::Likelihood {
        texts: vec![text.to_owned()],
        method: LikelihoodMethod::Aul,
    };
    let notes = ask(&model, question).plain().1;
    assert_eq!(
        (notes.scored, notes.first),
        (reading.ids.len() as u64, first)
    );
}
