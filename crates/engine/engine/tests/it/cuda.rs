//! Every architecture on the GPU against the same checkpoint on the processor. Without a GPU the
//! tests say that they are skipped.

use std::path::Path;

use crate::support::{checkpoints, directory, model, query, ratio};
use epicene_core::{Answer, Query, Question};
use epicene_cuda::{CudaError, Device, Placement};
use epicene_engine::generate::{Completion, Prompt, TextGenerator, Told};
use epicene_engine::seq2seq::{Decoding, Seq2Seq, Seq2SeqOptions};
use epicene_engine::{EngineOptions, System, TransformerModel, Wanted};
use epicene_kernels::Dtype;

fn on_device(name: &str, dtype: Dtype) -> TransformerModel {
    let options = EngineOptions {
        placement: Placement::cuda(0),
        dtype: Some(dtype),
        ..EngineOptions::default()
    };
    TransformerModel::open(&directory(name), options)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn gpu() -> bool {
    match Device::open(0, Dtype::F32) {
        Ok(_) => true,
        Err(error) => {
            println!("skipped: {error}");
            assert!(matches!(
                error,
                CudaError::NoDriver | CudaError::NoDevice { .. } | CudaError::NoLibrary(_)
            ));
            false
        }
    }
}

/// Sentences of many lengths from the model's own vocabulary.
fn made_up(model: &TransformerModel) -> Vec<Vec<u32>> {
    let mut vocabulary = u32::try_from(model.tokenizer().size()).unwrap();
    // The last tokens of some tokenizers have no rows in the model (FlauBERT's).
    let reads = |token: u32| model.look_at(vec![vec![token]], Wanted::default()).is_ok();
    while !reads(vocabulary - 1) {
        vocabulary -= 1;
    }
    let longest = 40;
    (1..longest)
        .map(|length| {
            (0..length)
                .map(|i| (7 * length + 13 * i + i * i) % vocabulary)
                .collect()
        })
        .collect()
}

#[test]
fn hidden_states_attention_and_probabilities_equal_the_processors() {
    if !gpu() {
        return;
    }
    for name in checkpoints() {
        let here = model(&name);
        let there = on_device(&name, Dtype::F32);
        let wanted = Wanted {
            hidden: true,
            attention: true,
            log_probabilities: here.has_head(),
        };
        let texts = made_up(&here);
        let (expected, found) = (
            here.look_at(texts.clone(), wanted).unwrap(),
            there.look_at(texts, wanted).unwrap(),
        );
        let mut worst = [0f64; 3];
        for (expected, found) in expected.iter().zip(&found) {
            let apart = |a: &[f64], b: &[f64]| {
                assert_eq!(a.len(), b.len());
                a.iter()
                    .zip(b)
                    .map(|(a, b)| (a - b).abs())
                    .fold(0.0, f64::max)
            };
            let wide = |values: &[f32]| values.iter().map(|v| f64::from(*v)).collect::<Vec<_>>();
            worst[0] = worst[0].max(apart(
                &wide(&expected.hidden.data),
                &wide(&found.hidden.data),
            ));
            worst[1] = worst[1].max(apart(&expected.attention, &found.attention));
            worst[2] = worst[2].max(apart(&expected.log_probabilities, &found.log_probabilities));
        }
        println!(
            "{name}: hidden {:.1e} attention {:.1e} log-probability {:.1e}",
            worst[0], worst[1], worst[2]
        );
        assert!(worst.iter().all(|worst| *worst < 1e-3), "{name}: {worst:?}");
    }
}

#[test]
fn reads_equal_the_processors_in_any_company() {
    if !gpu() {
        return;
    }
    for name in checkpoints() {
        let here = model(&name);
        if !here.has_head() {
            continue;
        }
        let there = on_device(&name, Dtype::F32);
        let texts = made_up(&here);
        let reads: Vec<epicene_engine::Read> = texts
            .iter()
            .map(|ids| epicene_engine::Read {
                ids: ids.clone(),
                at: vec![(ids.len() - 1, vec![3, 5, 8]), (ids.len() / 2, vec![4])],
            })
            .collect();
        let all: Vec<&epicene_engine::Read> = reads.iter().collect();
        let found = there.read_log_probabilities(&all).unwrap();
        let expected = here.read_log_probabilities(&all).unwrap();
        for ((read, found), expected) in reads.iter().zip(&found).zip(&expected) {
            for (a, b) in found.iter().flatten().zip(expected.iter().flatten()) {
                assert!((a - b).abs() < 1e-3, "{name}: {a} and {b}");
            }
            let alone = there.read_log_probabilities(&[read]).unwrap();
            for (a, b) in found.iter().flatten().zip(alone[0].iter().flatten()) {
                assert!((a - b).abs() < 5e-5, "{name}: {a} alone {b}");
            }
        }
        assert!(there.place().unwrap().ends_with(", f32"));
        assert_eq!(there.card().dtype.as_deref(), Some("f32@cuda"));
    }
}

#[test]
fn sixteen_bits_stay_close() {
    if !gpu() {
        return;
    }
    for dtype in [Dtype::Bf16, Dtype::F16, Dtype::Tf32] {
        for name in checkpoints() {
            let here = model(&name);
            let there = on_device(&name, dtype);
            if !here.has_head() {
                continue;
            }
            let wanted = Wanted {
                log_probabilities: true,
                ..Wanted::default()
            };
            let texts = made_up(&here);
            let (expected, found) = (
                here.look_at(texts.clone(), wanted).unwrap(),
                there.look_at(texts, wanted).unwrap(),
            );
            let a: Vec<f64> = expected
                .iter()
                .flat_map(|s| s.log_probabilities.clone())
                .collect();
            let b: Vec<f64> = found
                .iter()
                .flat_map(|s| s.log_probabilities.clone())
                .collect();
            let r = pearson(&a, &b);
            println!("{name} {dtype}: Pearson {r:.6}");
            assert!(r > 0.99, "{name} {dtype}: {r}");
        }
    }
}

fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len() as f64;
    let (ma, mb) = (a.iter().sum::<f64>() / n, b.iter().sum::<f64>() / n);
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        ab += (x - ma) * (y - mb);
        aa += (x - ma) * (x - ma);
        bb += (y - mb) * (y - mb);
    }
    ab / (aa * bb).sqrt()
}

#[test]
fn blanks_are_filled_as_on_the_processor() {
    if !gpu() {
        return;
    }
    let nouns = [
        "man",
        "doctor who came in late",
        "friend",
        "small garden behind the house",
    ];
    for name in [
        "fillers/bart",
        "fillers/t5",
        "fillers/mt5",
        "seq2seq/mbart50",
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests")
            .join(name);
        let open = |placement, dtype| {
            let options = EngineOptions {
                placement,
                dtype,
                ..EngineOptions::default()
            };
            TransformerModel::open(&folder, options).unwrap()
        };
        let here = open(Placement::Cpu, None);
        let there = open(Placement::cuda(0), Some(Dtype::F32));
        let mut asked = Vec::new();
        for (place, noun) in nouns.iter().enumerate() {
            for verb in ["likes", "never saw"].iter().cycle().take(place + 2) {
                asked.push(Question::MaskedPair {
                    masculine: format!("He {verb} the {noun}."),
                    feminine: format!("She {verb} the {noun}."),
                    one_token: false,
                });
            }
        }
        let pairs: Vec<Query<'_>> = asked.into_iter().map(query).collect();
        let blanks = nouns.map(|noun| {
            query(Question::FilledBlank {
                context: format!("The BLANK saw a {noun} there."),
                words: ["man", "old woman", "teacher"].map(str::to_owned).to_vec(),
            })
        });
        let mut worst = 0f64;
        for questions in [&pairs[..], &blanks[..]] {
            let (expected, found) = (
                here.answer(questions).unwrap(),
                there.answer(questions).unwrap(),
            );
            for (expected, found) in expected.iter().zip(&found) {
                let (expected, found) = (numbers(expected), numbers(found));
                assert_eq!(expected.len(), found.len(), "{name}");
                for (expected, found) in expected.iter().zip(found) {
                    worst = worst.max((expected - found).abs());
                }
            }
            // One by one, as together.
            let alone = there.answer(&questions[1..2]).unwrap();
            let together = numbers(&there.answer(questions).unwrap()[1]);
            for (one, other) in numbers(&alone[0]).iter().zip(together) {
                assert!((one - other).abs() < 1e-5, "{name}");
            }
        }
        println!("{name}: blanks {worst:.1e}");
        assert!(worst < 1e-4, "{name}: {worst}");
    }
}

fn numbers(answer: &Answer) -> Vec<f64> {
    match answer.plain().0 {
        Answer::Likelihoods(values) => values.iter().map(|value| value.unwrap()).collect(),
        _ => vec![ratio(answer)],
    }
}

#[test]
fn translations_are_the_processors_token_by_token() {
    if !gpu() {
        return;
    }
    let mut on_gpu = 0;
    for name in [
        "m2m_100",
        "marian",
        "marian-multilingual",
        "marian-separate",
        "mbart50",
        "nllb",
        "t5",
        "t5-gated",
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/seq2seq")
            .join(name);
        let golden = std::fs::read_to_string(path.join("golden.json")).unwrap();
        let golden: serde_json::Value = serde_json::from_str(&golden).unwrap();
        let sentences: Vec<&str> = golden["sentences"]
            .as_array()
            .unwrap()
            .iter()
            .map(|sentence| sentence["text"].as_str().unwrap())
            .collect();
        let (from, to) = (
            golden["from"].as_str().unwrap(),
            golden["to"].as_str().unwrap(),
        );
        for beams in [1, 5] {
            let options = |placement| Seq2SeqOptions {
                decoding: Decoding {
                    beams: Some(beams),
                    ..Decoding::default()
                },
                placement,
                ..Seq2SeqOptions::default()
            };
            let here = Seq2Seq::open(&path, options(Placement::Cpu)).unwrap();
            // Heads of six and of ten features among them.
            let there = Seq2Seq::open(&path, options(Placement::cuda(0)))
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            on_gpu += 1;
            let expected = here.translate(&sentences, from, to).unwrap();
            let found = there.translate(&sentences, from, to).unwrap();
            for (expected, found) in expected.iter().zip(&found) {
                assert_eq!(
                    expected.ids, found.ids,
                    "{name}, {beams} beams: {}",
                    expected.text
                );
                assert!((expected.score - found.score).abs() < 1e-4, "{name}");
            }
            println!("{name}, {beams} beams: {} translations", found.len());
        }
    }
    assert_eq!(on_gpu, 16);
}

/// The texts of `tests/it/generation.rs`, on the GPU; drawn ones and first probabilities as on the processor.
#[test]
fn texts_are_those_of_transformers_and_of_the_processor() {
    if !gpu() {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/generation.json");
    let golden = std::fs::read_to_string(path).unwrap();
    let golden: serde_json::Value = serde_json::from_str(&golden).unwrap();
    let texts = golden["texts"].as_array().unwrap();
    for name in [
        "llama", "qwen3", "gemma2", "gemma3n", "gpt_neox", "mistral", "phi", "gpt2",
    ] {
        let open = |placement| {
            let options = EngineOptions {
                placement,
                dtype: match placement {
                    Placement::Cpu => None,
                    _ => Some(Dtype::F32),
                },
                ..EngineOptions::default()
            };
            TextGenerator::open_directory(&directory(name), options, &[]).unwrap()
        };
        let (here, there) = (open(Placement::Cpu), open(Placement::cuda(0)));
        assert!(there.place().is_some());
        let write = |generator: &TextGenerator, prompts: &[Prompt], told: &Told| {
            let manner = generator.manner(told).unwrap();
            generator.write(prompts, &manner).unwrap()
        };
        let ids = |value: &serde_json::Value| -> Vec<u32> {
            let ids = value.as_array().unwrap().iter();
            ids.map(|id| id.as_u64().unwrap() as u32).collect()
        };
        // Natural ends, as many tokens as were written there.
        let ending: Vec<&serde_json::Value> = texts
            .iter()
            .filter(|text| text["checkpoint"] == name && text["setting"] == "ends")
            .collect();
        let prompt = |(number, text): (usize, &&serde_json::Value)| Prompt {
            id: number.to_string(),
            ids: ids(&text["ids"]),
            first: vec![vec![5], vec![6, 7, 8]],
        };
        let prompts: Vec<Prompt> = ending.iter().enumerate().map(prompt).collect();
        let told = Told {
            max_tokens: Some(60),
            temperature: Some(0.0),
            ..Told::default()
        };
        let found = write(&there, &prompts, &told);
        for (text, found) in ending.iter().zip(&found) {
            assert_eq!(ids(&text["written"]), found.ids, "{name}");
        }
        let close = |a: &[Completion], b: &[Completion]| {
            for (a, b) in a.iter().zip(b) {
                assert_eq!(a.ids, b.ids, "{name}");
                for (a, b) in a.first.iter().zip(&b.first) {
                    assert!((a - b).abs() < 1e-4, "{name}: {a} and {b}");
                }
            }
        };
        close(&write(&here, &prompts, &told), &found);
        let drawn = Told {
            temperature: Some(1.0),
            top_p: Some(0.9),
            seed: 5,
            ..told
        };
        // Gates that are cut off magnify rounding: between f32 and f64 transformers' own hidden states differ by 2.6e-5 there, which is
        // enough for a drawn number to fall into the next token.
        if name != "gemma3n" {
            close(
                &write(&here, &prompts, &drawn),
                &write(&there, &prompts, &drawn),
            );
        }
        println!("{name}: {} texts", found.len());
    }
}

/// Every causal architecture writes the same tokens on both.
#[test]
fn every_causal_checkpoint_writes_what_the_processor_writes() {
    if !gpu() {
        return;
    }
    let told = Told {
        max_tokens: Some(24),
        temperature: Some(0.0),
        ..Told::default()
    };
    let mut on_gpu = 0;
    for name in checkpoints() {
        let here = model(&name);
        let causal = here.card().kind == epicene_core::ModelKind::Causal;
        if !causal || !here.has_head() {
            continue;
        }
        let prompts: Vec<Prompt> = made_up(&here)
            .into_iter()
            .step_by(3)
            .enumerate()
            .map(|(number, ids)| Prompt {
                id: number.to_string(),
                ids,
                first: Vec::new(),
            })
            .collect();
        let write = |placement| {
            let options = EngineOptions {
                placement,
                dtype: match placement {
                    Placement::Cpu => None,
                    _ => Some(Dtype::F32),
                },
                ..EngineOptions::default()
            };
            let generator = TextGenerator::open_directory(&directory(&name), options, &[])?;
            let manner = generator.manner(&told)?;
            generator.write(&prompts, &manner)
        };
        let expected = match write(Placement::Cpu) {
            Ok(expected) => expected,
            // Tokenizers of a few checkpoints say too little for texts.
            Err(error) => {
                println!("{name}: {error}");
                continue;
            }
        };
        let found = write(Placement::cuda(0)).unwrap_or_else(|error| panic!("{name}: {error}"));
        on_gpu += 1;
        let same = expected.iter().zip(&found).filter(|(a, b)| a.ids == b.ids);
        let same = same.count();
        println!("{name}: {same} of {} texts", found.len());
        assert_eq!(same, found.len(), "{name}");
    }
    assert!(on_gpu > 40, "{on_gpu} checkpoints wrote on the GPU");
}

/// Two copies of a model share the work: of one GPU here, of several where they are.
#[test]
fn two_copies_answer_what_one_answers() {
    if !gpu() {
        return;
    }
    let two: Placement = "cuda:0,0".parse().unwrap();
    let open = |name: &str, placement| {
        let options = EngineOptions {
            placement,
            dtype: Some(Dtype::F32),
            ..EngineOptions::default()
        };
        TransformerModel::open(&directory(name), options).unwrap()
    };
    let wanted = Wanted {
        hidden: true,
        attention: true,
        log_probabilities: true,
    };
    for name in ["bert", "llama", "deberta-v2"] {
        let (one, both) = (open(name, Placement::cuda(0)), open(name, two));
        assert_eq!(both.card(), one.card());
        assert_eq!(both.loading().len(), 2);
        let texts = made_up(&one);
        let expected = one.look_at(texts.clone(), wanted).unwrap();
        let found = both.look_at(texts.clone(), wanted).unwrap();
        let reads: Vec<epicene_engine::Read> = texts
            .into_iter()
            .map(|ids| epicene_engine::Read {
                at: vec![(ids.len() / 2, vec![3, 5, 8])],
                ids,
            })
            .collect();
        let reads: Vec<&epicene_engine::Read> = reads.iter().collect();
        let close = |a: &f64, b: &f64| assert!((a - b).abs() < 5e-5, "{name}: {a} and {b}");
        for (a, b) in expected.iter().zip(&found) {
            assert_eq!(a.ids, b.ids);
            let both = a.log_probabilities.iter().zip(&b.log_probabilities);
            both.for_each(|(a, b)| close(a, b));
        }
        let expected = one.read_log_probabilities(&reads).unwrap();
        let found = both.read_log_probabilities(&reads).unwrap();
        let both = expected.iter().zip(&found);
        for (a, b) in both.flat_map(|(a, b)| a.iter().flatten().zip(b.iter().flatten())) {
            close(a, b);
        }
        println!("{name}: {} reads on two copies", reads.len());
    }
    let prompts: Vec<Prompt> = made_up(&open("llama", Placement::Cpu))
        .into_iter()
        .cycle()
        .take(300)
        .enumerate()
        .map(|(number, mut ids)| {
            ids.extend([(number % 97) as u32 + 3, 5]);
            Prompt {
                id: number.to_string(),
                ids,
                first: Vec::new(),
            }
        })
        .collect();
    let told = Told {
        max_tokens: Some(20),
        temperature: Some(0.0),
        ..Told::default()
    };
    let write = |placement| {
        let options = EngineOptions {
            placement,
            dtype: Some(Dtype::F32),
            ..EngineOptions::default()
        };
        let generator = TextGenerator::open_directory(&directory("llama"), options, &[]).unwrap();
        let manner = generator.manner(&told).unwrap();
        let written = generator.write(&prompts, &manner).unwrap();
        written.into_iter().map(|text| text.ids).collect::<Vec<_>>()
    };
    assert_eq!(write(Placement::cuda(0)), write(two));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seq2seq/nllb");
    // Enough sentences for several lanes of each copy.
    let sentences: Vec<String> = (0..400)
        .map(|number| format!("The {} is number {number}.", "nurse ".repeat(number % 7)))
        .collect();
    let sentences: Vec<&str> = sentences.iter().map(String::as_str).collect();
    let golden = std::fs::read_to_string(path.join("golden.json")).unwrap();
    let golden: serde_json::Value = serde_json::from_str(&golden).unwrap();
    let language = |name: &str| golden[name].as_str().unwrap().to_owned();
    let translate = |placement| {
        let options = Seq2SeqOptions {
            decoding: Decoding {
                beams: Some(5),
                ..Decoding::default()
            },
            placement,
            ..Seq2SeqOptions::default()
        };
        let model = Seq2Seq::open(&path, options).unwrap();
        let found = model
            .translate(&sentences, &language("from"), &language("to"))
            .unwrap();
        found.into_iter().map(|found| found.ids).collect::<Vec<_>>()
    };
    let expected = translate(Placement::Cpu);
    assert_eq!(expected, translate(Placement::cuda(0)));
    assert_eq!(expected, translate(two));
}
