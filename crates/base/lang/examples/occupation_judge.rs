//! Tables for work on the occupation judge.
//!
//!     cargo run -p epicene-lang --example occupation_judge -- coverage es
//!     cargo run -p epicene-lang --example occupation_judge -- published es [--errors 40] [--links DIR]
//!     cargo run -p epicene-lang --example occupation_judge -- human es [--errors 40]
//!     cargo run -p epicene-lang --example occupation_judge -- predictions ru [--errors 40]
//!     cargo run -p epicene-lang --example occupation_judge -- treebank es
//!     cargo run -p epicene-lang --example occupation_judge -- unlisted es [--errors 40]
//!     cargo run -p epicene-lang --example occupation_judge -- speed es
//!
//! `published` compares mode published with the Unambiguous authors' tags (reference alignment,
//! or DIR/LANG.links in Pharaoh form over the judge's words; `--links built-in` aligns here),
//! `human` mode default with WinoMT's human labels, `predictions` with the authors' rules on the
//! stored WinoMT translations, `treebank` the genders of nouns in UD treebanks,
//! `unlisted` lists aligned words that decide without being in the lexicon as translations.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a tool for developers"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use epicene_lang::occupation::{JudgeMode, OccupationJudge};

#[path = "../tests/it/support/occupations.rs"]
mod occupations;
#[path = "support/processor.rs"]
mod processor;
#[path = "../../../../tests/shared_data.rs"]
#[allow(dead_code, reason = "only tests skip")]
mod shared_data;
#[path = "../tests/it/support/winomt.rs"]
mod winomt;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let errors = arguments
        .iter()
        .position(|argument| argument == "--errors")
        .and_then(|at| arguments.get(at + 1)?.parse().ok())
        .unwrap_or(0);
    let task = arguments.first().map_or("", String::as_str);
    let codes: Vec<&str> = match arguments.get(1).map(String::as_str) {
        None | Some("all") => OccupationJudge::languages(),
        Some(codes) => codes.split(',').collect(),
    };
    let data = shared_data::data();
    for code in codes {
        let Some(judge) = OccupationJudge::for_language(code) else {
            eprintln!("no judge for {code}");
            continue;
        };
        match task {
            "coverage" => coverage(judge),
            "published" => {
                let links = arguments
                    .iter()
                    .position(|argument| argument == "--links")
                    .and_then(|at| arguments.get(at + 1));
                published(judge, &data, errors, links.map(Path::new));
            }
            "human" => human(judge, &data, errors),
            "predictions" => predictions(judge, &data, errors),
            "treebank" => treebank(judge, &data, errors),
            "unlisted" => unlisted(judge, &data, errors),
            "speed" => speed(judge, &data),
            _ => eprintln!(
                "coverage | published | human | predictions | treebank | unlisted | speed"
            ),
        }
    }
}

fn coverage(judge: &OccupationJudge) {
    let known = judge.occupations();
    let missing: Vec<&str> = occupations::ENGLISH
        .iter()
        .copied()
        .filter(|name| known.binary_search(name).is_err())
        .collect();
    println!(
        "{}: {} missing: {missing:?}",
        judge.language(),
        missing.len()
    );
}

fn published(judge: &OccupationJudge, data: &Path, errors: usize, links: Option<&Path>) {
    let Some(mut sentences) = occupations::pipeline(data, judge) else {
        return;
    };
    if let Some(links) = links {
        let path = links.join(format!("{}.links", judge.language()));
        if links == Path::new("built-in") {
            occupations::use_built_in_aligner(data, judge, &mut sentences);
        } else {
            occupations::use_links(data, &path, &mut sentences);
        }
    }
    let mut counts = [0usize; 4];
    let mut undecided = [0usize; 2];
    let mut faults: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, sentence) in sentences.iter().enumerate() {
        let verdict = judge.judge(
            &sentence.text,
            &sentence.tokens,
            &sentence.positions,
            &sentence.occupation,
            JudgeMode::Published,
        );
        let ours = occupations::tag(verdict.finding);
        if !matches!(sentence.tag.as_str(), "Masc" | "Fem") {
            undecided[usize::from(ours == "Masc" || ours == "Fem")] += 1;
            continue;
        }
        counts[3] += 1;
        let kind = match ours {
            tag if tag == sentence.tag => 0,
            "Masc" | "Fem" => 1,
            _ => 2,
        };
        counts[kind] += 1;
        if kind > 0 {
            let words: Vec<&str> = sentence
                .positions
                .iter()
                .filter_map(|&at| sentence.tokens.get(at))
                .map(|token| token.text.as_str())
                .collect();
            let key = format!(
                "{}: {} | theirs {} ours {} ({})",
                sentence.occupation,
                words.join(" "),
                sentence.tag,
                ours,
                verdict.rule
            );
            faults.entry(key).or_default().push(number);
        }
    }
    let share = |count: usize| count as f64 / counts[3] as f64;
    println!(
        "{} n {} same {:.4} opposite {:.4} none {:.4}; undecided there: decided {} of {}",
        judge.language(),
        counts[3],
        share(counts[0]),
        share(counts[1]),
        share(counts[2]),
        undecided[1],
        undecided[0] + undecided[1]
    );
    print_faults(faults, errors, |number| sentences[number].text.clone());
}

fn print_faults(
    faults: BTreeMap<String, Vec<usize>>,
    errors: usize,
    text: impl Fn(usize) -> String,
) {
    let mut faults: Vec<(String, Vec<usize>)> = faults.into_iter().collect();
    faults.sort_by_key(|(_, numbers)| std::cmp::Reverse(numbers.len()));
    for (what, numbers) in faults.into_iter().take(errors) {
        let first: Vec<usize> = numbers.iter().take(4).map(|number| number + 1).collect();
        println!("{:5} {what} {first:?} {}", numbers.len(), text(numbers[0]));
    }
}

fn human(judge: &OccupationJudge, data: &Path, errors: usize) {
    let mut sets = winomt::human(data, judge);
    if judge.language() == "de" {
        let table = include_str!("../tests/occupations/winomt_german.tsv");
        sets.push((
            "own labels".to_owned(),
            winomt::labelled(data, judge, table),
        ));
    }
    for (name, rows) in sets {
        let mut agree = 0;
        let mut confusion: BTreeMap<(char, char), usize> = BTreeMap::new();
        let mut shown = 0;
        for row in &rows {
            let verdict = judge.judge(
                &row.text,
                &row.tokens,
                &row.positions,
                &row.occupation,
                JudgeMode::Default,
            );
            let ours = verdict.finding.letter();
            *confusion.entry((row.label, ours)).or_default() += 1;
            if ours == row.label {
                agree += 1;
            } else if shown < errors {
                shown += 1;
                println!(
                    "  human {} ours {ours} ({}) {}: {} | {:?} {:?}",
                    row.label,
                    verdict.rule,
                    row.occupation,
                    row.text,
                    row.positions,
                    verdict.evidence
                );
            }
        }
        println!(
            "{name}: {agree}/{} = {:.3} {confusion:?}",
            rows.len(),
            f64::from(agree) / rows.len() as f64
        );
    }
}

fn predictions(judge: &OccupationJudge, data: &Path, errors: usize) {
    let folder = data.join("winomt");
    for system in ["google", "systran"] {
        let name = format!("predictions/{system}.{}.tsv.gz", judge.language());
        let (Some(rows), Some(translated)) = (
            occupations::gunzip(&folder.join(name)),
            winomt::Translated::read(&folder, system, judge.language()),
        ) else {
            continue;
        };
        let mut confusion: BTreeMap<(char, char), usize> = BTreeMap::new();
        let mut faults: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut texts = Vec::new();
        for (index, line) in rows.lines().skip(1).enumerate() {
            let theirs = line.rsplit('\t').next().unwrap_or_default();
            let theirs = theirs.chars().next().unwrap_or('-');
            let row = translated.entity(judge, index, theirs);
            let verdict = judge.judge(
                &row.text,
                &row.tokens,
                &row.positions,
                &row.occupation,
                JudgeMode::Default,
            );
            let ours = verdict.finding.letter();
            *confusion.entry((theirs, ours)).or_default() += 1;
            if ours != theirs {
                let words: Vec<&str> = verdict
                    .evidence
                    .iter()
                    .map(|span| span.of(&row.text))
                    .collect();
                let key = format!(
                    "{}: {} | theirs {theirs} ours {ours} ({})",
                    row.occupation,
                    words.join(" "),
                    verdict.rule
                );
                faults.entry(key).or_default().push(texts.len());
                texts.push(row.text);
            }
        }
        println!("{system} {}: {confusion:?}", judge.language());
        print_faults(faults, errors, |number| texts[number].clone());
    }
}

fn treebank(judge: &OccupationJudge, data: &Path, errors: usize) {
    // In the sentence; then the same for nouns in the lexicon only.
    let mut counts = [[0usize; 3]; 2];
    let mut unmarked = [0usize; 2];
    let mut faults: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut texts = Vec::new();
    for noun in occupations::treebank_nouns(data, judge.language()) {
        let tokens = &noun.tokens;
        let text: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        let text = text.join(" ");
        let verdict = judge.judge(&text, tokens, &[noun.at], "", JudgeMode::Published);
        let ours = occupations::tag(verdict.finding);
        if !matches!(noun.gender.as_str(), "Masc" | "Fem" | "Neut") {
            unmarked[usize::from(ours != "_")] += 1;
            continue;
        }
        let kind = match ours {
            tag if tag == noun.gender => 0,
            "_" => 2,
            _ => 1,
        };
        counts[0][kind] += 1;
        let listed = matches!(verdict.rule, "noun" | "common gender" | "dictionary form");
        counts[1][kind] += usize::from(listed);
        if kind == 1 {
            let word = &tokens[noun.at].text;
            let key = format!("{word} {} ({})", noun.gender, verdict.rule);
            faults.entry(key).or_default().push(texts.len());
            texts.push(text);
        }
    }
    for (name, counts) in ["nouns in their sentence", "listed nouns"]
        .iter()
        .zip(counts)
    {
        let total: usize = counts.iter().sum();
        println!(
            "{} {name} {total}: same {:.3} other {:.3} none {:.3}",
            judge.language(),
            counts[0] as f64 / total as f64,
            counts[1] as f64 / total as f64,
            counts[2] as f64 / total as f64
        );
    }
    println!(
        "  without gender there: {} of {}",
        unmarked[0],
        unmarked[0] + unmarked[1]
    );
    print_faults(faults, errors, |number| texts[number].clone());
}

fn unlisted(judge: &OccupationJudge, data: &Path, errors: usize) {
    let mut faults: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut texts = Vec::new();
    for system in ["google", "systran"] {
        let translated = winomt::Translated::read(&data.join("winomt"), system, judge.language());
        let Some(translated) = translated else {
            continue;
        };
        let mut rules: BTreeMap<(&str, char), usize> = BTreeMap::new();
        for index in 0..translated.len() {
            let row = translated.entity(judge, index, '-');
            let (tokens, positions) = (&row.tokens, &row.positions);
            let mode = JudgeMode::Default;
            let verdict = judge.judge(&row.text, tokens, positions, &row.occupation, mode);
            let label = verdict.finding.letter();
            *rules.entry((verdict.rule, label)).or_default() += 1;
            let word = verdict
                .evidence
                .first()
                .map_or("", |span| span.of(&row.text));
            let found = judge.find(tokens, &row.occupation);
            let listed = found.iter().any(|&at| tokens[at].text == word);
            if !listed {
                let key = format!("{}: {word} {label} ({})", row.occupation, verdict.rule);
                faults.entry(key).or_default().push(texts.len());
                texts.push(row.text);
            }
        }
        println!("{system} {}: {rules:?}", judge.language());
    }
    if let Some(sentences) = occupations::pipeline(data, judge) {
        for sentence in &sentences {
            let found = judge.find(&sentence.tokens, &sentence.occupation);
            let Some(&at) = sentence.positions.last() else {
                continue;
            };
            if !found.contains(&at) {
                let (text, tokens) = (&sentence.text, &sentence.tokens);
                let mode = JudgeMode::Default;
                let positions = &sentence.positions;
                let verdict = judge.judge(text, tokens, positions, &sentence.occupation, mode);
                let word = &tokens[at].text;
                let label = verdict.finding.letter();
                let key = format!("{}= {word} {label} ({})", sentence.occupation, verdict.rule);
                faults.entry(key).or_default().push(texts.len());
                texts.push(text.clone());
            }
        }
    }
    print_faults(faults, errors, |number| texts[number].clone());
}

fn speed(judge: &OccupationJudge, data: &Path) {
    let Some(sentences) = occupations::pipeline(data, judge) else {
        return;
    };
    for mode in [JudgeMode::Published, JudgeMode::Default] {
        let start = Instant::now();
        let before = processor::seconds(start);
        let mut decided = 0;
        for sentence in &sentences {
            let tokens = judge.tokens(&sentence.text);
            let verdict = judge.judge(
                &sentence.text,
                &tokens,
                &sentence.positions,
                &sentence.occupation,
                mode,
            );
            decided += usize::from(verdict.gender().is_some());
        }
        let seconds = processor::seconds(start) - before;
        println!(
            "{} {mode:?}: {:.0} sentences a second of one core ({decided} of {} decided)",
            judge.language(),
            sentences.len() as f64 / seconds,
            sentences.len()
        );
    }
}
