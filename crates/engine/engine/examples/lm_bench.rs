//! How fast this engine gives the GEST scores of a checkpoint; the counterpart of
//! `benches/lm/peer.py`, with the same sentences, templates and output.
//!
//!     cargo run --release -p epicene-engine --example lm_bench -- CHECKPOINT SENTENCES.txt
//!         [--threads N] [--limit N] [--rounds N] [--batch-tokens N] [--device cuda] [--dtype bf16]
//!         [--scores FILE]
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use epicene_core::{Answer, ModelKind, Query, Question};
use epicene_engine::{EngineOptions, System, TransformerModel};
use epicene_kernels::{Dtype, Narrow};

const MASKED: [(&str, &str); 4] = [
    ("He said: \"{}\"", "She said: \"{}\""),
    ("The man said: \"{}\"", "The woman said: \"{}\""),
    ("\"{}\", he said.", "\"{}\", she said."),
    ("\"{}\", the man said.", "\"{}\", the woman said."),
];
const CAUSAL: [(&str, &str, &str); 2] = [("\"{}\",", "he", "she"), ("\"{}\", the", "man", "woman")];

fn questions(kind: ModelKind, sentences: &[&str]) -> Vec<Question> {
    let fill = |template: &str, sentence: &str| template.replace("{}", sentence);
    match kind {
        ModelKind::Masked => MASKED
            .iter()
            .flat_map(|(m, f)| {
                sentences.iter().map(move |s| Question::MaskedPair {
                    masculine: fill(m, s),
                    feminine: fill(f, s),
                    one_token: false,
                })
            })
            .collect(),
        ModelKind::Causal | ModelKind::Translator | ModelKind::Chat => CAUSAL
            .iter()
            .flat_map(|(prompt, m, f)| {
                sentences.iter().map(move |s| Question::NextWord {
                    prompt: fill(prompt, s),
                    masculine: (*m).to_owned(),
                    feminine: (*f).to_owned(),
                })
            })
            .collect(),
    }
}

/// Seconds of processor time of all threads, in ticks of a hundredth.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after.split_whitespace().collect();
    let ticks = |i: usize| {
        fields
            .get(i)
            .and_then(|t| t.parse::<f64>().ok())
            .unwrap_or(0.0)
    };
    (ticks(11) + ticks(12)) / 100.0
}

fn peak_megabytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok())
        .unwrap_or(0)
        / 1024
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = EngineOptions {
        threads: 1,
        ..EngineOptions::default()
    };
    let (mut limit, mut rounds, mut scores) = (200, 1, None);
    let mut places = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--threads" => options.threads = value()?.parse()?,
            "--batch-tokens" => options.batch_tokens = value()?.parse()?,
            "--device" => options.placement = value()?.parse()?,
            "--dtype" => options.dtype = Some(value()?.parse()?),
            "--limit" => limit = value()?.parse()?,
            "--rounds" => rounds = value()?.parse()?,
            "--scores" => scores = Some(value()?),
            _ => places.push(argument),
        }
    }
    let [checkpoint, sentences] = places.as_slice() else {
        return Err("say CHECKPOINT SENTENCES.txt".into());
    };
    let text = fs::read_to_string(sentences)?;
    let sentences: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take(limit)
        .collect();
    let narrow = match options.dtype {
        Some(Dtype::Bf16) => Some(Narrow::Bf16),
        Some(Dtype::Int8) => Some(Narrow::Int8),
        _ => None,
    };
    let started = Instant::now();
    let model = TransformerModel::open(Path::new(checkpoint), options)?;
    let (load_cpu, load_wall) = (cpu_seconds(), started.elapsed().as_secs_f64());
    let questions = questions(model.card().kind, &sentences);
    // Sentence by sentence, all templates of each, as `epicene run` asks.
    let templates = questions.len() / sentences.len().max(1);
    let order: Vec<usize> = (0..sentences.len())
        .flat_map(|sentence| (0..templates).map(move |t| (sentence, t)))
        .map(|(sentence, template)| template * sentences.len() + sentence)
        .collect();
    let queries: Vec<Query<'_>> = order
        .iter()
        .map(|index| (*index, &questions[*index]))
        .map(|(index, question)| Query {
            index,
            item: "bench",
            unit: "bench",
            question: question.clone(),
        })
        .collect();
    model.answer(&queries[..1])?;
    let first_cpu = cpu_seconds();
    let mut answers = Vec::new();
    for round in 1..=rounds {
        answers.clear();
        let (cpu, wall) = (cpu_seconds(), Instant::now());
        for batch in queries.chunks(model.capabilities().batch_size) {
            answers.extend(model.answer(batch)?);
        }
        let per_text = 1000.0 / queries.len() as f64;
        println!(
            "{{\"shape\": \"{}\", \"way\": \"epicene\", \"dtype\": \"{}\", \"round\": {round}, \"threads\": {}, \"sentences\": {}, \"texts\": {}, \
             \"cpu_ms_per_text\": {:.3}, \"wall_ms_per_text\": {:.3}, \"load_cpu_s\": {load_cpu:.2}, \"load_wall_s\": {load_wall:.2}, \
             \"first_score_cpu_s\": {first_cpu:.2}, \"peak_mb\": {}, \"instructions\": \"{}\", \"place\": \"{}\"}}",
            model.card().name,
            model.card().dtype.as_deref().unwrap_or_default(),
            options.threads,
            sentences.len(),
            queries.len(),
            (cpu_seconds() - cpu) * per_text,
            wall.elapsed().as_secs_f64() * 1000.0 / queries.len() as f64,
            peak_megabytes(),
            epicene_kernels::instruction_set(narrow),
            model.place().unwrap_or_default(),
        );
    }
    if let Some(path) = scores {
        // Templates one after another, as the peer writes them.
        let mut lines = vec![String::new(); answers.len()];
        for (index, answer) in order.iter().zip(&answers) {
            if let Answer::Log10Ratio(ratio) = answer {
                lines[*index] = format!("{ratio:.7}\n");
            }
        }
        let lines = lines.concat();
        fs::write(path, lines)?;
    }
    Ok(())
}
