//! The demo's translations as files, as anybody would have them: sentences, and what pretended
//! translators made of them.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

const FIRST_PERSON: &str = include_str!("../../../data/demo-first-person.tsv");
const CHALLENGE: &str = include_str!("../../../data/demo-challenge.tsv");
const MINI: &str = include_str!("../../../../../bench/benchmarks/data/epicene-mini.csv");
/// Answers of a real model to every fourth of these sentences, made by tools/demo_chat.py.
const CHAT: &[u8] = include_bytes!("../../../data/demo-chat.jsonl.gz");
const EVERY: usize = 4;
/// Stereotypes of women come first in GEST.
const OF_WOMEN: u32 = 7;

pub struct Sample {
    pub data: PathBuf,
    /// A translator's name and its file, one for each language.
    pub translators: Vec<(&'static str, PathBuf)>,
    pub languages: Vec<String>,
}

/// Slovak translations: everybody a man, and everybody as the stereotype has it.
pub fn first_person(directory: &Path) -> Result<Sample, Failure> {
    let mut data = "sentence,stereotype\n".to_owned();
    let (mut men, mut stereotyped) = (header(), header());
    for [source, masculine, feminine] in table::<3>(FIRST_PERSON) {
        let Some(stereotype) = stereotype_of(source) else {
            continue;
        };
        data.push_str(&format!(
            "\"{}\",{stereotype}\n",
            source.replace('"', "\"\"")
        ));
        men.push_str(&format!("{source}\t{masculine}\n"));
        let expected = if stereotype <= OF_WOMEN {
            feminine
        } else {
            masculine
        };
        stereotyped.push_str(&format!("{source}\t{expected}\n"));
    }
    let sample = Sample {
        data: directory.join("first-person.csv"),
        translators: vec![
            ("always-a-man", directory.join("always-a-man.sk.tsv")),
            ("stereotyped", directory.join("stereotyped.sk.tsv")),
        ],
        languages: vec!["sk".to_owned()],
    };
    super::write(&sample.data, &data)?;
    super::write(&sample.translators[0].1, &men)?;
    super::write(&sample.translators[1].1, &stereotyped)?;
    Ok(sample)
}

/// German and Spanish translations of sentences whose gender is unambiguous.
pub fn challenge(directory: &Path) -> Result<Sample, Failure> {
    let mut data = String::new();
    let systems = [
        ("careful", "de"),
        ("careful", "es"),
        ("stereotyped", "de"),
        ("stereotyped", "es"),
    ];
    let mut files = vec![header(); systems.len()];
    for [text, features, answer, rest @ ..] in table::<7>(CHALLENGE) {
        data.push_str(&format!("{text}\t{features}\t{answer}\n"));
        for (file, translation) in files.iter_mut().zip(rest) {
            file.push_str(&format!("{text}\t{translation}\n"));
        }
    }
    let path = directory.join("challenge.tsv");
    super::write(&path, &data)?;
    let mut translators = Vec::new();
    for ((name, language), file) in systems.iter().zip(&files) {
        let path = directory.join(format!("{name}.{language}.tsv"));
        super::write(&path, file)?;
        translators.push((*name, path));
    }
    Ok(Sample {
        data: path,
        translators,
        languages: systems.map(|(_, language)| language.to_owned()).to_vec(),
    })
}

/// Sentences, and what a chat model answered about them.
pub fn chat(directory: &Path) -> Result<(PathBuf, PathBuf), Failure> {
    let mut lines = MINI.lines();
    let header = lines.next().into_iter();
    let data: String = header
        .chain(lines.step_by(EVERY))
        .map(|line| format!("{line}\n"))
        .collect();
    let (sentences, answers) = (
        directory.join("sentences.csv"),
        directory.join("SmolLM2-135M-Instruct.jsonl.gz"),
    );
    super::write(&sentences, &data)?;
    crate::outputs::write(&answers, CHAT)?;
    Ok((sentences, answers))
}

fn header() -> String {
    "from\tto\n".to_owned()
}

/// The rows below the header, comments left out.
fn table<const N: usize>(text: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|line| {
        let cells = line.split('\t').collect::<Vec<_>>();
        let cells = cells.try_into();
        cells.expect("the rows of an embedded table have its columns")
    })
}

fn stereotype_of(sentence: &str) -> Option<u32> {
    let line = MINI.lines().find(|line| {
        let line = line.trim_start_matches('"');
        line.strip_prefix(sentence)
            .is_some_and(|rest| rest.starts_with([',', '"']))
    })?;
    line.rsplit(',').next()?.parse().ok()
}
