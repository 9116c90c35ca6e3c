//! Parsers of text: data, answers, logs, expressions, servers.

use std::path::Path;
use std::time::UNIX_EPOCH;

use epicene_bench::{AnswerFile, Options};
use epicene_core::{Item, Language, TextFile};
use epicene_io::http::{LONGEST_PAUSE, RetryPolicy, retry_after};
use epicene_io::{input, quote};
use epicene_lang::align::{ParallelText, align, parse_links};
use epicene_lang::conllu::{self, Grouping, RuleOptions, Scope, SloveneRules, Translations};
use epicene_lang::first_person::{Detector, Mode};
use epicene_run::{Manifest, Sums, read_observation};

use crate::gate::Gate;

/// Longer inputs say no more.
const LONGEST: usize = 1 << 16;

/// The text of a case; bytes that are none are replaced, so that parsers behind UTF-8 are reached.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]).into_owned()
}

fn file(name: &str, text: String) -> TextFile {
    TextFile {
        path: name.to_owned(),
        name: name.to_owned(),
        sha256: String::new(),
        text,
    }
}

pub fn packed_input(bytes: &[u8]) {
    let _ = input::read_text_from("x", "x", bytes);
}

pub fn terminal_text(bytes: &[u8]) {
    let text = text(bytes);
    let acts = |c: char| c.is_control() && c != '\n';
    assert!(!quote::shown(&text).contains(char::is_control));
    let message = quote::message(&text);
    assert!(!message.contains(acts));
    assert!(message.len() < 40_000);
    let mut screen = quote::TerminalWriter::new(Vec::new());
    for piece in bytes.chunks(7) {
        let _ = std::io::Write::write_all(&mut screen, piece);
    }
    let _ = std::io::Write::flush(&mut screen);
}

pub fn http_headers(bytes: &[u8]) {
    let policy = RetryPolicy::default();
    for line in text(bytes).lines() {
        let asked = retry_after(line, UNIX_EPOCH);
        assert!(policy.pause_after(bytes.len() as u32, asked) <= LONGEST_PAUSE);
    }
}

pub fn log_line(bytes: &[u8]) {
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        for sums in [Sums::Absent, Sums::Required] {
            if let Ok(observation) = read_observation(line, sums) {
                let _ = observation.answer.is_finite();
            }
        }
    }
}

pub fn manifest(bytes: &[u8]) {
    if let Ok(manifest) = Manifest::parse(&text(bytes), Path::new("manifest.json")) {
        let _ = (manifest.probes(), manifest.shard(), manifest.fingerprint());
        let _ = (manifest.system_signature(), manifest.data.short());
        assert!(manifest.differences(&manifest, false).is_empty());
    }
}

/// The first byte chooses the benchmark.
fn choose(bytes: &[u8]) -> (&'static dyn epicene_bench::Benchmark, &[u8]) {
    let (first, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let all = epicene_bench::ALL;
    (all[usize::from(*first) % all.len()], rest)
}

pub fn benchmark_data(bytes: &[u8]) {
    let (benchmark, rest) = choose(bytes);
    let _ = benchmark.items(&[file("data", text(rest))], &Options::default());
}

fn items() -> Vec<Item> {
    (0..4)
        .map(|number| {
            Item::new(format!("x:{number}"), format!("I did {number}."))
                .with_label("stereotype", "1")
                .with_label("occupation", "nurse")
        })
        .collect()
}

pub fn benchmark_answers(bytes: &[u8]) {
    let (benchmark, rest) = choose(bytes);
    let given = file("answers.csv", text(rest));
    let models = AnswerFile::Models {
        file: given.clone(),
        kind: None,
    };
    let _ = benchmark.read_answers(&[models], &items(), &Options::default());
    let _ = epicene_bench::translations::table(&given);
    let _ = epicene_bench::translations::answers(&given, &items(), true);
}

pub fn benchmark_inputs(bytes: &[u8]) {
    let (benchmark, rest) = choose(bytes);
    for role in [
        "winobias",
        "swap-pairs",
        "align:de",
        "tokens:de",
        "decisions",
        "lists",
        "tags:de",
    ] {
        let _ = benchmark
            .card()
            .check_input(role, &file("input", text(rest)));
    }
}

pub fn conllu(bytes: &[u8]) {
    let options = RuleOptions {
        slovene: SloveneRules::Published,
    };
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    for language in ["sk", "sl"] {
        let Ok(rules) = conllu::rule_set(language, options) else {
            continue;
        };
        for translation in Translations::new(bytes, Grouping::Auto, Scope::FirstSentence) {
            match translation {
                Ok(translation) => {
                    let _ = conllu::judge_translation(&translation, &rules);
                }
                Err(_) => break,
            }
        }
    }
}

pub fn links(bytes: &[u8]) {
    for line in text(bytes).lines() {
        let _ = parse_links(line);
    }
}

pub fn parallel_text(bytes: &[u8]) {
    let mut parallel = ParallelText::default();
    for line in text(&bytes[..bytes.len().min(2048)]).lines() {
        let (source, target) = line.split_once(" ||| ").unwrap_or((line, ""));
        parallel.push(source, target);
    }
    let count = parallel.len();
    assert_eq!(align(&parallel, Default::default()).len(), count);
}

pub fn grammar(bytes: &[u8]) {
    use epicene_bench::unambiguous::grammar::{Sentence, parse_without};
    if let Ok(grammar) = parse_without(&text(bytes), &["nurse".to_owned()]) {
        let _ = grammar.lint();
        let count = grammar.count();
        let mut sentence = Sentence::default();
        for number in [0, count / 2, count.saturating_sub(1)] {
            if number < count {
                grammar.write(number, &mut sentence);
            }
        }
    }
}

pub fn gate_expression(bytes: &[u8]) {
    let _ = Gate::parse(&text(bytes));
}

pub fn first_person(bytes: &[u8]) {
    let text = text(&bytes[..bytes.len().min(4096)]);
    let code = ["sk", "cs", "pl", "ru", "uk", "be", "hr", "sr", "sl", "bg"];
    let first = bytes.first().copied().unwrap_or(0);
    let language = Language::find(code[usize::from(first) % code.len()]);
    for mode in [Mode::Published, Mode::Extended] {
        if let Some(detector) = language.and_then(|language| Detector::of(language, mode)) {
            let _ = detector.judge(&text);
        }
    }
}

pub fn chat_answer(bytes: &[u8]) {
    let text = text(bytes);
    let _ = epicene_mt::read_chat_answer("I ran.", &text);
    // Also as what a model says.
    let answer = serde_json::json!({"choices": [{"message": {"content": text}}]});
    let _ = epicene_mt::read_chat_answer("\"I ran.\"", &answer.to_string());
}

pub fn completion(bytes: &[u8]) {
    let _ = epicene_lm::read_completion(&text(bytes), "\"I ran.\",", "\"I ran.\", he");
}

/// Questions that go out and answers that come in.
pub fn exchange(bytes: &[u8]) {
    use epicene_pipeline::exchange::{AskedLine, place_of, read_answer};
    let text = text(bytes);
    let _ = place_of(&text);
    let Ok(line) = serde_json::from_str::<AskedLine>(&text) else {
        return;
    };
    let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    for task in epicene_core::Scorer::all() {
        if let Ok(question) = line.question(task, false) {
            let _ = read_answer(&question, &value["answer"]);
        }
    }
}

pub fn vectors(bytes: &[u8]) {
    crate::weights::with_file("vectors.bin", bytes, |path| {
        let words = ["she", "he", "a"].map(str::to_owned).into();
        let request = epicene_vectors::Request {
            words: &words,
            compose: true,
        };
        let _ = epicene_vectors::load(path, &request);
    });
}
