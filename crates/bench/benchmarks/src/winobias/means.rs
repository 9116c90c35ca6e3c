//! WinoBias from a table of means somebody already has: the layout of the published `winobias.csv`.

use std::collections::BTreeMap;

use epicene_core::{
    Answer, InputError, Item, ModelKind, Question, Row, Scorer, TextFile, Unit, View,
};

use super::{METRICS, SPLITS};
use crate::convention::{CONVENTION, Convention};
use crate::csv_input::CsvInput;
use crate::{
    AnswerFile, AnswerSheet, Ask, BenchError, Benchmark, Card, Compared, Judged, Measured, Options,
    RowWriter, Sheets,
};

const HEADER: [&str; 5] = [
    "model_name",
    "dataset_type",
    "dataset_split",
    "logprob_male_professions",
    "logprob_female_professions",
];

/// A model's two means on one split, in log10.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SplitMeans {
    /// Without the organisation: `facebook/xlm-v-base` is `xlm-v-base`, as in the score files.
    pub model: String,
    pub split: &'static str,
    pub male: f64,
    pub female: f64,
}

impl SplitMeans {
    /// ghat_s.
    pub fn stereotype_rate(&self, convention: Convention) -> f64 {
        convention.factor(self.male - self.female)
    }
}

/// Reads the layout of the published `winobias.csv`.
pub(crate) fn read_means(file: &TextFile) -> Result<Vec<SplitMeans>, InputError> {
    let mut input = CsvInput::with_header(file, &HEADER)?;
    let mut means: Vec<SplitMeans> = Vec::new();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    while let Some((place, record)) = input.next()? {
        let given = record[0].trim().to_owned();
        let parsed = parse(record).and_then(|row| {
            let named = names
                .entry(row.model.clone())
                .or_insert_with(|| given.clone());
            if *named != given {
                return Err(format!(
                    "`{given}` and `{named}` would both be `{}`",
                    row.model
                ));
            }
            let known = means
                .iter()
                .any(|m| m.model == row.model && m.split == row.split);
            if known {
                Err(format!("{} is there twice for {}", row.model, row.split))
            } else {
                Ok(row)
            }
        });
        match parsed {
            Ok(row) => means.push(row),
            Err(message) => return Err(input.complain(place, message)),
        }
    }
    if means.is_empty() {
        return Err(InputError::new(
            &file.path,
            "there are no means below the header",
        ));
    }
    Ok(means)
}

/// The means of a finished run in the same layout: what `--winobias RUN` makes of a run directory.
pub(crate) fn means_of_run(judged: &Judged<'_>) -> Result<String, BenchError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let broken = |error: &dyn std::fmt::Display| BenchError::NotMeasurable(error.to_string());
    writer
        .write_record(HEADER)
        .map_err(|error| broken(&error))?;
    for (view, _) in judged.columns() {
        for (split, [male, female]) in super::split_means(judged, &view)? {
            let (kind, part) = split
                .strip_prefix("split:type")
                .and_then(|split| split.split_once('-'))
                .expect("splits are named by type and part");
            let (male, female) = (male.to_string(), female.to_string());
            let row = [&*view.system().name, kind, part, &*male, &*female];
            writer.write_record(row).map_err(|error| broken(&error))?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| broken(&error))?;
    Ok(String::from_utf8(bytes).expect("names and numbers are text"))
}

fn parse(record: &csv::StringRecord) -> Result<SplitMeans, String> {
    let name = format!("split:type{}-{}", record[1].trim(), record[2].trim());
    let split = SPLITS
        .into_iter()
        .find(|split| *split == name)
        .ok_or_else(|| format!("WinoBias has no type `{}` {}", &record[1], &record[2]))?;
    let number = |cell: &str, column: &str| match cell.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!(
            "column `{column}`: `{cell}` is not a finite number"
        )),
    };
    let model = record[0].trim();
    let model = model.rsplit_once('/').map_or(model, |(_, name)| name);
    if model.is_empty() {
        return Err("the model has no name".to_owned());
    }
    Ok(SplitMeans {
        model: model.to_owned(),
        split,
        male: number(&record[3], HEADER[3])?,
        female: number(&record[4], HEADER[4])?,
    })
}

/// WinoBias asks masked models; a table may be of others where the command says so.
const ASKED: ModelKind = ModelKind::Masked;

static CARD: Card = Card {
    cites: &["winobias"],
    options: &[&CONVENTION],
    metrics: METRICS,
    examples: &[
        "epicene run winobias-means --model file:means.csv",
        "epicene run winobias-means --model file:means.csv --convention true",
        "epicene run winobias-means --model file:means.csv --format json",
    ],
    ..Card::new(
        "winobias-means",
        "the same from a table of means (also: run winobias --model file:MEANS.csv)",
        include_str!("winobias.md"),
    )
};

#[doc = include_str!("winobias.md")]
pub(crate) struct WinobiasMeans;

impl Benchmark for WinobiasMeans {
    fn card(&self) -> &'static Card {
        &CARD
    }

    /// Means are of whole splits: the one item stands for the data set.
    fn items(&self, _data: &[TextFile], _options: &Options) -> Result<Vec<Item>, InputError> {
        Ok(vec![Item::new("winobias:means", "")])
    }

    fn asks(&self, _kind: ModelKind, _options: &Options) -> Vec<Ask> {
        let ask = |split: &str| Ask::new(Unit::named(split), Scorer::GroupMeans);
        SPLITS.map(ask).to_vec()
    }

    fn question(&self, _item: &Item, _ask: &Ask) -> Question {
        Question::GroupMeans
    }

    fn read_answers(&self, files: &[AnswerFile], _items: &[Item], _options: &Options) -> Sheets {
        let (files, kind) = AnswerFile::of_models(files, &CARD)?;
        let mut sheets: Vec<AnswerSheet> = Vec::new();
        for (index, file) in files.iter().enumerate() {
            for means in read_means(file)? {
                let answer = Answer::GroupMeans {
                    male: means.male,
                    female: means.female,
                };
                let unit = (Unit::named(means.split), vec![answer]);
                match sheets.iter_mut().find(|sheet| sheet.system == means.model) {
                    Some(sheet) if sheet.units.iter().any(|(name, _)| *name == unit.0) => {
                        let message = format!("{} is in two files for {}", means.model, unit.0);
                        return Err(InputError::new(&file.path, message));
                    }
                    Some(sheet) => {
                        if !sheet.files.contains(&index) {
                            sheet.files.push(index);
                        }
                        sheet.units.push(unit);
                    }
                    None => sheets.push(AnswerSheet {
                        system: means.model,
                        kind: kind.unwrap_or(ASKED),
                        files: vec![index],
                        units: vec![unit],
                    }),
                }
            }
        }
        Ok(sheets)
    }

    /// Means carry no spread, so there is no interval.
    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        let convention = judged.options.get(&CONVENTION);
        let mut measured = Measured {
            how: vec![("convention", convention.to_string())],
            ..Measured::default()
        };
        for (view, _) in judged.columns() {
            let unit = view.column().unit.as_str();
            let (Some(Answer::GroupMeans { male, female }), Some(_)) = (
                &view.column().answers[0],
                SPLITS.iter().find(|split| **split == unit),
            ) else {
                return Err(view.wrong_answer());
            };
            let mut writer = RowWriter::new(&super::CARD, &view.system().name, unit);
            writer.push("all", "ghat_s", convention.factor(male - female));
            measured.rows.extend(writer.rows);
        }
        measured.or_nothing()
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        let message = "means of whole splits cannot be compared item by item";
        Err(judged.incomparable(first, second, message))
    }

    fn views(&self, _rows: &[Row]) -> Vec<View> {
        super::views()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_models_do_not_become_one() {
        let read = |rows: &str| {
            read_means(&TextFile {
                path: "m.csv".to_owned(),
                name: "m.csv".to_owned(),
                sha256: String::new(),
                text: format!("{}\n{rows}", HEADER.join(",")),
            })
        };
        assert_eq!(read("x/m,1,dev,1,0\nx/m,1,test,1,0\n").unwrap().len(), 2);
        let error = read("x/m,1,dev,1,0\ny/m,1,test,1,0\n").unwrap_err();
        let said = error.to_string();
        assert!(
            said.contains("line 3: `y/m` and `x/m` would both be `m`"),
            "{said}"
        );
    }
}
