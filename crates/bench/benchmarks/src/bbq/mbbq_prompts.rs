//! The five prompts of MBBQ. Their authors state no licence, so they are not here: they are read from `answer_detection.py` of the
//! user's own clone.

use std::collections::BTreeMap;

use epicene_core::{InputError, TextFile};
use serde_json::{Map, Value};

use super::options::PROMPTS;
use super::question_row::QuestionRow;
use crate::Options;

/// The file of the clone that has the prompts.
pub const FILE: &str = "answer_detection.py";
/// Where they stand in it: translations of the English ones by language.
const TABLE: &str = "trans_prompt_dict";
/// How many there are in each language, and how many fields each has: context, question and the three options.
const COUNT: usize = 5;
const FIELD: &str = "{}";
const FIELDS: usize = 5;

/// The prompts that are asked, by name and index.
pub fn asked(options: &Options) -> Vec<(String, usize)> {
    let names = options.get(&PROMPTS).into_iter();
    let indexed = names.filter_map(|name| {
        let number: usize = name.strip_prefix("mbbq-")?.parse().ok()?;
        Some((name, number.checked_sub(1)?))
    });
    indexed.collect()
}

/// The prompts of a language, from the file among those that were given.
pub fn of_language(
    files: &[&TextFile],
    language: &str,
    rows: &str,
) -> Result<Vec<String>, InputError> {
    let Some(file) = files.first() else {
        let message = format!("the prompts of MBBQ are asked, and {FILE} is not there");
        return Err(
            InputError::new(rows, message).with_hint("give the clone of Veranep/MBBQ: --data MBBQ")
        );
    };
    read(file)?.remove(language).ok_or_else(|| {
        let message = format!("MBBQ has no prompts in {language}");
        InputError::new(&file.path, message)
    })
}

/// All prompts by language, in one order.
pub fn read(file: &TextFile) -> Result<BTreeMap<String, Vec<String>>, InputError> {
    let bad = |why: String| {
        InputError::new(
            &file.path,
            format!("the prompts of MBBQ cannot be read: {why}"),
        )
        .with_hint(format!("give {FILE} as the authors have it"))
    };
    let table = file.text.split_once(TABLE).map(|(_, table)| table);
    let table = table.ok_or_else(|| bad(format!("there is no {TABLE}")))?;
    let mut translations: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut english: Vec<String> = Vec::new();
    let mut language = String::new();
    for line in table.lines() {
        let line = line.trim();
        if let Some(name) = line.strip_suffix(": {") {
            name.trim_matches(['"', '\'']).clone_into(&mut language);
            continue;
        }
        // One pair of strings a line, which JSON writes alike; brackets are none.
        let pair: Map<String, Value> =
            match serde_json::from_str(&format!("{{{}}}", line.trim_end_matches(','))) {
                Ok(pair) => pair,
                Err(_) => continue,
            };
        for (source, text) in pair {
            let Value::String(text) = text else { continue };
            // The Spanish list has the order of the paper.
            if language == "es" {
                english.push(source.clone());
            }
            translations
                .entry(language.clone())
                .or_default()
                .insert(source, text);
        }
    }
    let mut found = BTreeMap::from([("en".to_owned(), english.clone())]);
    for (language, texts) in &translations {
        let own = english.iter().map(|source| texts.get(source).cloned());
        let own: Option<Vec<String>> = own.collect();
        let own = own.ok_or_else(|| bad(format!("a prompt has no translation into {language}")))?;
        found.insert(language.clone(), own);
    }
    for (language, texts) in &found {
        let whole = texts
            .iter()
            .all(|text| text.matches(FIELD).count() == FIELDS);
        if texts.len() != COUNT || !whole {
            return Err(bad(format!(
                "expected {COUNT} prompts with {FIELDS} fields each in {language}, found {}",
                texts.len()
            )));
        }
    }
    Ok(found)
}

/// A prompt with its fields, the options as they are offered.
pub fn filled(text: &str, row: &QuestionRow, options: &[String; 3]) -> String {
    let [a, b, c] = options;
    let values = [&row.context, &row.question, a, b, c];
    let mut filled = String::new();
    let mut values = values.into_iter();
    for (index, part) in text.split(FIELD).enumerate() {
        if index > 0 {
            filled.push_str(values.next().map_or("", String::as_str));
        }
        filled.push_str(part);
    }
    filled
}
