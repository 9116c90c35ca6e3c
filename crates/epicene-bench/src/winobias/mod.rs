//! WinoBias as GEST uses it: does a model find "he" likelier beside male-dominated occupations?
//!
//! Zhao et al. 2018 (arXiv 1804.06876), in the reading of GEST, section 5.3: the mean log10 ratio of
//! "he" to "she" over pairs with a male-dominated occupation against that over pairs with a
//! female-dominated one; ghat_s is their ratio. Here a model is asked pair by pair; [`means`] reads
//! the means of a split that somebody already has.

mod means;
mod pairs;

use std::collections::BTreeMap;

use epicene_core::{
    Answer, CellStyle, Field, Filter, InputError, Item, Measured, ModelKind, Question, Row,
    SystemCard, TextFile, View,
};
use epicene_stats::{Interval, mean, normal_quantile, population_sd};

pub use means::{SplitMeans, WinobiasMeans, read_means, row};

use crate::{
    AnswerSheet, BenchError, Benchmark, BuiltIn, Judgement, MeasureOptions, Tally, Unit, winograd,
};

/// The four parts of WinoBias, as units.
pub const SPLITS: [&str; 4] = [
    "split:type1-dev",
    "split:type1-test",
    "split:type2-dev",
    "split:type2-test",
];

const UNIT: &str = "pairs";

/// Confidence of the intervals.
const LEVEL: f64 = 0.95;

#[doc = include_str!("../../data/cards/winobias.md")]
pub struct Winobias;

impl Benchmark for Winobias {
    fn name(&self) -> &'static str {
        "winobias"
    }

    fn summary(&self) -> &'static str {
        "pronouns beside male- and female-dominated occupations"
    }

    fn card(&self) -> &'static str {
        include_str!("../../data/cards/winobias.md")
    }

    fn default_data(&self) -> Option<&'static str> {
        Some("winobias")
    }

    fn data_files(&self) -> Vec<String> {
        pairs::file_names()
    }

    fn built_in(&self, name: &str) -> Option<Result<BuiltIn, InputError>> {
        let make = || winograd::built_in(pairs::read(&winograd::winobias_files()));
        (name == winograd::NAME).then(make)
    }

    fn items(&self, data: &[TextFile]) -> Result<Vec<Item>, InputError> {
        pairs::read(data)
    }

    fn units(&self, kind: ModelKind) -> Vec<Unit> {
        match kind {
            ModelKind::Masked => vec![Unit {
                name: UNIT.to_owned(),
                scorer: "masked-pair",
            }],
            ModelKind::Causal | ModelKind::Translator => Vec::new(),
        }
    }

    fn question(&self, item: &Item, _unit: &Unit, _kind: ModelKind) -> Question {
        Question::MaskedPair {
            masculine: item.text.clone(),
            feminine: item.label("she").unwrap_or("").to_owned(),
        }
    }

    /// One column for each model, one row for each pair that is kept, in the order of the data.
    fn read_answers(
        &self,
        files: &[TextFile],
        _kind: Option<ModelKind>,
        items: &[Item],
    ) -> Result<Vec<AnswerSheet>, InputError> {
        crate::score_file::one_column_per_model(files, UNIT, items.len())
    }

    fn judge(
        &self,
        _item: &Item,
        _unit: &str,
        answer: &Answer,
        _options: &MeasureOptions,
    ) -> Judgement {
        match answer {
            Answer::Log10Ratio(ratio) => Judgement::of_preference(*ratio),
            _ => Judgement::of_preference(0.0),
        }
    }

    fn tally(&self, systems: &[SystemCard], probes: &[(usize, String)]) -> Box<dyn Tally> {
        Box::new(PairTally {
            systems: systems.iter().map(|system| system.name.clone()).collect(),
            probes: probes.iter().map(|(system, _)| *system).collect(),
            places: Vec::new(),
            scores: probes.iter().map(|_| BTreeMap::new()).collect(),
        })
    }

    fn views(&self, _rows: &[Row]) -> Vec<View> {
        views()
    }
}

fn views() -> Vec<View> {
    vec![View {
        title: "WinoBias ghat_s (1 = no stereotype)".to_owned(),
        filters: vec![Filter::new(Field::Metric, ["ghat_s"])],
        lines: vec![Field::System],
        columns: Field::Unit,
        style: CellStyle::ValueInterval,
        decimals: 3,
        labels: BTreeMap::new(),
    }]
}

/// Which mean an item enters: its split, and whether its occupation is male-dominated.
type Place = (&'static str, bool);

struct PairTally {
    systems: Vec<String>,
    /// The system of every probe.
    probes: Vec<usize>,
    places: Vec<Place>,
    scores: Vec<BTreeMap<Place, Vec<f64>>>,
}

impl Tally for PairTally {
    fn item(&mut self, item: &Item) -> Result<(), BenchError> {
        let split = item.label("split").unwrap_or("");
        let split = SPLITS.into_iter().find(|known| *known == split);
        let male = item.label("occupation").map(|gender| gender == "male");
        match split.zip(male) {
            Some(place) => {
                self.places.push(place);
                Ok(())
            }
            None => Err(BenchError::BadItem {
                item: item.id.clone(),
                message: "it has no split or occupation".to_owned(),
            }),
        }
    }

    fn observe(&mut self, item: usize, probe: usize, answer: &Answer) -> Result<(), BenchError> {
        match answer {
            Answer::Log10Ratio(ratio) => {
                let place = self.places[item];
                self.scores[probe].entry(place).or_default().push(*ratio);
                Ok(())
            }
            _ => Err(BenchError::WrongAnswer {
                benchmark: "winobias",
                unit: UNIT.to_owned(),
            }),
        }
    }

    fn measure(&self, options: &MeasureOptions) -> Result<Measured, BenchError> {
        let mut measured = Measured::default();
        for (scores, system) in self.scores.iter().zip(&self.probes) {
            for split in SPLITS {
                let (Some(male), Some(female)) =
                    (scores.get(&(split, true)), scores.get(&(split, false)))
                else {
                    continue;
                };
                let means = SplitMeans {
                    model: self.systems[*system].clone(),
                    split,
                    male: mean(male)?,
                    female: mean(female)?,
                };
                let variance = population_sd(male)?.powi(2) / male.len() as f64
                    + population_sd(female)?.powi(2) / female.len() as f64;
                let half = normal_quantile(LEVEL)? * variance.sqrt();
                let interval = Interval::around(means.male - means.female, half);
                let mut row = row(&means, options.convention);
                row.low = Some(options.convention.factor(interval.low));
                row.high = Some(options.convention.factor(interval.high));
                row.n = Some((male.len() + female.len()) as u64);
                let group = |group: &str, value: f64, n: usize| Row {
                    group: group.to_owned(),
                    metric: "log10_ratio".to_owned(),
                    value,
                    low: None,
                    high: None,
                    n: Some(n as u64),
                    ideal: None,
                    ..row.clone()
                };
                let details = [
                    group("occupation:male", means.male, male.len()),
                    group("occupation:female", means.female, female.len()),
                ];
                measured.rows.push(row);
                measured.rows.extend(details);
            }
        }
        match measured.rows.is_empty() {
            true => Err(BenchError::NothingToMeasure),
            false => Ok(measured),
        }
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
            message: "comparisons are measured with gest".to_owned(),
        })
    }
}
