//! Reads pair files: the CSV of CrowS-Pairs, and JSON or JSON lines with `stereotype` and
//! `anti-stereotype` (the layout of the translated pairs released with the MBE paper).
//!
//! `sent_more` is the stereotypical sentence in every row, whatever the direction says.

use std::collections::BTreeSet;

use epicene_core::{InputError, TextFile};
use serde::Deserialize;

use super::SentencePair;
use crate::csv_input::CsvInput;

#[derive(Deserialize)]
struct JsonPair {
    #[serde(default)]
    id: Option<serde_json::Value>,
    #[serde(default, alias = "stereo_antistereo")]
    direction: String,
    #[serde(default)]
    bias_type: String,
    #[serde(alias = "sent_more")]
    stereotype: String,
    #[serde(
        rename = "anti-stereotype",
        alias = "sent_less",
        alias = "anti_stereotype"
    )]
    anti_stereotype: String,
}

/// All pairs, in the order of the file.
pub fn read_pairs(file: &TextFile) -> Result<Vec<SentencePair>, InputError> {
    let pairs = match file.text.trim_start().chars().next() {
        Some('[') => {
            let rows: Vec<JsonPair> = serde_json::from_str(&file.text)
                .map_err(|error| json_error(file, error.line() as u64, &error))?;
            rows.into_iter().enumerate().map(from_json).collect()
        }
        Some('{') => json_lines(file)?,
        _ => table(file)?,
    };
    let mut ids = BTreeSet::new();
    for (index, pair) in pairs.iter().enumerate() {
        if !ids.insert(&pair.id) {
            let message = format!("pair {}: the id `{}` is there already", index + 1, pair.id);
            return Err(InputError::new(&file.path, message));
        }
        if pair.stereotypical.trim().is_empty() || pair.anti_stereotypical.trim().is_empty() {
            let message = format!("pair {} ({}): a sentence is empty", index + 1, pair.id);
            return Err(InputError::new(&file.path, message));
        }
    }
    if pairs.is_empty() {
        Err(InputError::new(&file.path, "there are no pairs"))
    } else {
        Ok(pairs)
    }
}

fn json_error(file: &TextFile, line: u64, error: &serde_json::Error) -> InputError {
    InputError::new(&file.path, error.to_string())
        .at_line(line)
        .with_hint("a pair has `stereotype`, `anti-stereotype`, and may have `id`, `direction`, `bias_type`")
}

fn from_json((index, row): (usize, JsonPair)) -> SentencePair {
    let id = match row.id {
        Some(serde_json::Value::String(id)) => id,
        Some(serde_json::Value::Number(id)) => id.to_string(),
        _ => (index + 1).to_string(),
    };
    SentencePair {
        id,
        stereotypical: row.stereotype,
        anti_stereotypical: row.anti_stereotype,
        direction: row.direction,
        bias_type: row.bias_type,
    }
}

fn json_lines(file: &TextFile) -> Result<Vec<SentencePair>, InputError> {
    let mut pairs = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let row: JsonPair = serde_json::from_str(line)
            .map_err(|error| json_error(file, index as u64 + 1, &error))?;
        pairs.push(from_json((pairs.len(), row)));
    }
    Ok(pairs)
}

fn table(file: &TextFile) -> Result<Vec<SentencePair>, InputError> {
    let delimiter = if file.text.lines().next().unwrap_or("").contains('\t') {
        b'\t'
    } else {
        b','
    };
    let mut input = CsvInput::new(file, delimiter);
    let header: Vec<String> = match input.next()? {
        Some((_, record)) => record.iter().map(|cell| cell.trim().to_owned()).collect(),
        None => return Err(InputError::new(&file.path, "the file is empty")),
    };
    let column = |names: &[&str]| {
        let mut cells = header.iter();
        cells.position(|cell| names.contains(&cell.as_str()))
    };
    let (Some(more), Some(less)) = (
        column(&["sent_more", "stereotype"]),
        column(&["sent_less", "anti-stereotype"]),
    ) else {
        let message = format!(
            "the header is `{}`; columns `sent_more` and `sent_less` are needed",
            header.join(",")
        );
        return Err(InputError::new(&file.path, message).at_line(1));
    };
    // The original file's row numbers stand in a column without a name.
    let id = column(&["id", ""]);
    let direction = column(&["stereo_antistereo", "direction"]);
    let bias_type = column(&["bias_type"]);
    let mut pairs = Vec::new();
    while let Some((_, record)) = input.next()? {
        let cell = |column: Option<usize>| {
            let cell = column.and_then(|column| record.get(column));
            cell.unwrap_or("").trim().to_owned()
        };
        let id = match cell(id) {
            id if id.is_empty() => (pairs.len() + 1).to_string(),
            id => id,
        };
        pairs.push(SentencePair {
            id,
            stereotypical: record[more].to_owned(),
            anti_stereotypical: record[less].to_owned(),
            direction: cell(direction),
            bias_type: cell(bias_type),
        });
    }
    Ok(pairs)
}
