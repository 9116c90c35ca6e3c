//! A page of a run's items with every answer: from the index, or from the beginning of the files while there is none yet.

use epicene_core::{Answer, Verdict};
use epicene_report::{AnswerCell, Shown};
use epicene_run::{log_files, read_observation};
use serde::Serialize;

use crate::index::read_item;
use crate::pages;
use crate::query::{Query, Window};
use crate::run::{Ready, ViewError, ViewedRun, first_lines};

#[derive(Debug, Serialize)]
pub struct ItemRow {
    id: String,
    text: String,
    labels: Vec<(String, String)>,
    cells: Vec<Cell>,
}

#[derive(Debug, Default, Serialize)]
struct Cell {
    letter: String,
    words: String,
    outcome: String,
    rule: String,
    text: Option<String>,
    number: Option<f64>,
}

impl ViewedRun {
    /// How many items fit, of how many.
    pub fn count(&self, query: &Query) -> Result<(usize, usize), ViewError> {
        let all = self.how_many();
        if query.is_open() {
            Ok((all, all))
        } else {
            Ok((self.matching(query)?.len(), all))
        }
    }

    /// A page of the items that fit.
    pub fn items(&self, query: &Query, window: Window) -> Result<Vec<ItemRow>, ViewError> {
        let ready = match self.ready() {
            Ok(ready) => ready,
            Err(ViewError::NotReady) if query.is_open() => return self.first_items(window),
            Err(error) => return Err(error),
        };
        let end = window.from.saturating_add(window.count);
        let places: Vec<usize> = if query.is_open() {
            (window.from..end.min(ready.items.len())).collect()
        } else {
            let all = self.matching(query)?;
            let from = window.from.min(all.len());
            let page = &all[from..end.min(all.len())];
            page.iter().map(|item| *item as usize).collect()
        };
        places
            .into_iter()
            .map(|item| self.item(&ready, item))
            .collect()
    }

    /// The first items with the answers that stand at the beginning of the log, before there is an index.
    fn first_items(&self, window: Window) -> Result<Vec<ItemRow>, ViewError> {
        let lines = first_lines(&self.items_path())?;
        let mut rows = Vec::new();
        for line in lines.iter().skip(window.from).take(window.count) {
            rows.push(self.row(line)?);
        }
        let sums = self.manifest.sums();
        let files = log_files(&self.path);
        let files = files.map_err(|error| ViewError::Unreadable(error.to_string()))?;
        let Some(file) = files.first() else {
            return Ok(rows);
        };
        for line in first_lines(file)? {
            let Ok(observation) = read_observation(&line, sums) else {
                continue;
            };
            let item = usize::try_from(observation.item.saturating_sub(1)).unwrap_or(usize::MAX);
            let column = self.columns.iter().position(|(system, unit)| {
                *system == observation.system && *unit == observation.unit
            });
            let row = item
                .checked_sub(window.from)
                .and_then(|place| rows.get_mut(place));
            if let (Some(row), Some(column)) = (row, column) {
                row.cells[column] = Cell::of(&observation.answer, None, "");
            }
        }
        Ok(rows)
    }

    fn row(&self, line: &[u8]) -> Result<ItemRow, ViewError> {
        let item = read_item(line, self.benchmark)?;
        let labels = item.labels.keys().map(|name| {
            let value = item.labels.get(name).unwrap_or("");
            (name.to_owned(), value.to_owned())
        });
        Ok(ItemRow {
            labels: labels.collect(),
            cells: self.columns.iter().map(|_| Cell::none()).collect(),
            id: item.id,
            text: item.text,
        })
    }

    fn item(&self, ready: &Ready, item: usize) -> Result<ItemRow, ViewError> {
        let mut row = self.row(&ready.items.line(&self.items_path(), item)?)?;
        let sums = self.manifest.sums();
        for column in 0..self.columns.len() {
            let Some(line) = ready.answers.line(item, column)? else {
                continue;
            };
            // A line that was changed is an error that says so, never an answer.
            let observation = read_observation(&line, sums).map_err(|message| {
                ViewError::Unreadable(format!("item {}: {message}", item + 1))
            })?;
            let (mut verdict, mut rule) = (None, "");
            if let Some(store) = &ready.judged.store
                && let Some(record) = store.column(column, item, 1)?.first().copied()
                && let Some(finding) = record.finding()
            {
                let words = store.evidence(column, item, record);
                let mut found = Verdict::new(finding, "").with_evidence(words);
                found.outcome = record.outcome();
                (verdict, rule) = (Some(found), store.rule(record));
            }
            row.cells[column] = Cell::of(&observation.answer, verdict, rule);
        }
        Ok(row)
    }
}

impl Cell {
    fn none() -> Cell {
        Cell {
            letter: ".".to_owned(),
            words: "no answer".to_owned(),
            ..Cell::default()
        }
    }

    fn of(answer: &Answer, verdict: Option<Verdict>, rule: &str) -> Cell {
        let evidence = verdict
            .as_ref()
            .map_or(&[][..], |verdict| &verdict.evidence);
        let shown = pages::shown(answer, evidence);
        let mut cell = match verdict {
            Some(verdict) => {
                let cell = AnswerCell {
                    verdict,
                    shown: Shown::Nothing,
                };
                Cell {
                    letter: cell.letter().to_string(),
                    words: cell.words().to_owned(),
                    outcome: cell.outcome().to_owned(),
                    rule: rule.to_owned(),
                    ..Cell::default()
                }
            }
            None => Cell {
                letter: "u".to_owned(),
                words: "no verdict yet".to_owned(),
                ..Cell::default()
            },
        };
        match shown {
            Shown::Text(text) => cell.text = Some(text),
            Shown::Number(number) => cell.number = Some(number),
            Shown::Nothing => {}
        }
        cell
    }
}
