//! `en.txt`: gold gender, index of the entity's head word, sentence, entity; with `en_pro` and `en_anti` where they
//! are given (specification, B1).

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{InputError, Item, TextFile};

use super::prediction::Gold;
use crate::wibemt::occupations;

pub const GOLD: &str = "gender";
pub const INDEX: &str = "index";
pub(crate) const OCCUPATION: &str = "occupation";
/// `pro` or `anti`, where the sentence is of WinoBias.
pub const SET: &str = "set";

struct SentenceRow {
    gold: Gold,
    index: usize,
    sentence: String,
    entity: String,
}

/// The whole set and its two halves, by their names without extension: `en`, `en_pro`, `en_anti`.
pub fn choose_files(present: &[String]) -> Vec<String> {
    let mut chosen = Vec::new();
    for stem in ["en", "en_pro", "en_anti"] {
        let names = ["txt", "tsv"].map(|ending| format!("{stem}.{ending}"));
        let found = names.iter().find(|name| present.contains(name));
        match found {
            Some(name) => chosen.push(name.clone()),
            None if stem == "en" => chosen.push("en.txt".to_owned()),
            None => {}
        }
    }
    chosen
}

pub fn read(files: &[TextFile]) -> Result<Vec<Item>, InputError> {
    let stem = |file: &TextFile| file.stem().to_owned();
    let side = |name: &str| {
        let set = ["pro", "anti"].into_iter();
        set.clone()
            .find(|set| name.starts_with(&format!("en_{set}")))
    };
    let (halves, whole): (Vec<&TextFile>, Vec<&TextFile>) =
        files.iter().partition(|file| side(&stem(file)).is_some());
    // One of the halves may be the data itself.
    let (data, halves) = match whole.first() {
        Some(data) => (*data, halves),
        None => (&files[0], Vec::new()),
    };
    let lines = lines(data)?;
    let sets = match side(&stem(data)) {
        Some(set) => vec![Some(set); lines.len()],
        None if halves.len() == 2 => members(&lines, &halves)?,
        None => by_structure(&lines),
    };
    let items = lines
        .into_iter()
        .zip(sets)
        .enumerate()
        .map(|(number, (line, set))| {
            let item = Item::new(format!("winomt:{}", number + 1), line.sentence)
                .with_label(GOLD, line.gold.name())
                .with_label(INDEX, line.index.to_string())
                .with_label(OCCUPATION, line.entity);
            match set {
                Some(set) => item.with_label(SET, set),
                None => item,
            }
        });
    Ok(items.collect())
}

fn lines(file: &TextFile) -> Result<Vec<SentenceRow>, InputError> {
    let mut lines = Vec::new();
    for (number, line) in (1u64..).zip(file.text.lines()) {
        let complain = |message: String| {
            InputError::new(&file.path, message)
                .at_line(number)
                .with_hint(
                    "expected gold gender, index of the entity's word, sentence, entity, with tabs",
                )
        };
        let cells: Vec<&str> = line.split('\t').collect();
        let [gold, index, sentence, entity] = cells.as_slice() else {
            return Err(complain(format!(
                "there are {} cells, expected 4",
                cells.len()
            )));
        };
        let gold = gold.parse().map_err(|()| {
            complain(format!(
                "the gender is `{gold}`, expected male, female or neutral"
            ))
        })?;
        let words = sentence.split(' ').count();
        let index = index.parse().ok().filter(|index| *index < words);
        let index = index.ok_or_else(|| complain(format!("the index is not below {words}")))?;
        lines.push(SentenceRow {
            gold,
            index,
            sentence: (*sentence).to_owned(),
            entity: bare(entity),
        });
    }
    if lines.is_empty() {
        Err(InputError::new(&file.path, "there are no sentences"))
    } else {
        Ok(lines)
    }
}

/// The entity without its article, in lower case.
fn bare(entity: &str) -> String {
    let lower = entity.trim().to_lowercase();
    let articles = ["the ", "a ", "an "];
    let noun = articles
        .iter()
        .find_map(|article| lower.strip_prefix(article));
    noun.unwrap_or(&lower).trim().to_owned()
}

/// Sets from the files `en_pro` and `en_anti`, by gender and sentence.
fn members(
    lines: &[SentenceRow],
    halves: &[&TextFile],
) -> Result<Vec<Option<&'static str>>, InputError> {
    let mut sets: BTreeMap<&str, BTreeSet<(Gold, String, usize)>> = BTreeMap::new();
    for file in halves {
        let set = if file.stem().starts_with("en_pro") {
            "pro"
        } else {
            "anti"
        };
        let rows = self::lines(file)?;
        sets.insert(
            set,
            rows.into_iter()
                .map(|line| (line.gold, line.sentence, line.index))
                .collect(),
        );
    }
    let member = |line: &SentenceRow| {
        let key = (line.gold, line.sentence.clone(), line.index);
        ["anti", "pro"]
            .into_iter()
            .find(|set| sets.get(set).is_some_and(|members| members.contains(&key)))
    };
    Ok(lines.iter().map(member).collect())
}

/// Sets without files: in the published order anti-stereotypical sentences come before pro-stereotypical ones and
/// Winogender's triples last; in any other the occupation says which a sentence is.
fn by_structure(lines: &[SentenceRow]) -> Vec<Option<&'static str>> {
    let neutral = lines
        .iter()
        .filter(|line| line.gold == Gold::Neutral)
        .count();
    let winobias = lines.len().saturating_sub(3 * neutral);
    let guess: Vec<Option<&'static str>> = lines
        .iter()
        .enumerate()
        .map(|(number, line)| {
            if number < winobias {
                by_occupation(line)
            } else {
                None
            }
        })
        .collect();
    let half = winobias / 2;
    let in_order = guess[..winobias]
        .iter()
        .enumerate()
        .filter(|(number, set)| **set == Some(if *number < half { "anti" } else { "pro" }))
        .count();
    if winobias > 0 && winobias.is_multiple_of(2) && in_order * 100 >= winobias * 99 {
        let set = |number: usize| match number {
            _ if number < half => Some("anti"),
            _ if number < winobias => Some("pro"),
            _ => None,
        };
        return (0..lines.len()).map(set).collect();
    }
    guess
}

/// Whether WinoBias takes an occupation for one of women.
pub fn is_female_stereotype(occupation: &str) -> bool {
    let mut female = include_str!("../../data/winobias-female-occupations.txt").lines();
    female.any(|known| known == occupation)
}

fn by_occupation(line: &SentenceRow) -> Option<&'static str> {
    occupations::find_any_case(&line.entity).filter(|known| known.winobias)?;
    let stereotype = if is_female_stereotype(&line.entity) {
        Gold::Female
    } else {
        Gold::Male
    };
    match line.gold {
        Gold::Neutral => None,
        gold if gold == stereotype => Some("pro"),
        _ => Some("anti"),
    }
}
