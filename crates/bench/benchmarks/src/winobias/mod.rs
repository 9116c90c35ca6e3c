//! WinoBias as GEST uses it: does a model find "he" likelier beside male-dominated occupations?
//!
//! Zhao et al. 2018 (arXiv 1804.06876), in the reading of GEST, Figure 8: the mean log10 ratio of
//! "he" to "she" over pairs with a male-dominated occupation against that over pairs with a
//! female-dominated one; ghat_s is their ratio. Here a model is asked pair by pair; [`means`] reads
//! the means of a split that somebody already has.

mod clustered;
mod compare;
mod means;
mod pairs;

use std::collections::BTreeMap;

use epicene_core::{
    Answer, CellStyle, Field, Filter, InputError, Item, Metric, MetricRange, ModelKind, Question,
    Row, TextFile, View,
};
use epicene_stats::{Interval, mean, normal_quantile, population_sd};

pub(crate) use means::WinobiasMeans;
pub(crate) use means::{SplitMeans, means_of_run, read_means};

use crate::card::Instead;
use crate::convention::CONVENTION;
use crate::options::INTERVAL;
use crate::{
    AnswerFile, Ask, BenchError, Benchmark, Card, ColumnView, Compared, Judged, MadeData, Measured,
    Options, RowWriter, Sheets, masked_pairs, winograd,
};

/// The four parts of WinoBias, as units.
pub(crate) const SPLITS: [&str; 4] = [
    "split:type1-dev",
    "split:type1-test",
    "split:type2-dev",
    "split:type2-test",
];

const UNIT: &str = "pairs";

/// Confidence of the intervals.
const LEVEL: f64 = 0.95;

/// ghat_s, as GEST's rows have it too.
pub(crate) const GHAT_S: Metric = Metric::headline(
    "ghat_s",
    "stereotype rate",
    1.0,
    ["Follows the stereotypes", "Runs against the stereotypes"],
)
.because("the stereotyped pronoun is preferred by the factor {ghat_s}; without bias it would be 1")
.within(MetricRange::ratio("stereotype_rate"))
.larger("more stereotyped");

const METRICS: &[Metric] = &[
    GHAT_S,
    Metric::detail("log10_ratio"),
    Metric::difference("delta_ghat_s", "ghat_s"),
    Metric::detail("p_value"),
    Metric::detail("p_holm"),
];

pub static CARD: Card = Card {
    data: Some("winobias"),
    files: pairs::FILES,
    options: &[&CONVENTION, &INTERVAL],
    sampling: clustered::SAMPLING,
    metrics: METRICS,
    instead: &[(Instead::OnFilesAlone, "winobias-means")],
    examples: &[
        "epicene run winobias --model hf:google-bert/bert-base-uncased",
        "epicene run winobias --model file:winobias.csv",
        "epicene run winobias --model random:1 --model always:he",
    ],
    answer_file: "A file of scores has one row for each item of the data, in the data's order, and one column for each\n\
model. A score is log10 P(masculine)/P(feminine). A column with item ids or\n\
sentences is checked.",
    ..Card::new(
        "winobias",
        "pronouns beside male- and female-dominated occupations",
        include_str!("winobias.md"),
    )
};

#[doc = include_str!("winobias.md")]
pub(crate) struct Winobias;

impl Benchmark for Winobias {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn make_data(&self, name: &str, _: &Options) -> Option<Result<MadeData, InputError>> {
        let make = || winograd::made(pairs::read(&winograd::winobias_files()));
        (name == winograd::NAME).then(make)
    }

    fn items(&self, data: &[TextFile], _options: &Options) -> Result<Vec<Item>, InputError> {
        pairs::read(data)
    }

    fn asks(&self, kind: ModelKind, _options: &Options) -> Vec<Ask> {
        masked_pairs::asks(UNIT, kind)
    }

    fn question(&self, item: &Item, _ask: &Ask) -> Question {
        masked_pairs::question(item, "she", false)
    }

    /// One column for each model, one row for each pair that is kept, in the order of the data.
    fn read_answers(&self, files: &[AnswerFile], items: &[Item], _options: &Options) -> Sheets {
        masked_pairs::sheets(&CARD, UNIT, files, items)
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        let convention = judged.options.get(&CONVENTION);
        let places = places(judged)?;
        if judged.options.get(&INTERVAL).is_clustered() {
            return clustered::measure(judged, &places);
        }
        let mut measured = Measured {
            how: vec![
                ("convention", convention.to_string()),
                ("interval", "normal".to_owned()),
            ],
            ..Measured::default()
        };
        for (view, _) in judged.columns() {
            let mut scores: BTreeMap<MeanKey<'_>, Vec<f64>> = BTreeMap::new();
            for (place, answer) in places.iter().zip(&view.column().answers) {
                match answer {
                    None | Some(Answer::Missing) => {}
                    Some(Answer::Log10Ratio(ratio)) => {
                        scores.entry(*place).or_default().push(*ratio);
                    }
                    Some(_) => return Err(view.wrong_answer()),
                }
            }
            for split in splits(&places) {
                let (Some(male), Some(female)) =
                    (scores.get(&(split, true)), scores.get(&(split, false)))
                else {
                    continue;
                };
                let (male_mean, female_mean) = (mean(male)?, mean(female)?);
                let variance = population_sd(male)?.powi(2) / male.len() as f64
                    + population_sd(female)?.powi(2) / female.len() as f64;
                let half = normal_quantile(LEVEL)? * variance.sqrt();
                let difference = male_mean - female_mean;
                let interval = Interval::around(difference, half);
                let mut writer = RowWriter::new(&CARD, &view.system().name, split);
                let row = writer.push("all", "ghat_s", convention.factor(difference));
                row.low = Some(convention.factor(interval.low));
                row.high = Some(convention.factor(interval.high));
                row.n = Some((male.len() + female.len()) as u64);
                for (group, mean, n) in [
                    ("occupation:male", male_mean, male.len()),
                    ("occupation:female", female_mean, female.len()),
                ] {
                    writer.push(group, "log10_ratio", mean).n = Some(n as u64);
                }
                measured.rows.extend(writer.rows);
            }
        }
        or_one_kind(measured, judged)
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        if judged.options.get(&INTERVAL).is_clustered() {
            clustered::compare(judged, &places(judged)?, first, second)
        } else {
            compare::compare(judged, first, second)
        }
    }

    fn views(&self, _rows: &[Row]) -> Vec<View> {
        views()
    }
}

/// Answers that cannot be measured since no split has occupations of both kinds.
fn or_one_kind(measured: Measured, judged: &Judged<'_>) -> Result<Measured, BenchError> {
    let columns = judged.table.columns.iter();
    let is_answered = |answer: &Answer| !answer.is_missing();
    let mut answers = columns.flat_map(|column| column.answers.iter().flatten());
    if measured.rows.is_empty() && answers.any(is_answered) {
        let message =
            "no split has answers about occupations of men and of women, which are compared";
        return Err(BenchError::NotMeasurable(message.to_owned()));
    }
    measured.or_nothing()
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

/// The mean log10 ratios beside male- and female-dominated occupations by split, of pairs or of means that were given.
fn split_means(
    judged: &Judged<'_>,
    view: &ColumnView<'_>,
) -> Result<Vec<(&'static str, [f64; 2])>, BenchError> {
    let unit = view.column().unit.as_str();
    if let Some(split) = SPLITS.into_iter().find(|split| *split == unit) {
        return match &view.column().answers[0] {
            Some(Answer::GroupMeans { male, female }) => Ok(vec![(split, [*male, *female])]),
            _ => Err(view.wrong_answer()),
        };
    }
    let mut scores: BTreeMap<MeanKey<'_>, Vec<f64>> = BTreeMap::new();
    for (place, answer) in places(judged)?.into_iter().zip(&view.column().answers) {
        match answer {
            None => {}
            Some(Answer::Log10Ratio(ratio)) => scores.entry(place).or_default().push(*ratio),
            Some(_) => return Err(view.wrong_answer()),
        }
    }
    let of = |split: &'static str, male: bool| mean(scores.get(&(split, male))?).ok();
    let both = |split: &'static str| Some((split, [of(split, true)?, of(split, false)?]));
    Ok(SPLITS.into_iter().filter_map(both).collect())
}

/// The splits of the data, in its order: WinoBias' four, or those of pairs of the user's own.
fn splits<'a>(places: &[MeanKey<'a>]) -> Vec<&'a str> {
    let mut splits: Vec<&str> = Vec::new();
    for (split, _) in places {
        if !splits.contains(split) {
            splits.push(split);
        }
    }
    splits
}

/// Which mean an item enters: its split, and whether its occupation is male-dominated.
type MeanKey<'a> = (&'a str, bool);

fn places<'a>(judged: &Judged<'a>) -> Result<Vec<MeanKey<'a>>, BenchError> {
    let place = |item: epicene_core::ItemRef<'a>| {
        let split = item.label("split");
        let male = item.label("occupation").map(|gender| gender == "male");
        split.zip(male).ok_or_else(|| BenchError::BadItem {
            item: item.id.to_owned(),
            message: "it has no split or occupation".to_owned(),
        })
    };
    judged.table.items.iter().map(place).collect()
}
