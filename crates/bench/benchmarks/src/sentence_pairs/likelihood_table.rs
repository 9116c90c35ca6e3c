//! Sentence likelihoods somebody already has: one row for each sentence, one column for each model
//! and method (`NAME/aula`), or JSON lines with a method's name as key and perhaps an embedding.
//!
//! Without ids the rows are in the order of the sentences; a column `sentence_id` (or `id`) lets them
//! come in any order, which is the layout of StereoSet's published predictions. A column `sentence` (or `text`) is compared
//! with the data. An empty cell is a sentence without a likelihood.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{Answer, InputError, ModelKind, Scorer, TextFile, counted, there_are};
use serde_json::{Map, Value};

use crate::AnswerSheet;
use crate::csv_input::CsvInput;
use crate::score_file::By;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LikelihoodTable {
    pub ids: Option<Vec<String>>,
    /// What every row says its sentence is, or none at all.
    pub texts: Option<Vec<String>>,
    pub columns: Vec<LikelihoodColumn>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LikelihoodColumn {
    pub system: String,
    /// `None` where the column does not say.
    pub method: Option<Scorer>,
    pub values: Vec<Option<f64>>,
    /// As many as values, or none at all.
    pub embeddings: Vec<Vec<f32>>,
}

impl LikelihoodColumn {
    fn is_empty(&self) -> bool {
        self.values.iter().all(Option::is_none)
    }
}

/// How far above 0 rounding may put the logarithm of a probability.
const LARGEST: f64 = 1e-3;

/// A method by its name in a column or key.
fn method(name: &str) -> Option<Scorer> {
    let method: Scorer = name.parse().ok()?;
    matches!(method, Scorer::Likelihood(_) | Scorer::FilledBlank).then_some(method)
}

impl LikelihoodTable {
    pub fn parse(file: &TextFile) -> Result<LikelihoodTable, InputError> {
        let table = if file.text.trim_start().starts_with('{') {
            json_lines(file)?
        } else {
            separated(file)?
        };
        match table.columns.first() {
            None => Err(InputError::new(
                &file.path,
                "there is no column of likelihoods",
            )),
            Some(column) if column.values.is_empty() => Err(InputError::new(
                &file.path,
                "there are no likelihoods below the header",
            )),
            Some(_) => match table.columns.iter().find(|column| column.is_empty()) {
                Some(empty) => {
                    let message = format!("column `{}`: no cell holds a likelihood", empty.system);
                    Err(InputError::new(&file.path, message))
                }
                None => Ok(table),
            },
        }
    }

    /// The row of every sentence.
    fn rows(&self, file: &TextFile, sentences: &[String]) -> Result<Vec<usize>, InputError> {
        let Some(ids) = &self.ids else {
            let rows = self.columns.first().map_or(0, |column| column.values.len());
            if rows == sentences.len() {
                return Ok((0..rows).collect());
            }
            let message = format!(
                "{}, the data has {}",
                there_are(rows, "row", "rows"),
                counted(sentences.len(), "sentence", "sentences")
            );
            return Err(InputError::new(&file.path, message).with_hint(
                "one row for each sentence in the order of the data, or a column `sentence_id`",
            ));
        };
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (row, id) in ids.iter().enumerate() {
            if places.insert(id, row).is_some() {
                let message = format!("sentence `{id}` is there twice");
                return Err(InputError::new(&file.path, message).at_line(row as u64 + 2));
            }
        }
        let mut known = BTreeSet::new();
        if let Some(twice) = sentences.iter().find(|id| !known.insert(id.as_str())) {
            let message =
                format!("two sentences of the data have the id `{twice}`: a row cannot be of both");
            return Err(InputError::new(&file.path, message).with_hint(
                "give every sentence of the data an id of its own, or leave the column of ids out",
            ));
        }
        let missing: Vec<&String> = sentences
            .iter()
            .filter(|id| !places.contains_key(id.as_str()))
            .collect();
        match missing.first() {
            Some(first) => Err(InputError::new(
                &file.path,
                format!(
                    "{} of {} sentences are not there, first: `{first}`",
                    missing.len(),
                    sentences.len()
                ),
            )),
            None => Ok(sentences
                .iter()
                .filter_map(|id| places.get(id.as_str()).copied())
                .collect()),
        }
    }
}

/// Refuses rows that say that they are about other sentences than those they are taken for.
fn check_texts(
    file: &TextFile,
    table: &LikelihoodTable,
    rows: &[usize],
    (ids, texts): (&[String], &[&str]),
) -> Result<(), InputError> {
    let Some(given) = &table.texts else {
        return Ok(());
    };
    let each = rows.iter().zip(ids.iter().zip(texts));
    let other = each.filter(|(row, (_, text))| given[**row].trim() != text.trim());
    let found: Vec<(&usize, (&String, &&str))> = other.collect();
    let Some((row, (id, text))) = found.first() else {
        return Ok(());
    };
    let message = format!(
        "{} about another sentence than the data has there, first `{}`, the data has `{text}` ({id})",
        counted(found.len(), "row is", "rows are"),
        given[**row]
    );
    Err(InputError::new(&file.path, message)
        .with_hint("put the rows in the order of the data, or give a column `sentence_id`"))
}

fn separated(file: &TextFile) -> Result<LikelihoodTable, InputError> {
    let header = file.text.lines().next().unwrap_or("");
    let delimiter = if header.contains('\t') { b'\t' } else { b',' };
    let mut input = CsvInput::new(file, delimiter);
    let names: Vec<String> = match input.next()? {
        Some((_, record)) => record.iter().map(|cell| cell.trim().to_owned()).collect(),
        None => return Err(InputError::new(&file.path, "the file is empty")),
    };
    let named = |by: By| {
        let mut places = (0..names.len()).filter(|place| By::of(&names[*place]) == Some(by));
        match (places.next(), places.next()) {
            (Some(first), Some(second)) => {
                let message = format!(
                    "`{}` and `{}` both say which sentence a row is about",
                    names[first], names[second]
                );
                Err(InputError::new(&file.path, message)
                    .at_line(1)
                    .with_hint("leave one of them out"))
            }
            (first, _) => Ok(first),
        }
    };
    let (ids, texts) = (named(By::Id)?, named(By::Sentence)?);
    let mut table = LikelihoodTable {
        ids: ids.map(|_| Vec::new()),
        texts: texts.map(|_| Vec::new()),
        columns: Vec::new(),
    };
    for (place, name) in names.iter().enumerate() {
        if Some(place) == ids || Some(place) == texts {
            continue;
        }
        if name.is_empty() || name.parse::<f64>().is_ok() {
            let message = format!("the header holds `{name}` where a column's name is expected");
            return Err(InputError::new(&file.path, message)
                .at_line(1)
                .with_hint("columns are named NAME or NAME/METHOD, for example my-bert/aula"));
        }
        let split = name.rsplit_once('/');
        if let Some((_, ending)) = split
            && method(ending).is_none()
            && method(&ending.to_lowercase()).is_some()
        {
            let message = format!("column `{name}`: methods are written in small letters");
            return Err(InputError::new(&file.path, message).at_line(1));
        }
        let (system, method) = match split.and_then(|(system, name)| Some((system, method(name)?)))
        {
            Some((system, method)) => (system, Some(method)),
            None => (name.as_str(), None),
        };
        table.columns.push(LikelihoodColumn {
            system: system.to_owned(),
            method,
            values: Vec::new(),
            embeddings: Vec::new(),
        });
    }
    while let Some((place, record)) = input.next()? {
        let mut columns = table.columns.iter_mut();
        for (index, cell) in record.iter().enumerate() {
            if Some(index) == ids {
                if let Some(ids) = &mut table.ids {
                    ids.push(cell.trim().to_owned());
                }
            } else if Some(index) == texts {
                if let Some(texts) = &mut table.texts {
                    texts.push(cell.to_owned());
                }
            } else if let Some(column) = columns.next() {
                let value = number(cell).map_err(|message| {
                    place.complain(file, format!("column `{}`: {message}", column.system))
                })?;
                column.values.push(value);
            }
        }
    }
    Ok(table)
}

fn number(cell: &str) -> Result<Option<f64>, String> {
    match cell.trim() {
        "" | "NaN" | "nan" | "null" => Ok(None),
        cell => match cell.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Some(value)),
            _ => Err(format!("`{cell}` is not a finite number")),
        },
    }
}

/// One object a line: a method's name with a number (or null), `embedding`, `id`, `model`.
fn json_lines(file: &TextFile) -> Result<LikelihoodTable, InputError> {
    let mut system = file.stem().to_owned();
    let mut ids: Vec<String> = Vec::new();
    let mut columns: Vec<LikelihoodColumn> = Vec::new();
    let mut embeddings: Vec<Vec<f32>> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    let mut rows = 0;
    for (index, line) in file.text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let complain =
            |message: String| InputError::new(&file.path, message).at_line(index as u64 + 1);
        let object: Map<String, Value> =
            serde_json::from_str(line).map_err(|error| complain(error.to_string()))?;
        if let Some(Value::String(model)) = object.get("model") {
            if rows > 0 && *model != system {
                return Err(complain(format!(
                    "model `{model}` after `{system}`: one model a file"
                )));
            }
            system.clone_from(model);
        }
        match object.get("id") {
            Some(Value::String(id)) => ids.push(id.clone()),
            Some(Value::Number(id)) => ids.push(id.to_string()),
            _ => {}
        }
        if let Some(Value::String(text)) = object.get("sentence").or_else(|| object.get("text")) {
            texts.push(text.clone());
        }
        if let Some(embedding) = object.get("embedding") {
            let embedding = serde_json::from_value(embedding.clone())
                .map_err(|_| complain("`embedding` is not a list of numbers".to_owned()))?;
            embeddings.push(embedding);
        }
        for (name, value) in &object {
            let Some(method) = method(name) else {
                continue;
            };
            let value = match value {
                Value::Null => None,
                value => Some(
                    value
                        .as_f64()
                        .ok_or_else(|| complain(format!("`{name}` is not a number")))?,
                ),
            };
            let known = columns
                .iter_mut()
                .find(|column| column.method == Some(method));
            match known {
                Some(column) => column.values.push(value),
                None => columns.push(LikelihoodColumn {
                    system: String::new(),
                    method: Some(method),
                    values: vec![value],
                    embeddings: Vec::new(),
                }),
            }
        }
        rows += 1;
        if columns.iter().any(|column| column.values.len() != rows) {
            return Err(complain("every line needs the same methods".to_owned()));
        }
        if !matches!(embeddings.len(), 0 | 1) && embeddings.len() != rows
            || !matches!(ids.len(), 0 | 1) && ids.len() != rows
            || !matches!(texts.len(), 0 | 1) && texts.len() != rows
        {
            return Err(complain(
                "`embedding`, `id` and `text` must be in every line or in none".to_owned(),
            ));
        }
    }
    for column in &mut columns {
        column.system.clone_from(&system);
        column.embeddings.clone_from(&embeddings);
    }
    Ok(LikelihoodTable {
        ids: (!ids.is_empty()).then_some(ids),
        texts: (!texts.is_empty()).then_some(texts),
        columns,
    })
}

/// How a benchmark turns columns into answers.
pub struct SheetLayout<'a> {
    /// The ids of every item's sentences.
    pub sentences: &'a [Vec<String>],
    /// The sentences themselves, in the same order.
    pub texts: &'a [Vec<&'a str>],
    pub methods: &'a [Scorer],
    /// The method of a column that names none.
    pub default_method: Scorer,
}

/// One sheet for each model, one unit for each of its methods.
pub fn sheets(
    files: &[TextFile],
    layout: &SheetLayout<'_>,
) -> Result<Vec<AnswerSheet>, InputError> {
    let flat: Vec<String> = layout.sentences.iter().flatten().cloned().collect();
    let texts: Vec<&str> = layout.texts.iter().flatten().copied().collect();
    let mut sheets: Vec<AnswerSheet> = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let table = LikelihoodTable::parse(file)?;
        let rows = table.rows(file, &flat)?;
        check_texts(file, &table, &rows, (&flat, &texts))?;
        for column in &table.columns {
            let method = column.method.unwrap_or(layout.default_method);
            if !layout.methods.contains(&method) {
                let message = format!(
                    "`{}` has likelihoods of `{method}`, which are of no use here",
                    column.system
                );
                let known: Vec<&str> = layout.methods.iter().map(|method| method.name()).collect();
                return Err(InputError::new(&file.path, message)
                    .at_line(1)
                    .with_hint(format!("methods: {}", known.join(", "))));
            }
            check(column, method, &rows, &flat).map_err(|message| {
                InputError::new(&file.path, message).with_hint(
                    "of a loss x give -x, of a perplexity x -ln(x), of a probability x ln(x)",
                )
            })?;
            let unit = (
                super::benchmark::unit(method),
                answers(column, &rows, layout),
            );
            match sheets
                .iter_mut()
                .find(|sheet| sheet.system == column.system)
            {
                Some(sheet) if sheet.units.iter().any(|(name, _)| *name == unit.0) => {
                    let message = format!("`{}` is there twice for {}", column.system, unit.0);
                    return Err(InputError::new(&file.path, message).at_line(1));
                }
                Some(sheet) => {
                    if !sheet.files.contains(&index) {
                        sheet.files.push(index);
                    }
                    sheet.units.push(unit);
                }
                None => sheets.push(AnswerSheet {
                    system: column.system.clone(),
                    kind: ModelKind::Masked,
                    files: vec![index],
                    units: vec![unit],
                }),
            }
        }
    }
    Ok(sheets)
}

/// Losses and perplexities fall where likelihoods rise: taken for likelihoods they would turn every result round.
fn check(
    column: &LikelihoodColumn,
    method: Scorer,
    rows: &[usize],
    sentences: &[String],
) -> Result<(), String> {
    let is_above = |(_, row): &(&String, &usize)| column.values[**row] > Some(LARGEST);
    let above: Vec<(&String, &usize)> = sentences.iter().zip(rows).filter(is_above).collect();
    match above.first() {
        Some((sentence, _)) if matches!(method, Scorer::Likelihood(_)) => Err(format!(
            "column `{}`: {} of {} numbers are above 0, first: `{sentence}`; a log-likelihood ({method}) never is",
            column.system,
            above.len(),
            rows.len(),
        )),
        _ => Ok(()),
    }
}

fn answers(column: &LikelihoodColumn, rows: &[usize], layout: &SheetLayout<'_>) -> Vec<Answer> {
    let mut rows = rows.iter();
    let item = |sentences: &Vec<String>| {
        let ours: Vec<usize> = rows.by_ref().take(sentences.len()).copied().collect();
        match (&ours[..], column.embeddings.is_empty()) {
            ([row], false) => match column.values[*row] {
                Some(likelihood) => Answer::Sentence {
                    likelihood,
                    embedding: column.embeddings[*row].as_slice().into(),
                },
                None => Answer::Missing,
            },
            _ => Answer::Likelihoods(ours.iter().map(|row| column.values[*row]).collect()),
        }
    };
    layout.sentences.iter().map(item).collect()
}
