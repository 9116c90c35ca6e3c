//! Arithmetic below f32 on the processor: every architecture in bf16 and int8, beside f32. It stands in the card, an answer
//! depends on the question alone, and what is not computed here is refused.

use crate::support;
use std::path::PathBuf;

use crate::support::{directory, golden, query, ratio, text};
use epicene_core::{Answer, LikelihoodMethod, ModelKind, Query, Question};
use epicene_cuda::Placement;
use epicene_engine::generate::{Completion, Prompt, TextGenerator, Told};
use epicene_engine::seq2seq::{Hypothesis, Seq2Seq, Seq2SeqOptions};
use epicene_engine::{EngineOptions, LmError, System, TransformerModel};
use epicene_kernels::{Dtype, Narrow, instruction_set};

/// Arithmetic, how the card names it, and how far a number of a tiny random model may move.
const ROUNDED: [(Dtype, &str, f64); 2] = [(Dtype::Bf16, "bf16", 0.25), (Dtype::Int8, "int8", 0.5)];
/// Correlation with f32 over all tiny models together.
const ALIKE: [f64; 2] = [0.999, 0.998];

fn options(dtype: Option<Dtype>, threads: usize, batch_tokens: usize) -> EngineOptions {
    EngineOptions {
        threads,
        batch_tokens,
        dtype,
        ..EngineOptions::default()
    }
}

fn open(name: &str, dtype: Option<Dtype>, threads: usize, batch_tokens: usize) -> TransformerModel {
    let options = options(dtype, threads, batch_tokens);
    TransformerModel::open(&directory(name), options)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn queries(model: &TransformerModel, name: &str) -> Vec<Query<'static>> {
    let golden = golden(name);
    let of = |key: &str| golden[key].as_array().cloned().unwrap_or_default();
    match model.card().kind {
        ModelKind::Masked => of("masked")
            .into_iter()
            .map(|entry| Question::MaskedPair {
                masculine: text(&entry["masculine"]).to_owned(),
                feminine: text(&entry["feminine"]).to_owned(),
                one_token: false,
            })
            .map(query)
            .collect(),
        _ => of("causal")
            .into_iter()
            .map(|entry| Question::NextWord {
                prompt: text(&entry["prompt"]).to_owned(),
                masculine: text(&entry["masculine"]).to_owned(),
                feminine: text(&entry["feminine"]).to_owned(),
            })
            .map(query)
            .collect(),
    }
}

#[test]
fn every_architecture_is_near_its_f32_and_alone_as_in_a_batch() {
    let mut checked = 0;
    let mut far_off = Vec::new();
    let mut pairs: [Vec<(f64, f64)>; 2] = Default::default();
    for name in support::checkpoints() {
        let wide = open(&name, None, 1, 480);
        let queries = queries(&wide, &name);
        if queries.is_empty() || !wide.has_head() {
            continue;
        }
        let exact: Vec<f64> = wide.answer(&queries).unwrap().iter().map(ratio).collect();
        for (place, (dtype, shown, far)) in ROUNDED.into_iter().enumerate() {
            let alone = open(&name, Some(dtype), 1, 480);
            let card = alone.card().dtype.clone().unwrap();
            assert!(card.ends_with(&format!("+{shown}")), "{name}: {card}");
            let singles: Vec<f64> = queries
                .iter()
                .map(|query| ratio(&alone.answer(std::slice::from_ref(query)).unwrap()[0]))
                .collect();
            let differences = singles.iter().zip(&exact).map(|(a, b)| (a - b).abs());
            let largest = differences.fold(0.0, f64::max);
            println!("{name} {dtype}: {largest:.5}");
            // Without instructions for bf16, activations stay f32 and stored bf16 is what it was.
            let only_stored = dtype == Dtype::Bf16
                && card.starts_with("bf16+")
                && instruction_set(Some(Narrow::Bf16)) == instruction_set(None);
            assert!(
                largest > 0.0 || only_stored,
                "{name} {dtype}: nothing was rounded"
            );
            if largest > far {
                far_off.push(format!("{name} {dtype}: {largest}"));
            }
            pairs[place].extend(singles.iter().copied().zip(exact.iter().copied()));
            for (threads, batch_tokens) in [(1, 10_000), (3, 64)] {
                let model = open(&name, Some(dtype), threads, batch_tokens);
                let together = model.answer(&queries).unwrap();
                let together: Vec<f64> = together.iter().map(ratio).collect();
                assert_eq!(together, singles, "{name} {dtype} {threads}");
            }
        }
        checked += 1;
    }
    assert!(checked >= 60, "{checked}");
    assert!(far_off.is_empty(), "{far_off:#?}");
    for (pairs, (alike, (dtype, ..))) in pairs.iter().zip(ALIKE.into_iter().zip(ROUNDED)) {
        let r = correlation(pairs);
        println!("{dtype}: Pearson {r:.6} over {}", pairs.len());
        assert!(r > alike, "{dtype}: {r}");
    }
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let count = pairs.len() as f64;
    let mean = |value: fn(&(f64, f64)) -> f64| pairs.iter().map(value).sum::<f64>() / count;
    let (a, b) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
        pairs.iter().map(|pair| term(pair.0 - a, pair.1 - b)).sum()
    };
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

#[test]
fn likelihoods_of_sentences_are_near_their_f32() {
    let texts = [
        "I cried.",
        "The man said that I like quiet evenings at home.",
    ];
    let ask = |method| {
        query(Question::Likelihood {
            texts: texts.map(str::to_owned).to_vec(),
            method,
        })
    };
    let queries: Vec<Query<'_>> = LikelihoodMethod::ALL.map(ask).to_vec();
    for name in ["bert", "roberta", "albert", "deberta-v2"] {
        let exact = open(name, None, 1, 480).answer(&queries).unwrap();
        for (dtype, _, far) in ROUNDED {
            let found = open(name, Some(dtype), 1, 480).answer(&queries).unwrap();
            let again = open(name, Some(dtype), 2, 16).answer(&queries).unwrap();
            assert_eq!(found, again, "{name} {dtype}");
            for (found, exact) in found.iter().zip(&exact) {
                let numbers = |answer: &Answer| match answer {
                    Answer::Likelihoods(values) => values.clone(),
                    Answer::Noted(noted) => match &noted.answer {
                        Answer::Likelihoods(values) => values.clone(),
                        other => panic!("{other:?}"),
                    },
                    other => panic!("{other:?}"),
                };
                for (found, exact) in numbers(found).iter().zip(numbers(exact)) {
                    let (found, exact) = (found.unwrap(), exact.unwrap());
                    let off = (found - exact).abs() / (1.0 + exact.abs());
                    assert!(off > 0.0 && off < far, "{name} {dtype}: {found} {exact}");
                }
            }
        }
    }
}

fn write(name: &str, dtype: Option<Dtype>, threads: usize, together: bool) -> Vec<Completion> {
    let options = options(dtype, threads, 480);
    let generator = TextGenerator::open_directory(&directory(name), options, &[]).unwrap();
    let manner = generator
        .manner(&Told {
            max_tokens: Some(24),
            temperature: Some(0.0),
            ..Told::default()
        })
        .unwrap();
    let prompt = |text: &str| Prompt {
        id: text.to_owned(),
        ids: generator.plain(text).unwrap(),
        first: vec![vec![5], vec![6, 7]],
    };
    let texts = [
        "I cried.",
        "The man said that",
        "The man said nothing",
        "I like quiet evenings at home",
    ];
    let prompts: Vec<Prompt> = texts.map(prompt).to_vec();
    if together {
        generator.write(&prompts, &manner).unwrap()
    } else {
        prompts
            .chunks(1)
            .flat_map(|one| generator.write(one, &manner).unwrap())
            .collect()
    }
}

#[test]
fn texts_are_written_alone_as_together() {
    for name in ["llama", "qwen3", "gpt2", "mixtral"] {
        let exact = write(name, None, 1, true);
        for (dtype, _, far) in ROUNDED {
            let alone = write(name, Some(dtype), 1, false);
            assert_eq!(write(name, Some(dtype), 1, true), alone, "{name} {dtype}");
            assert_eq!(write(name, Some(dtype), 3, true), alone, "{name} {dtype}");
            for (found, exact) in alone.iter().zip(&exact) {
                for (found, exact) in found.first.iter().zip(&exact.first) {
                    let off = (found - exact).abs();
                    assert!(off > 0.0 && off < 3.0 * far, "{name} {dtype}: {off}");
                }
            }
        }
    }
}

fn translator(name: &str, dtype: Option<Dtype>, threads: usize) -> Seq2Seq {
    let place = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/seq2seq")
        .join(name);
    let options = Seq2SeqOptions {
        threads,
        batch_rows: 20,
        dtype,
        ..Seq2SeqOptions::default()
    };
    Seq2Seq::open(&place, options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn sentences_are_translated_alone_as_together() {
    for name in ["marian", "m2m_100", "t5"] {
        let place = format!("tests/seq2seq/{name}/golden.json");
        let place = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(place);
        let golden: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(place).unwrap()).unwrap();
        let (from, to) = (text(&golden["from"]), text(&golden["to"]));
        let sentences = golden["sentences"].as_array().unwrap();
        let sentences: Vec<&str> = sentences.iter().map(|s| text(&s["text"])).take(8).collect();
        let exact = translator(name, None, 1)
            .translate(&sentences, from, to)
            .unwrap();
        for (dtype, shown, _) in ROUNDED {
            let model = translator(name, Some(dtype), 1);
            let card = model.card().dtype.as_deref().unwrap();
            assert_eq!(card, format!("f32+{shown}"));
            let together = model.translate(&sentences, from, to).unwrap();
            let alone: Vec<Hypothesis> = sentences
                .iter()
                .flat_map(|sentence| model.translate(&[*sentence], from, to).unwrap())
                .collect();
            assert_eq!(together, alone, "{name} {dtype}");
            let threads = translator(name, Some(dtype), 3);
            let threads = threads.translate(&sentences, from, to).unwrap();
            assert_eq!(together, threads, "{name} {dtype}");
            let other = together.iter().zip(&exact).any(|(a, b)| a.score != b.score);
            assert!(other, "{name} {dtype}: nothing was rounded");
        }
    }
}

#[test]
fn what_is_not_computed_here_is_refused() {
    for dtype in [Dtype::F16, Dtype::Tf32] {
        for placement in [Placement::Cpu, Placement::Auto] {
            let options = EngineOptions {
                placement,
                ..options(Some(dtype), 1, 480)
            };
            match TransformerModel::open(&directory("bert"), options) {
                Err(LmError::Checkpoint(error)) => {
                    assert!(error.to_string().contains(dtype.name()), "{error}");
                    assert!(error.hint().is_some_and(|hint| hint.contains("bf16")));
                }
                Err(other) => panic!("{other}"),
                // A GPU was found.
                Ok(model) => assert!(model.card().dtype.as_deref().unwrap().ends_with("@cuda")),
            }
        }
    }
    let refused = epicene_cuda::Device::open(0, Dtype::Int8).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("int8 is not supported on a GPU")
    );
    assert_eq!(
        open("bert", Some(Dtype::F32), 1, 480).card(),
        open("bert", None, 1, 480).card()
    );
    assert!("int4".parse::<Dtype>().is_err());
}
