//! EuroGEST (Rowe et al., EMNLP 2025): GEST's stereotypes in 30 European languages, asked of causal models by pairs of
//! texts. Does what English shows hold elsewhere?

pub mod making;

mod clustered;
mod data;
mod measures;
mod metric_table;
mod options;
pub mod preferences;
mod prompts;
mod results_file;
mod scaffolds;
pub mod scoring;
mod tables;
mod views;

use epicene_core::{
    Answer, Finding, InputError, Item, ModelKind, Question, Row, Scorer, TextFile, TextRelation,
    Unit, Verdict, View,
};

pub use options::{AS_PUBLISHED, MIN_ROWS, SCORE, Score};

use crate::gest::own_set;
use crate::inputs::{By, InputSpec};
use crate::options::INTERVAL;
use crate::{
    AnswerFile, Ask, BenchError, Benchmark, Card, ColumnView, Compared, Judged, Measured, Options,
    Sheets, Verdicts,
};

/// All rows of all languages are asked in one unit; results have the unit of their language.
const UNIT: &str = "pairs";
/// Roles of further files.
const SCAFFOLDS: &str = "scaffolds";
const MARKS: &str = "quotation-marks";
const IDS: &str = "ids";

pub static CARD: Card = Card {
    data: Some("eurogest"),
    files: &["english.csv"],
    choose: Some(data::choose_files),
    by_language: true,
    resamples: true,
    sampling: clustered::SAMPLING,
    languages: scaffolds::languages,
    options: &[
        &SCORE,
        &AS_PUBLISHED,
        &options::NOUN_FRAMES,
        &options::STEREOTYPES,
        &options::SAMPLE,
        &options::COMMON,
        &MIN_ROWS,
        &INTERVAL,
    ],
    inputs: &[
        InputSpec {
            flag: Some("scaffolds"),
            ..InputSpec::new(
                SCAFFOLDS,
                By::Run,
                "The authors' prompt_scaffolds.json, or one in its form (eurogest; with --quotation-marks)",
                |file, _| scaffolds::read_scaffolds(file).map(drop),
            )
        },
        InputSpec {
            flag: Some("quotation-marks"),
            ..InputSpec::new(
                MARKS,
                By::Run,
                "The authors' punc_map.json, or one in its form (eurogest; with --scaffolds)",
                |file, _| scaffolds::read_marks(file).map(drop),
            )
        },
        InputSpec {
            flag: Some("ids"),
            ..InputSpec::new(
                IDS,
                By::Run,
                "Ask only about these rows: a GEST_ID a line (eurogest)",
                |file, _| data::read_ids(file).map(drop),
            )
        },
        own_set::INPUT,
    ],
    metrics: metric_table::METRICS,
    examples: &[
        "epicene run eurogest --model hf:utter-project/EuroLLM-1.7B --lang de,fr",
        "epicene run eurogest --model file:scores.csv --lang sk",
        "epicene run eurogest --model dir:SmolLM2-135M --lang en --limit 100",
    ],
    ..Card::new(
        "eurogest",
        "GEST's stereotypes in 30 European languages: which of two gendered texts is likelier?",
        include_str!("eurogest.md"),
    )
};

#[doc = include_str!("eurogest.md")]
pub(crate) struct Eurogest;

impl Benchmark for Eurogest {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn items(&self, data: &[TextFile], options: &Options) -> Result<Vec<Item>, InputError> {
        data::items(data, options)
    }

    /// Null systems call themselves masked; a masked checkpoint refuses the question.
    fn asks(&self, kind: ModelKind, _options: &Options) -> Vec<Ask> {
        match kind {
            ModelKind::Causal | ModelKind::Masked => {
                vec![Ask::new(Unit::named(UNIT), Scorer::TextPair)]
            }
            _ => Vec::new(),
        }
    }

    fn question(&self, item: &Item, _ask: &Ask) -> Question {
        let feminine = item.label(data::FEMININE);
        let feminine = feminine.expect("items are made with both texts");
        Question::TextPair {
            masculine: item.text.clone(),
            feminine: feminine.to_owned(),
            whole: item.label(data::WHOLE).is_some(),
        }
    }

    fn read_answers(&self, files: &[AnswerFile], items: &[Item], _options: &Options) -> Sheets {
        let (files, _) = AnswerFile::of_models(files, &CARD)?;
        results_file::sheets(&files, items)
    }

    /// Which text is likelier; the rule says where the two do not simply part in the middle.
    fn judge(&self, column: &ColumnView<'_>, options: &Options) -> Result<Verdicts, BenchError> {
        let (score, as_published) = (options.get(&SCORE), options.get(&AS_PUBLISHED));
        let cells = column.each_or(|_, answer| {
            if *answer == Answer::Missing {
                return Ok(Verdict::new(Finding::NoAnswer, ""));
            }
            let rule = match answer {
                Answer::TextPair(pair) => match pair.relation {
                    TextRelation::Apart => "",
                    TextRelation::AtStart => "first-token",
                    TextRelation::Contained => "contained",
                    TextRelation::Same => "same-text",
                },
                Answer::Log10Ratio(_) => "",
                _ => return Err(column.wrong_answer()),
            };
            let ratio = scoring::rated(column, answer, score, as_published)?;
            let mut verdict = Verdict::of_preference(ratio - 0.5);
            verdict.rule = rule;
            Ok(verdict)
        });
        Ok(Verdicts::new(cells?))
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        measures::measure(judged)
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        clustered::compare(judged, first, second)
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        views::views(rows)
    }

    fn author_files(&self, judged: &Judged<'_>) -> Result<Vec<(String, String)>, BenchError> {
        measures::author_files(judged)
    }
}
