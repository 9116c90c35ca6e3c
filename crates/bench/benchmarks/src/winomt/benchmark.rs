//! WinoMT as a benchmark of translators.

use epicene_core::{Finding, InputError, Item, ItemRef, Language, Outcome, Row, TextFile, View};
use epicene_lang::occupation::OccupationJudge;

use super::clustered::SAMPLING;
use super::human::HumanLabels;
use super::judging::{ALIGN, HUMAN, TAGS};
use super::metric_table::METRICS;
use super::prediction::{Gold, Prediction};
use super::published::{Lexicon, Predictor, reads_lexicon, reads_tags};
use super::{data, formulas, judging, measures, views};
use crate::fixed_gender::IGNORE_FIXED;
use crate::formula::{self, Formulas};
use crate::inputs::{By, InputSpec};
use crate::options::{DETECTOR, DetectorRules, INTERVAL};
use crate::person_lexicon::{self, LEXICON};
use crate::wording;
use crate::{
    BenchError, Benchmark, Card, ColumnView, Compared, Judged, MadeData, Measured, Options,
    Verdicts, winograd,
};

/// Languages the authors have rules for.
const PUBLISHED: [&str; 8] = ["ar", "de", "es", "fr", "he", "it", "ru", "uk"];

fn languages() -> Vec<Language> {
    let published = PUBLISHED.map(|code| Language::find(code).expect("the registry has it"));
    let mut known = OccupationJudge::known();
    known.extend(published);
    known.sort_unstable();
    known.dedup();
    known
}

fn check_tags(file: &TextFile, language: Option<Language>) -> Result<(), InputError> {
    let language = language.expect("tags are given by language");
    Predictor::new(language, None, Some(file)).map(drop)
}

pub static CARD: Card = Card {
    data: Some("winomt"),
    files: &["en.txt"],
    choose: Some(|present, _| data::choose_files(present)),
    languages,
    options: &[&DETECTOR, &IGNORE_FIXED, &INTERVAL],
    resamples: true,
    sampling: SAMPLING,
    inputs: &[
        InputSpec {
            by_line: true,
            ..InputSpec::new(
                ALIGN,
                By::System,
                "Links between words, one line for each sentence: 0-0 1-2",
                |file, _| judging::read_links(file).map(drop),
            )
        },
        InputSpec {
            unread: |asking, language| match asking.options.get(&DETECTOR) {
                DetectorRules::Published if !language.is_some_and(reads_lexicon) => {
                    Some("--detector epicene, or to the published detector of ru and uk")
                }
                DetectorRules::Published | DetectorRules::Epicene => None,
            },
            ..InputSpec::new(
                LEXICON,
                By::System,
                "Nouns for persons (epicene's detector), or words with the genders of their analyses (published detector of ru and uk)",
                |file, language| {
                    if person_lexicon::is_of_persons(file) {
                        person_lexicon::check(file, language)
                    } else {
                        Lexicon::read(file).map(drop)
                    }
                },
            )
        },
        InputSpec {
            unread: |asking, language| {
                let published = asking.options.get(&DETECTOR) == DetectorRules::Published;
                let read = published && language.is_some_and(reads_tags);
                (!read).then_some("--detector published of es, fr and it")
            },
            ..InputSpec::new(
                TAGS,
                By::System,
                "Words with their gender from a tagger (published detector of es, fr and it)",
                check_tags,
            )
        },
        InputSpec::new(
            HUMAN,
            By::System,
            "Labels that people gave to translations",
            |file, _| HumanLabels::read(file).map(drop),
        ),
    ],
    metrics: METRICS,
    audit_question: formula::gender_of_occupation,
    baselines: super::places::baselines,
    examples: &[
        "epicene run winomt --data en.txt --mt file:en-de.txt --lang de",
        "epicene run winomt --mt hf:Helsinki-NLP/opus-mt-en-de --lang de",
        "epicene run winomt --mt nmt=file:en-de.txt --lang de --fail-if 'acc < 70'",
    ],
    ..Card::new(
        "winomt",
        "does a translated occupation have the gender its pronoun says?",
        include_str!("winomt.md"),
    )
};

#[doc = include_str!("winomt.md")]
pub struct Winomt;

impl Benchmark for Winomt {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn make_data(&self, name: &str, _: &Options) -> Option<Result<MadeData, InputError>> {
        let items = || data::read(&[winograd::winomt_table()?]);
        (name == winograd::NAME).then(|| winograd::made(items()))
    }

    fn items(&self, data: &[TextFile], _options: &Options) -> Result<Vec<Item>, InputError> {
        data::read(data)
    }

    /// The aligner learns from all translations of a column.
    fn judge(&self, column: &ColumnView<'_>, options: &Options) -> Result<Verdicts, BenchError> {
        judging::judge(column, options)
    }

    fn outcome(&self, item: ItemRef<'_>, finding: Finding) -> Option<Outcome> {
        let gold: Gold = item.label(data::GOLD)?.parse().ok()?;
        Some(match Prediction::of(finding) {
            Prediction::Unknown => Outcome::Inconclusive,
            prediction if prediction == gold.prediction() => Outcome::Correct,
            // A neutral word says nothing about the person, right or wrong.
            Prediction::Neutral => Outcome::Inconclusive,
            _ => Outcome::Wrong,
        })
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        wording::added(self, judged, measures::measure(judged)?)
    }

    fn formulas(&self, judged: &Judged<'_>, column: &ColumnView<'_>) -> Formulas {
        let golds = measures::golds(&judged.table.items)?;
        Ok(formulas::formulas(
            golds,
            column,
            judged.verdicts_of(column),
        ))
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        measures::compare(judged, first, second)
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        let mut views = views::views(rows);
        views.extend(wording::view(rows));
        views
    }
}
