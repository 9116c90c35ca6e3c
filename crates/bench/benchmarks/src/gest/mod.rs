//! GEST: sixteen gender stereotypes, measured by who a model thinks is speaking.
//!
//! Pikuliak, Hrckova, Oresko, Simko: "Women Are Beautiful, Men Are Leaders: Gender Stereotypes in
//! Machine Translation and Language Modeling", arXiv 2311.18711. The English language-model part
//! (sections 5.2 and 5.3, Tables 3, 5, 9 and 10, Figures 3 and 4) lies here; machine translation
//! (section 4, Tables 6 and 8, Figure 2) in `mt`, Slavic masked models in [`pairs`].

mod agreement;
mod clustered;
mod columns;
mod compare;
mod data;
pub mod first_letter;
pub mod guide;
pub mod language_pack;
mod lm_eval;
mod measures;
mod metrics;
mod models;
mod mt;
pub(crate) mod options;
pub mod own_set;
pub mod pairs;
mod pairs_views;
pub mod parses;
pub mod published;
mod score_checks;
mod scores;
pub mod stereotypes;
pub mod swapping;
mod templates;
mod validity;
mod views;

use epicene_core::{
    Answer, AnswerTable, Finding, InputError, Item, ModelKind, Question, Row, Scorer, TextFile,
    Verdict, View,
};
use epicene_lang::first_person::{Detector, Mode};

use self::clustered::{CLUSTER, ClusterBy, Sampled};
pub(crate) use self::data::labelled as read_labelled;
pub use self::data::read as read_items;
pub(crate) use self::data::{STEREOTYPE, StereotypeLabel};
pub(crate) use self::measures::Ties;
use self::options::{CONVENTION, Convention, DETECTOR, INTERVAL, NOUNS};
use self::own_set::OwnSet;
pub(crate) use self::scores::Samples;
use self::scores::UnitScores;
use self::templates::Template;
pub(crate) use self::views::{groups, labels};
use crate::card::Instead;
use crate::formula::Formulas;
use crate::inputs::{By, InputSpec, OfRun};
use crate::options::ESTIMATE;
use crate::own_baselines;
use crate::wording;
use crate::{
    AnswerFile, AnswerSheet, Ask, BenchError, Benchmark, Card, ColumnView, Compared, Judged,
    Measured, Options, Sheets, Verdicts, translations,
};

/// Role of the file of WinoBias means (predictive validity).
const WINOBIAS_INPUT: &str = "winobias";
/// Role of the file of annotated gender swaps (Table 5).
const SWAP_PAIRS_INPUT: &str = "swap-pairs";

static CARD: Card = Card {
    data: Some("gest"),
    files: &["gest.csv"],
    languages: Detector::languages,
    options: &[
        &CONVENTION,
        &DETECTOR,
        &NOUNS,
        &INTERVAL,
        &ESTIMATE,
        &CLUSTER,
    ],
    resamples: true,
    sampling: clustered::BY_SENTENCE,
    inputs: &[
        InputSpec {
            flag: Some("winobias"),
            of_run: Some(OfRun {
                benchmarks: &["winobias", "winobias-means"],
                text: crate::winobias::means_of_run,
            }),
            unread: |asking, _| {
                let mut scorers = asking.columns.iter().map(|column| column.ask.scorer);
                let translations = scorers.all(|scorer| scorer == Scorer::Translate);
                translations.then_some("language models (--model)")
            },
            ..InputSpec::new(
                WINOBIAS_INPUT,
                By::Run,
                "WinoBias to correlate g_s with: a run directory of winobias on the same models, or means of its splits (CSV)",
                |file, _| crate::winobias::read_means(file).map(drop),
            )
        },
        InputSpec {
            flag: Some("swap-pairs"),
            ..InputSpec::new(
                SWAP_PAIRS_INPUT,
                By::Run,
                "Annotated gender swaps to check the first-letter heuristic on",
                |file, _| first_letter::read(file).map(drop),
            )
        },
        own_set::INPUT,
        parses::INPUT,
        language_pack::INPUT,
    ],
    metrics: metrics::GEST,
    scopes: data::SCOPES,
    facets: data::facets,
    audit_question: |_| "Which gender does the text give to the speaker, to “I”?".to_owned(),
    baselines,
    published_on: &[("gest", "1.0")],
    instead: &[
        (Instead::WithPairs, "gest-pairs"),
        (Instead::IntoEnglish, "gest-into-english"),
    ],
    examples: &[
        "epicene run gest --model hf:google-bert/bert-base-uncased",
        "epicene run gest --mt deepl=file:deepl.sk.csv --mt nllb=file:nllb.sk.csv --lang sk",
        "epicene run gest --model file:scores.csv --fail-if 'g_s > 1.2'",
    ],
    answer_file: "A file of scores has one row for each item of the data, in the data's order, and one column for each\n\
model and template: NAME_template-K (K from 0 among the model's templates, as published) or\n\
NAME/template:N (the paper's number). A score is log10 P(masculine)/P(feminine). A column with item ids or\n\
sentences is checked.",
    ..Card::new(
        "gest",
        "16 gender stereotypes: who does the model think is speaking?",
        include_str!("gest.md"),
    )
};

#[doc = include_str!("gest.md")]
pub struct Gest;

/// Tables of scores, and samples of lm-evaluation-harness among them.
fn model_answers(
    files: &[TextFile],
    kind: Option<ModelKind>,
    items: &[Item],
) -> Result<Vec<AnswerSheet>, InputError> {
    let (samples, tables): (Vec<usize>, Vec<usize>) =
        (0..files.len()).partition(|place| lm_eval::is_samples(&files[*place]));
    let of_tables: Vec<TextFile> = tables.iter().map(|place| files[*place].clone()).collect();
    let mut sheets = if of_tables.is_empty() {
        Vec::new()
    } else {
        columns::read_answers(&of_tables, kind, items)?
    };
    for sheet in &mut sheets {
        for file in &mut sheet.files {
            *file = tables[*file];
        }
    }
    for place in samples {
        sheets.push(lm_eval::read(&files[place], place, items)?);
    }
    Ok(sheets)
}

impl Gest {
    /// Epicene's own rules on the words of the translations.
    fn by_detector(
        &self,
        column: &ColumnView<'_>,
        options: &Options,
    ) -> Result<Verdicts, BenchError> {
        let (language, mode) = (column.language(), options.get(&DETECTOR));
        let brought = language_pack::detector(options, language)?;
        let is_brought = brought.is_some();
        let detector = brought.or_else(|| Detector::of(language, mode));
        let detector = detector.ok_or_else(|| {
            BenchError::NotMeasurable(format!("no first-person detector for {language}"))
        })?;
        let detector = detector.with_nouns(options.get(&NOUNS));
        let cells = column.each(|_, answer| match answer {
            Answer::Translation(text) => Some(detector.judge(text)),
            Answer::Missing => Some(Verdict::new(Finding::NoAnswer, "")),
            _ => None,
        });
        // A language without a published list is read strictly, whatever was wished.
        let judge = format!("first-person-rules-{}", options::mode_name(detector.mode()));
        let mut verdicts = Verdicts::new(cells?).by("judge", judge);
        if is_brought {
            verdicts = verdicts.by("pack", language);
        }
        Ok(match detector.nouns() {
            Some(nouns) => verdicts.by("nouns", nouns.name()),
            None => verdicts,
        })
    }
}

impl Benchmark for Gest {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn items(&self, data: &[TextFile], options: &Options) -> Result<Vec<Item>, InputError> {
        let items = data::read(&data[0], OwnSet::of(options)?.as_ref())?;
        let unsigned = |item: &&Item| item.label(data::WRITER).is_none();
        if options.get(&CLUSTER) == ClusterBy::Writer
            && let Some(item) = items.iter().find(unsigned)
        {
            let message = format!("--cluster writer: {} names no writer", item.id);
            return Err(InputError::new(&data[0].path, message)
                .with_hint("give data with a column `writer` that is filled for every sentence"));
        }
        Ok(items)
    }

    fn odd_scores(&self, table: &AnswerTable, columns: &[usize]) -> Option<String> {
        score_checks::odd_scores(table, columns)
    }

    fn checks_order(&self, items: &[Item]) -> bool {
        let known = items
            .iter()
            .filter(|item| score_checks::baseline(&item.text).is_some());
        2 * known.count() > items.len()
    }

    fn asks(&self, kind: ModelKind, _options: &Options) -> Vec<Ask> {
        let scorer = match kind {
            ModelKind::Masked => Scorer::MaskedPair,
            ModelKind::Causal => Scorer::NextWord,
            ModelKind::Translator => return translations::asks(&CARD),
            ModelKind::Chat => return Vec::new(),
        };
        let templates = Template::of(kind).iter();
        templates
            .map(|template| Ask::new(template.unit(), scorer))
            .collect()
    }

    fn question(&self, item: &Item, ask: &Ask) -> Question {
        match ask.scorer {
            Scorer::Translate => translations::question(item, ask),
            scorer => {
                let template = Template::from_unit(&ask.unit);
                let template = template.expect("models are asked in units of templates");
                template.question(&item.text, scorer)
            }
        }
    }

    fn read_answers(&self, files: &[AnswerFile], items: &[Item], _options: &Options) -> Sheets {
        match files.first() {
            Some(AnswerFile::Models { .. }) => {
                let (files, kind) = AnswerFile::of_models(files, &CARD)?;
                model_answers(&files, kind, items)
            }
            _ => translations::sheets(&CARD, files, items),
        }
    }

    fn judge(&self, column: &ColumnView<'_>, options: &Options) -> Result<Verdicts, BenchError> {
        if column.column().scorer != Scorer::Translate {
            let cells = column.each(|_, answer| match answer {
                Answer::Log10Ratio(ratio) => Some(Verdict::of_preference(*ratio)),
                Answer::Missing => Some(Verdict::new(Finding::NoAnswer, "")),
                _ => None,
            });
            return Ok(Verdicts::new(cells?));
        }
        if let Some(file) = column.input(parses::PARSES, options) {
            let verdicts = parses::judge(column, file)?;
            return Ok(match self.by_detector(column, options) {
                Ok(own) => verdicts.beside("paper's rules on parses", &own),
                Err(_) => verdicts,
            });
        }
        self.by_detector(column, options)
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        let samples = samples(judged)?;
        let mut measured = Measured::default();
        let sampled = sampled(judged, &samples)?;
        warn_of_missing(judged, &mut measured);
        models::measure(judged, &samples, sampled.as_ref(), &mut measured)?;
        mt::measure(judged, &samples, sampled.as_ref(), &mut measured)?;
        let mut measured = measured.or_nothing()?;
        if let Some(sampled) = &sampled {
            measured.how.extend(sampled.how());
            measured
                .how
                .push(("interval", "t-satterthwaite".to_owned()));
            measured.notes.extend(clustered::notes(&samples));
        }
        if let Some(file) = judged.options.inputs.get(SWAP_PAIRS_INPUT) {
            let rows = first_letter::rows(&CARD, &first_letter::read(file)?)?;
            measured.rows.extend(rows);
        }
        measured.rows.extend(own_set::rows(&CARD, &samples.set));
        wording::added(self, judged, measured)
    }

    fn formulas(&self, judged: &Judged<'_>, column: &ColumnView<'_>) -> Formulas {
        if column.column().scorer != Scorer::Translate {
            return Ok(Vec::new());
        }
        let plain = judged.options.get(&ESTIMATE).is_plain();
        mt::formulas(samples(judged)?, judged.verdicts_of(column), plain)
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        let samples = samples(judged)?;
        let scores = scores(judged)?;
        if let Some(sampled) = sampled(judged, &samples)? {
            return compare::clustered(judged, &sampled, &scores, (first, second));
        }
        let pair = (first, second);
        let mut measured = Measured::default();
        if scores
            .iter()
            .any(|unit| unit.system == first || unit.system == second)
        {
            measured.rows = compare::rows(judged, &samples, &scores, pair)?;
        }
        let translations = mt::comparison_rows(judged, &samples, pair)?;
        if !translations.is_empty() {
            let rates = mt::signed_rates(judged.options);
            measured.how.push(("rates", rates.to_owned()));
        }
        if !measured.rows.is_empty() {
            let convention = judged.options.get(&CONVENTION);
            measured.how.push(("convention", convention.to_string()));
        }
        measured.rows.extend(translations);
        measured
            .how
            .push(("interval", compare::signed(judged.options)));
        if measured.rows.is_empty() {
            Err(judged.incomparable(first, second, "they share no language and no template"))
        } else {
            Ok(measured)
        }
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        let mut views = views::views(rows);
        views.extend(wording::view(rows));
        views
    }
}

/// Of translators those of the same detector, of models in the published convention: other numbers are not comparable.
fn baselines(options: &Options) -> Vec<Row> {
    if options.get(&CONVENTION) == Convention::True {
        return Vec::new();
    }
    let mut rows = match options.get(&DETECTOR) {
        Mode::Published => published::translation_rows(),
        Mode::Strict => own_baselines::rows(&CARD),
        Mode::Extended => Vec::new(),
    };
    rows.extend(published::model_rows());
    rows
}

pub(crate) fn samples(judged: &Judged<'_>) -> Result<Samples, BenchError> {
    Samples::of(&judged.table.items, |item| item.text)
}

/// The units of language models that have answers.
fn scores(judged: &Judged<'_>) -> Result<Vec<UnitScores>, BenchError> {
    judged
        .columns()
        .filter(|(view, _)| view.column().scorer != Scorer::Translate)
        .map(|(view, _)| UnitScores::of(&view, |_| true))
        .collect()
}

/// What was sampled, where intervals are to know it.
fn sampled<'a>(
    judged: &Judged<'_>,
    samples: &'a Samples,
) -> Result<Option<Sampled<'a>>, BenchError> {
    if !judged.options.get(&INTERVAL).is_clustered() {
        return Ok(None);
    }
    if !judged.options.get(&ESTIMATE).is_plain() {
        return Err(BenchError::NotMeasurable(
            "--estimate published has no clustered interval; add --interval published".to_owned(),
        ));
    }
    let by = judged.options.get(&CLUSTER);
    Sampled::new(judged, samples, by).map(Some)
}

/// Questions a model could not answer (a text beyond its length) are not in its numbers.
fn warn_of_missing(judged: &Judged<'_>, measured: &mut Measured) {
    for (view, verdicts) in judged.columns() {
        let missing = |verdict: &&Verdict| verdict.finding == Finding::NoAnswer;
        let count = verdicts.cells.iter().flatten().filter(missing).count();
        let column = view.column();
        if count > 0 && column.scorer != Scorer::Translate {
            measured.warnings.push(format!(
                "{} {}: {count} of {} questions have no answer; the numbers speak of the rest",
                view.system().name,
                column.unit,
                verdicts.cells.len()
            ));
        }
    }
}
