//! Texts as `transformers.generate` writes them, and the same texts whatever is written beside them. The judge is
//! `tools/reference/generation_golden.py`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use epicene_cuda::Placement;
use epicene_engine::EngineOptions;
use epicene_engine::generate::is_opening;
use epicene_engine::generate::{Completion, Ended, Prompt, TextGenerator, Told};
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
struct Golden {
    prompts: Vec<String>,
    texts: Vec<Text>,
    sampling: Vec<Way>,
}

#[derive(Deserialize)]
struct Text {
    checkpoint: String,
    setting: String,
    fields: Map<String, Value>,
    prompt: usize,
    ids: Vec<u32>,
    written: Vec<u32>,
}

#[derive(Deserialize)]
struct Way {
    checkpoint: String,
    prompt: usize,
    temperature: f64,
    top_k: Option<usize>,
    top_p: Option<f64>,
    probabilities: Vec<f64>,
}

fn golden() -> Golden {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/generation.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn options(threads: usize) -> EngineOptions {
    EngineOptions {
        threads,
        placement: Placement::Cpu,
        ..EngineOptions::default()
    }
}

fn checkpoint(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checkpoints");
    folder.join(name)
}

/// A copy of a checkpoint with settings of its own.
fn with_settings(name: &str, fields: &Map<String, Value>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in std::fs::read_dir(checkpoint(name)).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    let config: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("config.json")).unwrap())
            .unwrap();
    let mut fields = fields.clone();
    for field in ["eos_token_id", "bos_token_id"] {
        if let Some(value) = config.get(field) {
            fields.entry(field).or_insert_with(|| value.clone());
        }
    }
    let settings = serde_json::to_string(&fields).unwrap();
    std::fs::write(folder.path().join("generation_config.json"), settings).unwrap();
    folder
}

fn prompt(id: &str, ids: &[u32]) -> Prompt {
    Prompt {
        id: id.to_owned(),
        ids: ids.to_vec(),
        first: Vec::new(),
    }
}

#[test]
fn greedy_texts_are_those_of_transformers() {
    let golden = golden();
    let mut groups: BTreeMap<(&str, &str), Vec<&Text>> = BTreeMap::new();
    for text in &golden.texts {
        let key = (text.checkpoint.as_str(), text.setting.as_str());
        groups.entry(key).or_default().push(text);
    }
    assert!(groups.len() >= 5 * 3);
    for ((name, setting), texts) in groups {
        let folder = with_settings(name, &texts[0].fields);
        let generator = TextGenerator::open_directory(folder.path(), options(2), &[]).unwrap();
        let mut prompts = Vec::new();
        for text in &texts {
            let ids = generator.plain(&golden.prompts[text.prompt]).unwrap();
            assert_eq!(ids, text.ids, "{name}: {}", golden.prompts[text.prompt]);
            prompts.push(prompt("", &ids));
        }
        let told = Told {
            temperature: Some(0.0),
            ..Told::default()
        };
        let manner = generator.manner(&told).unwrap();
        let written = generator.write(&prompts, &manner).unwrap();
        for (text, completion) in texts.iter().zip(&written) {
            assert_eq!(
                completion.ids, text.written,
                "{name} {setting}: {}",
                golden.prompts[text.prompt]
            );
        }
        println!("{name} {setting}: {} texts, {manner}", texts.len());
    }
}

/// Pearson's statistic, with cells that expect less than five put together, and its degrees of freedom.
fn chi_square(counts: &[f64], probabilities: &[f64], draws: f64) -> (f64, f64) {
    let (mut statistic, mut cells, mut rest) = (0.0, 0.0, (0.0, 0.0));
    for (count, probability) in counts.iter().zip(probabilities) {
        let expected = probability * draws;
        if expected >= 5.0 {
            statistic += (count - expected).powi(2) / expected;
            cells += 1.0;
        } else {
            rest = (rest.0 + count, rest.1 + expected);
        }
    }
    if rest.1 > 0.0 {
        statistic += (rest.0 - rest.1).powi(2) / rest.1;
        cells += 1.0;
    }
    (statistic, cells - 1.0)
}

#[test]
fn draws_follow_the_distribution_of_transformers() {
    const DRAWS: usize = 10_000;
    let golden = golden();
    for way in &golden.sampling {
        let path = checkpoint(&way.checkpoint);
        let generator = TextGenerator::open_directory(&path, options(2), &[]).unwrap();
        let ids = generator.plain(&golden.prompts[way.prompt]).unwrap();
        let prompts: Vec<Prompt> = (0..DRAWS).map(|n| prompt(&n.to_string(), &ids)).collect();
        let told = Told {
            max_tokens: Some(1),
            temperature: Some(way.temperature),
            top_k: way.top_k,
            top_p: way.top_p,
            seed: 7,
            ..Told::default()
        };
        let manner = generator.manner(&told).unwrap();
        let mut counts = vec![0.0; way.probabilities.len()];
        for completion in generator.write(&prompts, &manner).unwrap() {
            counts[completion.ids[0] as usize] += 1.0;
        }
        let impossible: f64 = counts
            .iter()
            .zip(&way.probabilities)
            .filter(|(_, probability)| **probability == 0.0)
            .map(|(count, _)| count)
            .sum();
        let (statistic, freedom) = chi_square(&counts, &way.probabilities, DRAWS as f64);
        // Wilson and Hilferty's approximation of the 0.999 quantile.
        let bar =
            freedom * (1.0 - 2.0 / (9.0 * freedom) + 3.09 * (2.0 / (9.0 * freedom)).sqrt()).powi(3);
        println!(
            "{manner}: chi-square {statistic:.1} at {freedom} degrees of freedom, bar {bar:.1}"
        );
        assert_eq!(impossible, 0.0);
        assert!(freedom >= 5.0 && statistic < bar);
    }
}

fn texts(generator: &TextGenerator, prompts: &[Prompt], told: &Told) -> Vec<Completion> {
    let manner = generator.manner(told).unwrap();
    generator.write(prompts, &manner).unwrap()
}

#[test]
fn a_text_is_the_same_in_any_company() {
    let golden = golden();
    for name in ["llama", "gemma2", "gpt2"] {
        let path = checkpoint(name);
        let alone = TextGenerator::open_directory(&path, options(1), &[]).unwrap();
        let many = TextGenerator::open_directory(&path, options(3), &[]).unwrap();
        let mut prompts: Vec<Prompt> = Vec::new();
        for (number, text) in golden.prompts.iter().enumerate() {
            let mut prompt = prompt(&format!("p{number}"), &alone.plain(text).unwrap());
            prompt.first = vec![vec![5, 6], vec![7]];
            prompts.push(prompt);
        }
        let told = Told {
            max_tokens: Some(40),
            temperature: Some(1.2),
            top_p: Some(0.95),
            seed: 3,
            ..Told::default()
        };
        let together = texts(&many, &prompts, &told);
        let mut reversed = prompts.clone();
        reversed.reverse();
        let mut backwards = texts(&many, &reversed, &told);
        backwards.reverse();
        let one_by_one: Vec<Completion> = prompts
            .iter()
            .flat_map(|prompt| texts(&alone, std::slice::from_ref(prompt), &told))
            .collect();
        // Bits, not digits: log-probabilities are compared exactly.
        assert_eq!(together, backwards, "{name}");
        assert_eq!(together, one_by_one, "{name}");
        let other_seed = Told { seed: 4, ..told };
        assert_ne!(together, texts(&many, &prompts, &other_seed), "{name}");
    }
}

#[test]
fn first_tokens_have_the_probabilities_of_the_scores() {
    let generator = TextGenerator::open_directory(&checkpoint("llama"), options(1), &[]).unwrap();
    let ids = generator.plain("The doctor said that").unwrap();
    let mut asked = prompt("", &ids);
    let size = generator.model().tokenizer().size() as u32;
    asked.first = vec![vec![9], vec![9, 12], (0..size).collect()];
    let told = Told {
        max_tokens: Some(0),
        ..Told::default()
    };
    let found = &texts(&generator, &[asked], &told)[0];
    assert!(found.ids.is_empty() && found.text.is_empty());
    let read = epicene_engine::Read {
        at: vec![(ids.len() - 1, vec![9, 12])],
        ids,
    };
    let scores = generator.model().read_log_probabilities(&[&read]).unwrap();
    let (nine, twelve) = (scores[0][0][0], scores[0][0][1]);
    assert!((found.first[0] - nine).abs() < 1e-5);
    assert!((found.first[1] - (nine.exp() + twelve.exp()).ln()).abs() < 1e-5);
    assert!(found.first[2].abs() < 1e-5);
}

#[test]
fn behind_opening_marks_it_is_as_if_they_had_been_given() {
    let mut opened = 0;
    for name in ["llama", "gpt2", "gemma2"] {
        let generator = TextGenerator::open_directory(&checkpoint(name), options(2), &[]).unwrap();
        let size = generator.model().tokenizer().size() as u32;
        let first = vec![vec![9], vec![12, 13]];
        let asked = |n: u32| Prompt {
            first: first.clone(),
            ..prompt("", &[5 + n % 40, 9 + n * 7919 % (size - 9), 11])
        };
        let asked: Vec<Prompt> = (0..300).map(asked).collect();
        let told = Told {
            max_tokens: Some(1),
            temperature: Some(0.0),
            ..Told::default()
        };
        let mut manner = generator.manner(&told).unwrap();
        manner.behind_openings = 3;
        let at_once = generator.write(&asked, &manner).unwrap();
        for (prompt, at_once) in asked.iter().zip(at_once) {
            let mut prompt = prompt.clone();
            let mut found = texts(&generator, std::slice::from_ref(&prompt), &told).remove(0);
            for _ in 0..3 {
                let opens = found.ended == Ended::Length && is_opening(&found.text);
                if !opens {
                    break;
                }
                opened += 1;
                prompt.ids.extend(&found.ids);
                found = texts(&generator, std::slice::from_ref(&prompt), &told).remove(0);
            }
            assert_eq!(
                (at_once.text, at_once.ids),
                (found.text, found.ids),
                "{name}"
            );
            // What is written is read one token at a time, and sums run the other way then.
            for (at_once, found) in at_once.first.iter().zip(&found.first) {
                assert!((at_once - found).abs() < 1e-5, "{name}: {at_once} {found}");
            }
        }
    }
    println!("{opened} opening marks");
    assert!(opened > 20, "{opened}");
}

#[test]
fn stop_texts_cut_and_lengths_end() {
    let generator = TextGenerator::open_directory(&checkpoint("gpt2"), options(1), &[]).unwrap();
    let asked = [prompt("", &generator.plain("I like the garden").unwrap())];
    let told = Told {
        max_tokens: Some(30),
        ..Told::default()
    };
    let whole = &texts(&generator, &asked, &told)[0];
    assert_eq!((whole.ended, whole.ids.len()), (Ended::Length, 30));
    // A stop text in the middle of what is written.
    let middle: Vec<char> = whole.text.chars().collect();
    let stop: String = middle[middle.len() / 2..middle.len() / 2 + 3]
        .iter()
        .collect();
    let cut = Told {
        stop: vec![stop.clone(), "never".to_owned()],
        ..told
    };
    let stopped = &texts(&generator, &asked, &cut)[0];
    assert_eq!(stopped.ended, Ended::Stop);
    assert_eq!(stopped.text, whole.text[..whole.text.find(&stop).unwrap()]);
    assert!(whole.ids.starts_with(&stopped.ids));
    // Beyond the positions the model has.
    let endless = Told {
        max_tokens: Some(100_000),
        ..Told::default()
    };
    let longest = &texts(&generator, &asked, &endless)[0];
    assert_eq!(longest.ended, Ended::Length);
    assert_eq!(longest.ids.len() + asked[0].ids.len(), 128);
}

#[test]
fn settings_that_are_not_understood_are_refused() {
    let refused = |fields: Value, word: &str| {
        let folder = with_settings("llama", fields.as_object().unwrap());
        let error = TextGenerator::open_directory(folder.path(), options(1), &[]).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
    };
    refused(serde_json::json!({"num_beams": 4}), "num_beams");
    refused(
        serde_json::json!({"penalty_alpha": 0.6, "top_k": 4}),
        "penalty_alpha",
    );
    refused(
        serde_json::json!({"eos_token_id": [1, 999999]}),
        "eos_token_id",
    );
    refused(
        serde_json::json!({"do_sample": true, "typical_p": 0.9}),
        "typical_p",
    );
    refused(
        serde_json::json!({"do_sample": true, "temperature": -1.0}),
        "temperature",
    );
    refused(
        serde_json::json!({"sequence_bias": [[[1], 2.0]]}),
        "sequence_bias",
    );
    // Sampling settings change nothing where nothing is drawn, and are followed where something is.
    let fields =
        serde_json::json!({"do_sample": true, "temperature": 0.6, "top_p": 0.9, "min_p": null});
    let folder = with_settings("llama", fields.as_object().unwrap());
    let generator = TextGenerator::open_directory(folder.path(), options(1), &[]).unwrap();
    let manner = |temperature| {
        let told = Told {
            temperature,
            ..Told::default()
        };
        generator.manner(&told).unwrap().to_string()
    };
    assert_eq!(
        manner(None),
        "temperature=0.6,top-p=0.9,top-k=50,seed=0,max-tokens=256"
    );
    assert_eq!(manner(Some(0.0)), "greedy,max-tokens=256");
    assert_eq!(
        manner(Some(1.0)),
        "temperature=1,top-p=0.9,seed=0,max-tokens=256"
    );
}

#[test]
fn a_masked_model_writes_nothing() {
    let error = TextGenerator::open_directory(&checkpoint("bert"), options(1), &[]).unwrap_err();
    assert!(error.to_string().contains("causal"), "{error}");
}
