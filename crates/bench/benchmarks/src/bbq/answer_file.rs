//! Answers that somebody already has: JSON lines or a table with the id of a row and the index of the option (`answer`), or
//! log-likelihoods of the continuations (`loglikelihoods`), or what a chat model said in a unit (`text`, `unit`).

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{
    Answer, ChatAnswer, ContinuationScore, Finish, InputError, Item, ItemRef, ModelKind, TextFile,
    Unit,
};
use serde_json::{Map, Value};

use super::question_row::QuestionRow;
use super::ways::Way;
use crate::csv_input::CsvInput;
use crate::{AnswerFile, AnswerSheet, Ask, Card, Sheets, chat};

/// Where an item stands, by its id and by the id of its row where the data are one set.
type Places<'a> = BTreeMap<&'a str, usize>;

/// What a benchmark's files may hold.
pub struct Plain {
    /// Options of an item, by their indices.
    pub options: u8,
    /// Continuations of an item.
    pub continuations: fn(&Item) -> Option<usize>,
    /// Whether items may lack an answer.
    pub partial: bool,
}

pub fn sheets(
    card: &Card,
    files: &[AnswerFile],
    items: &[Item],
    asks: &[Ask],
    layout: &Plain,
) -> Sheets {
    let (texts, _) = AnswerFile::of_models(files, card)?;
    let mut places: Places<'_> = BTreeMap::new();
    let parts: BTreeSet<&str> = items
        .iter()
        .filter_map(|item| Some(item.id.split_once(':')?.0))
        .collect();
    for (place, item) in items.iter().enumerate() {
        places.insert(&item.id, place);
        if let Some((_, own)) = item.id.split_once(':').filter(|_| parts.len() == 1) {
            places.insert(own, place);
        }
    }
    let mut sheets = Vec::new();
    for (number, file) in texts.iter().enumerate() {
        let lines = lines(file)?;
        // What chat models said in units is read as every chat benchmark reads it.
        if lines.iter().any(|(_, line)| line.contains_key("unit")) {
            let mut read = chat::sheets(card, &files[number..=number], items, asks)?;
            for sheet in &mut read {
                sheet.files = vec![number];
            }
            sheets.extend(read);
            continue;
        }
        sheets.extend(plain(file, number, &lines, items, &places, layout)?);
    }
    Ok(sheets)
}

/// An object of a file with its line.
type NumberedObject = (u64, Map<String, Value>);

/// The objects of a file with their lines.
fn lines(file: &TextFile) -> Result<Vec<NumberedObject>, InputError> {
    if !file.text.trim_start().starts_with('{') {
        return table(file);
    }
    let mut lines = Vec::new();
    for (number, text) in (1..).zip(file.text.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        let object: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
            let message = format!("this is no answer ({error})");
            InputError::new(&file.path, message).at_line(number)
        })?;
        lines.push((number, object));
    }
    Ok(lines)
}

fn table(file: &TextFile) -> Result<Vec<NumberedObject>, InputError> {
    let tabs = file.text.lines().next().unwrap_or("").contains('\t');
    let mut input = CsvInput::new(file, if tabs { b'\t' } else { b',' });
    let header: Vec<String> = match input.next()? {
        Some((_, record)) => record.iter().map(|cell| cell.trim().to_owned()).collect(),
        None => return Err(InputError::new(&file.path, "the file is empty")),
    };
    let has = |name: &str| header.iter().any(|cell| cell == name);
    if !has("id") || !has("answer") {
        let message = format!(
            "the header is `{}`; columns `id` and `answer` are needed",
            header.join(",")
        );
        return Err(InputError::new(&file.path, message).at_line(1));
    }
    let mut lines = Vec::new();
    while let Some((place, record)) = input.next()? {
        let cells = header.iter().cloned().zip(record.iter().map(str::trim));
        let value = |(name, cell): (String, &str)| {
            let value = match name.as_str() {
                "answer" => match cell.parse::<i64>() {
                    Ok(number) => Value::from(number),
                    Err(_) if cell.is_empty() => Value::Null,
                    Err(_) => Value::from(cell),
                },
                _ => Value::from(cell),
            };
            (name, value)
        };
        lines.push((place.line(file), cells.map(value).collect()));
    }
    Ok(lines)
}

/// What one system answered in the two plain ways.
type OfSystem = BTreeMap<Unit, Vec<Option<Answer>>>;

fn plain(
    file: &TextFile,
    number: usize,
    lines: &[(u64, Map<String, Value>)],
    items: &[Item],
    places: &Places<'_>,
    layout: &Plain,
) -> Sheets {
    let mut systems: BTreeMap<String, OfSystem> = BTreeMap::new();
    for (line, object) in lines {
        let bad = |message: String| InputError::new(&file.path, message).at_line(*line);
        let id = match object.get("id").or_else(|| object.get("item")) {
            Some(Value::String(id)) => id.clone(),
            Some(Value::Number(id)) => id.to_string(),
            _ => return Err(bad("the line has no `id`".to_owned())),
        };
        let place = places
            .get(id.as_str())
            .ok_or_else(|| bad(format!("row {id}: there is no such row in the data")))?;
        let item = &items[*place];
        let (way, answer) =
            answer(object, item, layout).map_err(|message| bad(format!("row {id}: {message}")))?;
        let name = match object.get("system") {
            Some(Value::String(name)) => name.clone(),
            _ => file.name.split('.').next().unwrap_or("file").to_owned(),
        };
        let units = systems.entry(name).or_default();
        let answers = units.entry(way.unit());
        let answers = answers.or_insert_with(|| vec![None; items.len()]);
        if answers[*place].replace(answer).is_some() {
            return Err(bad(format!("row {id}: the id stands here twice")));
        }
    }
    let mut sheets = Vec::new();
    for (system, units) in systems {
        for (unit, answers) in units {
            let missing = answers.iter().filter(|answer| answer.is_none()).count();
            if let Some(first) = answers
                .iter()
                .position(Option::is_none)
                .filter(|_| !layout.partial)
            {
                let message = format!(
                    "{system} has no answer to {} ({missing} are missing)",
                    items[first].id
                );
                return Err(InputError::new(&file.path, message).with_hint(
                    "a file answers every item; --partial measures what is there and says how much",
                ));
            }
            let kind = match Way::of(&unit) {
                Some(Way::Continuations) => ModelKind::Causal,
                _ => ModelKind::Chat,
            };
            let answers = answers.into_iter();
            let answers = answers.map(|answer| answer.unwrap_or(Answer::Missing));
            sheets.push(AnswerSheet {
                system: system.clone(),
                kind,
                files: vec![number],
                units: vec![(unit, answers.collect())],
            });
        }
    }
    Ok(sheets)
}

fn answer(
    object: &Map<String, Value>,
    item: &Item,
    layout: &Plain,
) -> Result<(Way, Answer), String> {
    if let Some(scores) = object.get("loglikelihoods") {
        let wanted = (layout.continuations)(item).ok_or("this item has no continuations")?;
        let answer = likelihoods(scores, object.get("tokens"), wanted)?;
        return Ok((Way::Continuations, answer));
    }
    let said = |text: String| {
        let answer = ChatAnswer::new(text, Finish::Stop);
        Ok((Way::Indices, Answer::Chat(Box::new(answer))))
    };
    match object.get("answer") {
        Some(Value::Number(number)) => match number.as_i64() {
            Some(index) if (0..i64::from(layout.options)).contains(&index) => {
                said(char::from(b'A' + index as u8).to_string())
            }
            // Nothing could be read.
            Some(-1) => said(String::new()),
            _ => Err(format!(
                "the answer is {number}, expected 0 to {}, or -1 where nothing could be read",
                layout.options - 1
            )),
        },
        Some(Value::String(text)) => said(text.clone()),
        Some(Value::Null) => Ok((Way::Indices, Answer::Missing)),
        Some(_) => Err("the answer is neither an index nor a text".to_owned()),
        None => Err("the line has none of `answer`, `loglikelihoods` and `unit`".to_owned()),
    }
}

fn likelihoods(scores: &Value, tokens: Option<&Value>, wanted: usize) -> Result<Answer, String> {
    let numbers = |value: &Value| -> Option<Vec<f64>> {
        value.as_array()?.iter().map(Value::as_f64).collect()
    };
    let sums = numbers(scores)
        .filter(|sums| sums.iter().all(|sum| sum.is_finite()))
        .ok_or("a log-likelihood is no finite number")?;
    if sums.len() != wanted {
        return Err(format!(
            "{} log-likelihoods of {wanted} continuations",
            sums.len()
        ));
    }
    let tokens = match tokens {
        None => vec![1.0; wanted],
        Some(tokens) => numbers(tokens)
            .filter(|tokens| tokens.len() == wanted && tokens.iter().all(|count| *count >= 1.0))
            .ok_or("`tokens` is not a count for each continuation")?,
    };
    let score = |(sum, tokens): (f64, f64)| ContinuationScore {
        sum,
        tokens: tokens as u32,
    };
    Ok(Answer::Continuations(
        sums.into_iter().zip(tokens).map(score).collect(),
    ))
}

/// The row of an item that is not packed yet.
pub fn row_of(item: &Item) -> Option<QuestionRow> {
    QuestionRow::of(ItemRef {
        id: &item.id,
        text: &item.text,
        labels: &item.labels,
    })
}
