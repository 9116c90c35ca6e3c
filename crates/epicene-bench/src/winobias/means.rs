//! WinoBias from a table of means somebody already has: the layout of the published `winobias.csv`.

use std::collections::BTreeMap;

use epicene_core::{
    Answer, InputError, Item, Measured, ModelKind, Question, Row, SystemCard, TextFile, View,
};

use super::SPLITS;

use crate::csv_input::CsvInput;
use crate::{
    AnswerSheet, BenchError, Benchmark, Convention, Judgement, MeasureOptions, Tally, Unit,
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
pub struct SplitMeans {
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
pub fn read_means(file: &TextFile) -> Result<Vec<SplitMeans>, InputError> {
    let mut input = CsvInput::with_header(file, &HEADER)?;
    let mut means: Vec<SplitMeans> = Vec::new();
    while let Some((place, record)) = input.next()? {
        let parsed = parse(record).and_then(|row| {
            let known = means
                .iter()
                .any(|m| m.model == row.model && m.split == row.split);
            match known {
                true => Err(format!("{} is there twice for {}", row.model, row.split)),
                false => Ok(row),
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

/// The ghat_s row of one model and split. Means carry no spread, so there is no interval.
pub fn row(means: &SplitMeans, convention: Convention) -> Row {
    Row {
        benchmark: "winobias".to_owned(),
        system: means.model.clone(),
        unit: means.split.to_owned(),
        group: "all".to_owned(),
        metric: "ghat_s".to_owned(),
        value: means.stereotype_rate(convention),
        low: None,
        high: None,
        n: None,
        ideal: Some(1.0),
    }
}

#[doc = include_str!("../../data/cards/winobias.md")]
pub struct WinobiasMeans;

impl Benchmark for WinobiasMeans {
    fn name(&self) -> &'static str {
        "winobias-means"
    }

    fn summary(&self) -> &'static str {
        "the same from a table of means (also: run winobias --model file:MEANS.csv)"
    }

    fn card(&self) -> &'static str {
        include_str!("../../data/cards/winobias.md")
    }

    fn default_data(&self) -> Option<&'static str> {
        None
    }

    /// Means are of whole splits: the one item stands for the data set.
    fn items(&self, _data: &[TextFile]) -> Result<Vec<Item>, InputError> {
        Ok(vec![Item::new("winobias:means", "")])
    }

    fn units(&self, _kind: ModelKind) -> Vec<Unit> {
        SPLITS
            .iter()
            .map(|split| Unit {
                name: (*split).to_owned(),
                scorer: "group-means",
            })
            .collect()
    }

    fn question(&self, _item: &Item, _unit: &Unit, _kind: ModelKind) -> Question {
        Question::GroupMeans
    }

    fn read_answers(
        &self,
        files: &[TextFile],
        kind: Option<ModelKind>,
        _items: &[Item],
    ) -> Result<Vec<AnswerSheet>, InputError> {
        let mut sheets: Vec<AnswerSheet> = Vec::new();
        for (index, file) in files.iter().enumerate() {
            for means in read_means(file)? {
                let answer = Answer::GroupMeans {
                    male: means.male,
                    female: means.female,
                };
                let unit = (means.split.to_owned(), vec![answer]);
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
                        kind: kind.unwrap_or(ModelKind::Masked),
                        files: vec![index],
                        units: vec![unit],
                    }),
                }
            }
        }
        Ok(sheets)
    }

    fn judge(
        &self,
        _item: &Item,
        _unit: &str,
        answer: &Answer,
        _options: &MeasureOptions,
    ) -> Judgement {
        let preference = match answer {
            Answer::GroupMeans { male, female } => male - female,
            _ => 0.0,
        };
        Judgement::of_preference(preference)
    }

    fn tally(&self, systems: &[SystemCard], probes: &[(usize, String)]) -> Box<dyn Tally> {
        Box::new(WinobiasTally {
            systems: systems.iter().map(|system| system.name.clone()).collect(),
            probes: probes.to_vec(),
            means: BTreeMap::new(),
        })
    }

    fn views(&self, _rows: &[Row]) -> Vec<View> {
        super::views()
    }
}

struct WinobiasTally {
    systems: Vec<String>,
    probes: Vec<(usize, String)>,
    means: BTreeMap<usize, SplitMeans>,
}

impl Tally for WinobiasTally {
    fn item(&mut self, _item: &Item) -> Result<(), BenchError> {
        Ok(())
    }

    fn observe(&mut self, _item: usize, probe: usize, answer: &Answer) -> Result<(), BenchError> {
        let (system, unit) = &self.probes[probe];
        let split = SPLITS.into_iter().find(|split| split == unit);
        match (answer, split) {
            (Answer::GroupMeans { male, female }, Some(split)) => {
                let means = SplitMeans {
                    model: self.systems[*system].clone(),
                    split,
                    male: *male,
                    female: *female,
                };
                self.means.insert(probe, means);
                Ok(())
            }
            _ => Err(BenchError::WrongAnswer {
                benchmark: "winobias",
                unit: unit.clone(),
            }),
        }
    }

    fn measure(&self, options: &MeasureOptions) -> Result<Measured, BenchError> {
        if self.means.is_empty() {
            return Err(BenchError::NothingToMeasure);
        }
        Ok(Measured {
            rows: self
                .means
                .values()
                .map(|means| row(means, options.convention))
                .collect(),
            notes: Vec::new(),
        })
    }

    fn compare(
        &self,
        first: usize,
        second: usize,
        _options: &MeasureOptions,
    ) -> Result<Measured, BenchError> {
        Err(BenchError::Incomparable {
            first: self.systems[first].clone(),
            second: self.systems[second].clone(),
            message: "means of whole splits cannot be compared item by item".to_owned(),
        })
    }
}
