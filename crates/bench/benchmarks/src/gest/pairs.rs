//! GEST on Slavic masked models: pairs of sentences that differ in the speaker's gender alone
//! (GEST, section 6; Table 11, Figures 6 and 14).
//!
//! A pair file is a table `translator,language,original,stereotype,male,female`, as `epicene data pairs`
//! writes it. Every pair is asked; which of them count is decided when measuring: the two differing
//! words must start with the same letter, and a pair of texts counts once in the whole file.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{
    Answer, Finding, InputError, Item, Language, ModelKind, Question, Row, TextFile, Unit, View,
};
use epicene_lang::first_person::{Detector, Mode};

use super::agreement::Together;
use super::clustered::{self, ClusterBy, Sampled};
use super::first_letter::same_first_letter;
use super::measures::{ResamplePool, Ties, UnitMeasure, UnitRows};
use super::options::{CONVENTION, INTERVAL};
use super::own_set::{self, OwnSet};
use super::scores::{Samples, UnitScores};
use super::{compare, data, metrics, options, pairs_views};
use crate::csv_input::CsvInput;
use crate::options::{ESTIMATE, Intervals};
use crate::{
    AnswerFile, Ask, BenchError, Benchmark, Card, Compared, Drawn, Judged, Measured, Options,
    RowWriter, Sampling, Sheets, masked_pairs,
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

/// Exchanged pairs up to which nothing is said.
const LEAST_EXCHANGED: usize = 10;

static CARD: Card = Card {
    data: Some("gest-pairs"),
    cites: &["gest"],
    files: &["gest-pairs.csv"],
    data_flag: "--pairs FILE",
    options: &[&CONVENTION, &INTERVAL, &ESTIMATE],
    // One original gives a pair for each translator.
    resamples: true,
    sampling: Sampling {
        unit: "sentence",
        strata: "stereotype",
        of: |item| Drawn::by(item, data::STEREOTYPE, "original"),
    },
    inputs: &[own_set::INPUT],
    metrics: metrics::PAIRS,
    examples: &[
        "epicene run gest-pairs --pairs pairs.csv --model hf:gerulata/slovakbert",
        "epicene run gest-pairs --pairs pairs.csv --model file:slavic_scores.csv",
        "epicene run gest-pairs --pairs pairs.csv --model file:slavic_scores.csv --tokenizer slovakbert=tokenizer.json",
    ],
    ..Card::new(
        "gest-pairs",
        "GEST on Slavic masked models: gender-swapped pairs (also: run gest --pairs FILE)",
        include_str!("gest-pairs.md"),
    )
};

#[doc = include_str!("gest-pairs.md")]
pub(crate) struct GestPairs;

impl Benchmark for GestPairs {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn items(&self, data: &[TextFile], options: &Options) -> Result<Vec<Item>, InputError> {
        let own = OwnSet::of(options)?;
        let file = &data[0];
        let mut input = CsvInput::with_header(file, &HEADER)?;
        let mut items = Vec::new();
        let mut seen = BTreeSet::new();
        while let Some((place, record)) = input.next()? {
            let (male, female) = (record[4].trim(), record[5].trim());
            if male.is_empty() || female.is_empty() {
                return Err(place.complain(file, "a text of the pair is empty"));
            }
            let repeated = !seen.insert((male.to_owned(), female.to_owned()));
            let counts = !repeated && same_first_letter(male, female);
            let item = Item::new(format!("pair:{}", items.len() + 1), male)
                .with_label("female", female)
                .with_label("original", record[2].trim())
                .with_label("language", record[1].trim())
                .with_label("translator", record[0].trim())
                .with_label("counts", if counts { "yes" } else { "no" });
            let item = data::labelled(item, &record[3], own.as_ref());
            items.push(item.map_err(|message| place.complain(file, message))?);
        }
        if items.is_empty() {
            Err(InputError::new(
                &file.path,
                "there are no pairs below the header",
            ))
        } else {
            Ok(items)
        }
    }

    fn asks(&self, kind: ModelKind, _options: &Options) -> Vec<Ask> {
        masked_pairs::asks(UNIT, kind)
    }

    fn question(&self, item: &Item, _ask: &Ask) -> Question {
        masked_pairs::question(item, "female", true)
    }

    /// One column for each model, rows aligned to the pairs: the layout of the published scores.
    fn read_answers(&self, files: &[AnswerFile], items: &[Item], _options: &Options) -> Sheets {
        masked_pairs::sheets(&CARD, UNIT, files, items)
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
        measured
            .how
            .extend(options::signed_estimate(judged.options));
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
        let systems = &judged.table.systems;
        if units.is_empty() && judged.columns().next().is_some() {
            let message = "no pair counts: in every one the words start differently, the pair is a repeat, or it was not asked";
            return Err(BenchError::NotMeasurable(message.to_owned()));
        }
        let mut real = Vec::new();
        for own in units.chunk_by(|a, b| a.system == b.system) {
            let card = &systems[own[0].system];
            let mut rows = UnitRows::new(&super::CARD, &card.name, options);
            let mut measures = Vec::new();
            for unit in own {
                let measure = UnitMeasure::new(&samples, unit, &pool)?;
                rows.unit(&measure)?;
                let pairs = unit.scores.iter().filter(|score| !score.is_nan()).count();
                rows.count(unit.unit.as_str(), "pairs", pairs);
                measures.push(measure);
            }
            if measures.len() > 1 {
                rows.over_templates(&measures)?;
            }
            let mut rows = rows.into_rows();
            if let Some(sampled) = &sampled {
                let own: Vec<&UnitScores> = own.iter().collect();
                sampled.fill(&mut rows, &own, convention)?;
            }
            measured.rows.extend(rows);
            if !card.is_null() {
                real.extend(measures);
            }
        }
        let together = Together {
            systems,
            units: &units,
            measures: &real,
            convention,
            clustered: sampled.is_some(),
            ties: Ties::of(options),
        };
        measured.rows.extend(together.rows_by_language()?);
        measured.rows.extend(table7(judged));
        let about = own_set::rows(&super::CARD, &samples.set);
        measured.rows.extend(about);
        let mut measured = measured.or_nothing()?;
        measured.warnings.extend(exchanged(judged));
        let measured_one = |place: usize| units.iter().any(|unit| unit.system == place);
        for (_, card) in systems
            .iter()
            .enumerate()
            .filter(|(place, _)| !measured_one(*place))
        {
            let warning = format!("{}: nothing was measured, no pair counts", card.name);
            measured.warnings.push(warning);
        }
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

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
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
        pairs_views::views(rows)
    }
}

/// Whether a pair passed the filters.
fn counts(item: &epicene_core::ItemRef<'_>) -> bool {
    item.label("counts") == Some("yes")
}

fn made_with<'a>(item: epicene_core::ItemRef<'a>, label: &str) -> &'a str {
    item.label(label)
        .expect("pairs are made with all their labels")
}

fn samples(judged: &Judged<'_>) -> Result<Samples, BenchError> {
    Samples::of(&judged.table.items, |item| made_with(item, "original"))
}

/// Languages in which most pairs have a woman speaking in the text called male and a man in the other.
fn exchanged(judged: &Judged<'_>) -> Vec<String> {
    let mut found: BTreeMap<&str, Vec<epicene_core::ItemRef<'_>>> = BTreeMap::new();
    for item in judged.table.items.iter() {
        found
            .entry(made_with(item, "language"))
            .or_default()
            .push(item);
    }
    let mut warnings = Vec::new();
    for (code, items) in found {
        let detector = Language::closest(code).and_then(|l| Detector::of(l, Mode::Published));
        let Some(detector) = detector else { continue };
        let of = |text: &str| detector.judge(text).finding;
        let read = items
            .iter()
            .map(|item| (of(item.text), of(made_with(*item, "female"))));
        let (mut right, mut wrong) = (0, 0);
        for pair in read {
            right += usize::from(pair == (Finding::Masculine, Finding::Feminine));
            wrong += usize::from(pair == (Finding::Feminine, Finding::Masculine));
        }
        if wrong > right.max(LEAST_EXCHANGED) {
            warnings.push(format!(
                "in {wrong} of {} pairs into {code} the text called male is read as a woman's and the one called female as a \
                 man's (in {right} the other way round): the columns may be exchanged",
                items.len()
            ));
        }
    }
    warnings
}

/// Pairs by translator and language: as the printed Table 7 counts them, where the whole sentences start alike, and those
/// that count here, whose differing words do.
fn table7(judged: &Judged<'_>) -> Vec<Row> {
    let mut found: BTreeMap<(String, String), [u64; 2]> = BTreeMap::new();
    for item in judged.table.items.iter() {
        let label = |name: &str| made_with(item, name).to_owned();
        let own = found
            .entry((label("language"), label("translator")))
            .or_default();
        let alike = item.text.chars().next() == label("female").chars().next();
        own[0] += u64::from(alike);
        own[1] += u64::from(counts(&item));
    }
    let mut rows = Vec::new();
    for ((language, translator), pairs) in found {
        let unit = Unit::into_language(&language);
        let mut writer = RowWriter::new(&super::CARD, "all", &unit);
        for (metric, count) in ["pairs_table7", "pairs"].into_iter().zip(pairs) {
            writer.push(&format!("translator:{translator}"), metric, count as f64);
        }
        rows.extend(writer.rows);
    }
    rows
}

/// One unit for each column and language; pairs of other languages are not there.
fn units(judged: &Judged<'_>) -> Result<Vec<UnitScores>, BenchError> {
    let items = &judged.table.items;
    let language = |item: usize| made_with(items.get(item), "language");
    let languages: BTreeSet<&str> = (0..items.len()).map(language).collect();
    let mut units = Vec::new();
    for (view, _) in judged.columns() {
        for name in &languages {
            let ours = |item: usize| counts(&items.get(item)) && language(item) == *name;
            let mut unit = UnitScores::of(&view, ours)?;
            unit.unit = Unit::into_language(name);
            if !unit.is_empty() {
                units.push(unit);
            }
        }
    }
    Ok(units)
}
