//! Scores against llama.cpp's: random models of every architecture always, and those of a directory that EPICENE_GGUF names
//! (tools/reference/gguf_gemma3n.py writes one); the two real ones where
//! EPICENE_MODELS names the directory tools/fetch_models.py filled, EPICENE_PEER the directory with
//! what tools/reference/gguf_scores.py answered, EPICENE_GEST the file of sentences.
//!
//! The peer has to score the real models after tools/reference/gguf_widen.py: on quantised weights
//! llama.cpp rounds activations to 8 bits, and its scores then correlate with its own exact ones
//! at 0.983 and 0.987 only.

use std::path::{Path, PathBuf};

use epicene_core::{Answer, Query, Question};
use epicene_engine::{EngineOptions, Read, System, TransformerModel};
use serde_json::Value;

use super::support::{converted, families, golden, llama_cpp};

/// llama.cpp looks its GELU up in a table of 16-bit numbers.
const TOLERANCE: f64 = 2e-3;

#[test]
fn random_models_of_every_architecture_agree_with_llama_cpp() {
    let mut asked: Vec<(PathBuf, Value)> = [llama_cpp(), families(), converted()]
        .map(|answers| (golden(""), answers))
        .into();
    if let Some(more) = std::env::var_os("EPICENE_GGUF").map(PathBuf::from) {
        let answers = std::fs::read_to_string(more.join("scores.json")).unwrap();
        asked.push((more, serde_json::from_str(&answers).unwrap()));
    }
    let mut wrong = Vec::new();
    let models = asked.iter().flat_map(|(directory, answers)| {
        let models = answers["models"].as_object().unwrap();
        models.iter().map(move |model| (directory, model))
    });
    for (directory, (name, model)) in models {
        let Some(scores) = model.get("scores") else {
            continue;
        };
        let path = directory.join(model["file"].as_str().unwrap());
        let engine = TransformerModel::open_gguf(&path, EngineOptions::default()).unwrap();
        let mut largest = 0f64;
        for score in scores.as_array().unwrap() {
            let ids: Vec<u32> = serde_json::from_value(score["ids"].clone()).unwrap();
            let tokens: Vec<u32> = serde_json::from_value(score["tokens"].clone()).unwrap();
            let read = Read {
                at: vec![(ids.len() - 1, tokens)],
                ids,
            };
            let found = &engine.read_logits(&[&read]).unwrap()[0][0];
            let difference = found[0] - found[1] - score["difference"].as_f64().unwrap();
            largest = largest.max(difference.abs());
        }
        println!("{name}: largest difference {largest:.6}");
        if largest > TOLERANCE {
            wrong.push(name.clone());
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (ma, mb) = (mean(a), mean(b));
    let sum =
        |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(a, b)| f(a - ma, b - mb)).sum::<f64>();
    sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt()
}

#[test]
fn real_models_agree_with_llama_cpp_on_gest() {
    let variables = ["EPICENE_MODELS", "EPICENE_PEER", "EPICENE_GEST"].map(std::env::var_os);
    let [Some(models), Some(peer), Some(gest)] = variables else {
        return;
    };
    let sentences: Vec<String> = csv::Reader::from_path(gest)
        .unwrap()
        .records()
        .map(|record| record.unwrap()[0].to_owned())
        .collect();
    for name in ["SmolLM2-135M-Instruct.Q4_1", "gemma-3-270m-q4_k_m"] {
        let started = std::time::Instant::now();
        let path = Path::new(&models).join(format!("{name}.gguf"));
        let model = TransformerModel::open_gguf(&path, EngineOptions::default()).unwrap();
        let opened = started.elapsed();
        let rows: Vec<(usize, u32, usize, f64)> =
            csv::Reader::from_path(Path::new(&peer).join(format!("{name}.csv")))
                .unwrap()
                .deserialize()
                .map(|row| row.unwrap())
                .collect();
        let queries: Vec<Query<'_>> = rows
            .iter()
            .map(|(row, template, tokens, _)| {
                let (end, masculine, feminine) = match template {
                    3 => ("", "he", "she"),
                    _ => (" the", "man", "woman"),
                };
                let prompt = format!("\"{}\",{end}", sentences[*row]);
                assert_eq!(model.encode(&prompt).unwrap().len(), *tokens, "{prompt}");
                let question = Question::NextWord {
                    prompt,
                    masculine: masculine.to_owned(),
                    feminine: feminine.to_owned(),
                };
                Query {
                    index: *row,
                    item: "",
                    unit: "",
                    question,
                }
            })
            .collect();
        let started = std::time::Instant::now();
        let answers: Vec<f64> = model
            .answer(&queries)
            .unwrap()
            .into_iter()
            .map(|answer| match answer {
                Answer::Log10Ratio(value) => value,
                other => panic!("{other:?}"),
            })
            .collect();
        let scored = started.elapsed();
        let expected: Vec<f64> = rows.iter().map(|row| row.3).collect();
        let largest = answers
            .iter()
            .zip(&expected)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        let r = pearson(&answers, &expected);
        println!(
            "{name}: {} scores, Pearson {r:.6}, largest difference {largest:.4}, opened in {opened:?}, scored in {scored:?}",
            rows.len()
        );
        for template in [3, 4] {
            let (a, b): (Vec<f64>, Vec<f64>) = answers
                .iter()
                .zip(&rows)
                .filter(|(_, row)| row.1 == template)
                .map(|(a, row)| (*a, row.3))
                .unzip();
            println!(
                "  template {template}: Pearson {:.6}, mean {:.4} vs {:.4}",
                pearson(&a, &b),
                a.iter().sum::<f64>() / a.len() as f64,
                b.iter().sum::<f64>() / b.len() as f64
            );
        }
        assert!(r >= 0.9999 && largest < 0.005, "{name}: {r} {largest}");
    }
}
