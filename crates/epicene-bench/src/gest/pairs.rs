//! GEST on Slavic masked models: pairs of sentences that differ in the speaker's gender alone
//! (GEST, section 6; Table 11, Figures 6 and 14).
//!
//! A pair file is a table `translator,language,original,stereotype,male,female`, as `epicene pairs`
//! writes it. Every pair is asked; which of them count is decided when measuring: the two differing
//! words must start with the same letter, and a pair of texts counts once in the whole file.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{
    Answer, CellStyle, Field, Filter, InputError, Item, ModelKind, Question, Row, Scorer, TextFile,
    Unit, View,
};

use super::clustered::{self, ClusterBy, Sampled};
use super::first_letter::same_first_letter;
use super::measures::{ResamplePool, UnitMeasure, UnitRows};
use super::options::{CONVENTION, INTERVAL};
use super::scores::{Samples, UnitScores};
use super::{compare, data, metrics, options, stereotypes};
use crate::csv_input::CsvInput;
use crate::options::Intervals;
use crate::{
    AnswerFile, AnswerSheet, Ask, BenchError, Benchmark, Card, Drawn, Judged, Measured, Options,
    Sampling, score_file,
};

pub const HEADER: [&str; 6] = [
    "translator",
    "language",
    "original",
    "stereotype",
    "male",
    "female",
];

const UNIT: &str = "pairs";

static CARD: Card = Card {
    data: Some("gest-pairs"),
    files: &["gest-pairs.csv"],
    data_flag: "--pairs FILE",
    options: &[&CONVENTION.spec, &INTERVAL.spec],
    // One original gives a pair for each translator.
    sampling: Sampling {
        unit: "sentence",
        strata: "stereotype",
        of: |item| Drawn::by(item, data::STEREOTYPE, "original"),
    },
    metrics: metrics::PAIRS,
    ..Card::new(
        "gest-pairs",
        "GEST on Slavic masked models: gender-swapped pairs (also: run gest --pairs FILE)",
        include_str!("../../data/cards/gest-pairs.md"),
    )
};

#[doc = include_str!("../../data/cards/gest-pairs.md")]
pub struct GestPairs;

impl Benchmark for GestPairs {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn items(&self, data: &[TextFile], _options: &Options) -> Result<Vec<Item>, InputError> {
        let data = &data[0];
        let mut input = CsvInput::with_header(data, &HEADER)?;
        let mut items = Vec::new();
        let mut seen = BTreeSet::new();
        while let Some((place, record)) = input.next()? {
            let stereotype = record[3].trim().parse::<u8>().ok();
            let known = stereotype.is_some_and(|id| (1..=stereotypes::COUNT).contains(&id));
            if !known {
                let message = format!("stereotype `{}` is not a number from 1 to 16", &record[3]);
                return Err(place.complain(data, message));
            }
            let (male, female) = (record[4].trim(), record[5].trim());
            if male.is_empty() || female.is_empty() {
                return Err(place.complain(data, "a text of the pair is empty"));
            }
            let repeated = !seen.insert((male.to_owned(), female.to_owned()));
            let counts = !repeated && same_first_letter(male, female);
            items.push(
                Item::new(format!("pair:{}", items.len() + 1), male)
                    .with_label("female", female)
                    .with_label("original", record[2].trim())
                    .with_label("language", record[1].trim())
                    .with_label("translator", record[0].trim())
                    .with_label(data::STEREOTYPE, record[3].trim())
                    .with_label("counts", if counts { "yes" } else { "no" }),
            );
        }
        if items.is_empty() {
            Err(InputError::new(
                &data.path,
                "there are no pairs below the header",
            ))
        } else {
            Ok(items)
        }
    }

    fn asks(&self, kind: ModelKind) -> Vec<Ask> {
        match kind {
            ModelKind::Masked => vec![Ask::new(Unit::named(UNIT), Scorer::MaskedPair)],
            ModelKind::Causal | ModelKind::Translator | ModelKind::Chat => Vec::new(),
        }
    }

    fn question(&self, item: &Item, _ask: &Ask) -> Question {
        Question::MaskedPair {
            masculine: item.text.clone(),
            feminine: item.label("female").unwrap_or("").to_owned(),
            one_token: true,
        }
    }

    /// One column for each model, rows aligned to the pairs: the layout of the published scores.
    fn read_answers(
        &self,
        files: &[AnswerFile],
        items: &[Item],
        _options: &Options,
    ) -> Result<Vec<AnswerSheet>, InputError> {
        let (files, _) = AnswerFile::of_models(files, &CARD)?;
        score_file::one_column_per_model(&files, &Unit::named(UNIT), items.len())
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        let (samples, units) = (samples(judged)?, units(judged)?);
        let options = judged.options;
        let pool = ResamplePool::new(&samples, &units, options);
        let convention = options.get(&CONVENTION);
        let mut measured = Measured {
            how: vec![("convention", convention.to_string())],
            ..Measured::default()
        };
        let mut sampled = None;
        match options.get(&INTERVAL) {
            Intervals::Published(method) => {
                let interval = options::signed(method, options.replicates);
                measured.how.push(("interval", interval));
            }
            Intervals::Clustered => {
                let found = Sampled::new(judged, &samples, ClusterBy::Sentence)?;
                measured.how.extend(found.how());
                measured
                    .how
                    .push(("interval", "t-satterthwaite".to_owned()));
                measured.notes.extend(clustered::notes(&samples));
                sampled = Some(found);
            }
        }
        for unit in &units {
            let measure = UnitMeasure::new(&samples, unit, &pool)?;
            let system = &judged.table.systems[unit.system].name;
            let mut rows = UnitRows::new(&super::CARD, system, options);
            rows.unit(&measure)?;
            let pairs = unit.scores.iter().filter(|score| !score.is_nan()).count();
            rows.count(unit.unit.as_str(), "pairs", pairs);
            let mut rows = rows.into_rows();
            if let Some(sampled) = &sampled {
                sampled.fill(&mut rows, &[unit], convention)?;
            }
            measured.rows.extend(rows);
        }
        let mut measured = measured.or_nothing()?;
        let items = &judged.table.items;
        let dropped = items.iter().filter(|item| !counts(item)).count();
        measured.notes.push(format!(
            "{dropped} of {} pairs do not count: their words start differently, or the pair is a repeat",
            items.len()
        ));
        for (view, _) in judged.columns() {
            let several = view.column().answers.iter().flatten();
            let count = several.filter(|answer| **answer == Answer::Missing).count();
            if count > 0 {
                measured.notes.push(format!(
                    "{}: {count} of {} pairs do not differ in exactly one of its tokens and were not asked",
                    view.system().name,
                    items.len()
                ));
            }
        }
        Ok(measured)
    }

    fn compare(
        &self,
        judged: &Judged<'_>,
        first: usize,
        second: usize,
    ) -> Result<Measured, BenchError> {
        let (samples, units) = (samples(judged)?, units(judged)?);
        if judged.options.get(&INTERVAL).is_clustered() {
            let sampled = Sampled::new(judged, &samples, ClusterBy::Sentence)?;
            return compare::clustered(judged, &sampled, &units, (first, second));
        }
        let languages: BTreeSet<&Unit> = units.iter().map(|unit| &unit.unit).collect();
        let mut rows = Vec::new();
        for language in languages {
            let of_language: Vec<UnitScores> = units
                .iter()
                .filter(|unit| unit.unit == *language)
                .cloned()
                .collect();
            rows.extend(compare::rows(
                judged,
                &samples,
                &of_language,
                (first, second),
            )?);
        }
        let convention = judged.options.get(&CONVENTION);
        Ok(Measured {
            rows,
            how: vec![
                ("convention", convention.to_string()),
                ("interval", compare::signed(judged.options)),
            ],
            ..Measured::default()
        })
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        let metrics = if rows.iter().any(|row| row.metric == "delta_g_s") {
            vec!["delta_g_s", "p_value"]
        } else {
            vec!["g_s", "q_m", "q_f", "q_fam", "pairs"]
        };
        vec![View {
            title: "Stereotype rate g_s by language (1 = none)".to_owned(),
            filters: vec![
                Filter::new(Field::Metric, metrics),
                Filter::new(Field::Group, ["all"]),
            ],
            lines: vec![Field::System, Field::Unit],
            columns: Field::Metric,
            style: CellStyle::ValueInterval,
            decimals: 3,
            labels: BTreeMap::new(),
        }]
    }
}

/// Whether a pair passed the filters.
fn counts(item: &epicene_core::ItemRef<'_>) -> bool {
    item.label("counts") == Some("yes")
}

fn samples(judged: &Judged<'_>) -> Result<Samples, BenchError> {
    let mut samples = Samples::default();
    for item in judged.table.items.iter() {
        let stereotype = item.label(data::STEREOTYPE).and_then(|id| id.parse().ok());
        let id = stereotype.ok_or_else(|| BenchError::BadItem {
            item: item.id.to_owned(),
            message: "it has no stereotype".to_owned(),
        })?;
        samples.push(id, item.label("original").unwrap_or(""));
    }
    Ok(samples)
}

/// One unit for each column and language; pairs of other languages are not there.
fn units(judged: &Judged<'_>) -> Result<Vec<UnitScores>, BenchError> {
    let items = &judged.table.items;
    let language = |item: usize| items.get(item).label("language").unwrap_or("");
    let languages: BTreeSet<&str> = (0..items.len()).map(language).collect();
    let mut units = Vec::new();
    for (view, _) in judged.columns() {
        for name in &languages {
            let ours = |item: usize| counts(&items.get(item)) && language(item) == *name;
            let mut unit = UnitScores::of(&view, ours)?;
            unit.unit = Unit::of("lang", name);
            if !unit.is_empty() {
                units.push(unit);
            }
        }
    }
    Ok(units)
}
