//! Labels that people gave to translations, and how often the judge agrees (specification, B5).

use std::collections::BTreeMap;

use epicene_core::{InputError, TextFile};

use super::prediction::Prediction;
use crate::csv_input::CsvInput;

/// One labelled translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HumanLabel {
    /// Item, counted from 0.
    pub index: usize,
    pub translation: String,
    /// `m`, `f`, `n`, or something that cannot be used.
    pub label: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HumanLabels(pub Vec<HumanLabel>);

/// Labels that can be used, by what people call them.
const LABELS: [(&str, &str); 3] = [("m", "male"), ("f", "female"), ("n", "neutral")];

/// Agreement on the rows that can be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agreement {
    pub equal: u64,
    pub usable: u64,
    /// Rows whose text is not the translation that was judged.
    pub other_text: u64,
    /// How often each label met each prediction.
    confusion: BTreeMap<(&'static str, Prediction), u64>,
}

impl Agreement {
    /// People's labels down, the judge's predictions across.
    pub fn cells(&self) -> impl Iterator<Item = (&'static str, Prediction, u64)> + '_ {
        LABELS.iter().flat_map(move |(_, label)| {
            Prediction::ALL.map(|prediction| {
                let count = self.confusion.get(&(*label, prediction));
                (*label, prediction, count.copied().unwrap_or(0))
            })
        })
    }

    /// How many rows have a label.
    pub fn labelled(&self, label: &str) -> u64 {
        let own = self.cells().filter(|(other, ..)| *other == label);
        own.map(|(.., count)| count).sum()
    }
}

impl HumanLabels {
    /// A table index, entity, sentence, found, gender, with or without that header, tabs or commas.
    pub fn read(file: &TextFile) -> Result<HumanLabels, InputError> {
        let first = file.text.lines().next().unwrap_or("");
        let delimiter = if first.contains('\t') { b'\t' } else { b',' };
        let mut input = CsvInput::new(file, delimiter);
        let mut labels = Vec::new();
        let mut number = 0;
        while let Some((place, record)) = input.next()? {
            number += 1;
            let cell = |at: usize| record.get(at).map(str::trim);
            let (Some(index), Some(translation), Some(label)) = (cell(0), cell(2), cell(4)) else {
                let message = "expected index, entity, translation, found, gender";
                return Err(place.complain(file, message));
            };
            let Ok(index) = index.parse() else {
                if number == 1 {
                    continue;
                }
                return Err(place.complain(file, format!("`{index}` is not an index")));
            };
            labels.push(HumanLabel {
                index,
                translation: translation.to_owned(),
                label: label.to_lowercase(),
            });
        }
        if labels.is_empty() {
            Err(InputError::new(&file.path, "there are no labels"))
        } else {
            Ok(HumanLabels(labels))
        }
    }

    /// `judged` gives translation and prediction of an item.
    pub fn agreement<'a>(
        &self,
        judged: impl Fn(usize) -> Option<(&'a str, Prediction)>,
    ) -> Agreement {
        let mut agreement = Agreement::default();
        for row in &self.0 {
            let known = LABELS.iter().find(|(letter, _)| *letter == row.label);
            let Some((_, label)) = known else { continue };
            let Some((translation, prediction)) = judged(row.index) else {
                agreement.other_text += 1;
                continue;
            };
            agreement.usable += 1;
            let cell = agreement.confusion.entry((label, prediction));
            *cell.or_default() += 1;
            agreement.equal += u64::from(row.label.starts_with(prediction.letter()));
            agreement.other_text += u64::from(translation.trim() != row.translation);
        }
        agreement
    }
}
