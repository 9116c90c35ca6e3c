//! WinoMT's human labels with the reference alignment, as far as the occupation judge needs them.

#![allow(dead_code, reason = "the tests and the example each use a part")]

use std::collections::HashMap;
use std::path::Path;

use epicene_lang::occupation::{OccupationJudge, Token};

use super::occupations::gunzip;

/// One labelled translation.
pub struct Labelled {
    pub text: String,
    pub tokens: Vec<Token>,
    pub positions: Vec<usize>,
    pub occupation: String,
    pub label: char,
}

/// Every stored annotation of the judge's language, by file name.
pub fn human(data: &Path, judge: &OccupationJudge) -> Vec<(String, Vec<Labelled>)> {
    let folder = data.join("winomt");
    let mut sets = Vec::new();
    let Ok(files) = std::fs::read_dir(folder.join("human")) else {
        return sets;
    };
    let mut names: Vec<String> = files
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    for name in names {
        let mut parts = name.split('.');
        let (Some(system), Some(code)) = (parts.next(), parts.next()) else {
            continue;
        };
        if code != judge.language() {
            continue;
        }
        let Some(translated) = Translated::read(&folder, system, code) else {
            continue;
        };
        let rows = gunzip(&folder.join("human").join(&name)).unwrap_or_default();
        let labelled = rows.lines().skip(1).filter_map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let label = columns.get(4)?.trim().to_lowercase().chars().next()?;
            if !"mfn".contains(label) {
                return None;
            }
            Some(translated.entity(judge, columns[0].parse().ok()?, label))
        });
        sets.push((name.clone(), labelled.collect()));
    }
    sets
}

/// The 2019 data set with one system's translations and alignments.
pub struct Translated {
    english: Vec<(usize, String, String)>,
    targets: HashMap<String, (String, String)>,
}

impl Translated {
    pub fn read(folder: &Path, system: &str, code: &str) -> Option<Translated> {
        let english = gunzip(&folder.join("en_2019.tsv.gz"))?;
        let texts = gunzip(&folder.join(format!("translations/{system}/en-{code}.txt.gz")))?;
        let links = gunzip(&folder.join(format!("fast_align/{system}/en-{code}.align.gz")))?;
        let english = english.lines().map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            let entity = columns[3].to_lowercase();
            let noun = entity
                .trim()
                .trim_start_matches("the ")
                .trim_start_matches("an ");
            let noun = noun.trim_start_matches("a ").trim();
            (
                columns[1].parse().unwrap_or(0),
                columns[2].to_owned(),
                noun.to_owned(),
            )
        });
        let targets = texts
            .lines()
            .zip(links.lines())
            .filter_map(|(line, links)| {
                let (source, target) = line.split_once(" ||| ")?;
                Some((source.to_owned(), (target.to_owned(), links.to_owned())))
            });
        Some(Translated {
            english: english.collect(),
            targets: targets.collect(),
        })
    }

    pub fn len(&self) -> usize {
        self.english.len()
    }

    /// The entity of a data-set line in its translation, by the rules of section B2.
    pub fn entity(&self, judge: &OccupationJudge, index: usize, label: char) -> Labelled {
        let (at, sentence, noun) = &self.english[index];
        let (text, links) = self.targets.get(sentence).cloned().unwrap_or_default();
        let mut starts = Vec::new();
        let mut start = 0;
        for word in text.split(' ') {
            let length = word.chars().count();
            starts.push((start, start + length));
            start += length + 1;
        }
        let tokens = judge.tokens(&text);
        let words: Vec<&str> = sentence.split(' ').collect();
        let mut wanted = vec![*at];
        if *at > 0 && ["the", "a", "an"].contains(&words[at - 1].to_lowercase().as_str()) {
            wanted.push(at - 1);
        }
        let mut positions = Vec::new();
        for link in links.split_whitespace() {
            let Some((source, target)) = link.split_once('-') else {
                continue;
            };
            let (Ok(source), Ok(target)) = (source.parse::<usize>(), target.parse::<usize>())
            else {
                continue;
            };
            if !wanted.contains(&source) {
                continue;
            }
            if let Some(&(start, end)) = starts.get(target) {
                positions.extend(
                    (0..tokens.len()).filter(|&token| (start..end).contains(&tokens[token].start)),
                );
            }
        }
        positions.sort_unstable();
        positions.dedup();
        Labelled {
            text,
            tokens,
            positions,
            occupation: noun.clone(),
            label,
        }
    }
}

/// Labels of our own for lines of a system's translations (`system`, line, label).
pub fn labelled(data: &Path, judge: &OccupationJudge, table: &str) -> Vec<Labelled> {
    let folder = data.join("winomt");
    let mut systems: Vec<(&str, Translated)> = Vec::new();
    let mut rows = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [system, index, label] = columns[..] else {
            continue;
        };
        if !systems.iter().any(|(name, _)| *name == system) {
            let read = Translated::read(&folder, system, judge.language());
            systems.extend(read.map(|read| (system, read)));
        }
        let translated = systems.iter().find(|(name, _)| *name == system);
        if let (Some((_, translated)), Ok(index)) = (translated, index.parse()) {
            let label = label.chars().next().unwrap_or('-');
            rows.push(translated.entity(judge, index, label));
        }
    }
    rows
}
