//! WiBeMT as a benchmark of translators into German.

use epicene_core::{
    Answer, Finding, Gender, InputError, Item, ItemRef, Outcome, Row, TextFile, Verdict, View,
};
use epicene_lang::occupation::OccupationJudge;

use super::german::{self, LIST_VERSION};
use super::metrics::METRICS;
use super::{
    challenge, clustered, compare, data, formulas, measures, other_languages, published, sentences,
    views,
};
use crate::decisions::{self, DECISIONS_INPUT, Decisions};
use crate::fixed_gender::{self, IGNORE_FIXED};
use crate::formula::{self, Formulas};
use crate::inputs::{By, InputSpec};
use crate::options::{DETECTOR, INTERVAL};
use crate::wording;
use crate::{
    BenchError, Benchmark, Card, ColumnView, Compared, Judged, MadeData, Measured, Options,
    Verdicts,
};

/// Verb sentences of our own.
const EMBEDDED: &str = "epicene-wibemt";

fn embedded() -> Result<MadeData, InputError> {
    let mut bytes = Vec::new();
    let templates = challenge::embedded_templates()?;
    let occupations = challenge::paper_occupations();
    let written = challenge::write_verb_sentences(&templates, &occupations, &mut bytes);
    let fail = |message: String| InputError::new(EMBEDDED, message);
    written.map_err(|error| fail(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| fail(error.to_string()))?;
    let file = TextFile {
        path: format!("(embedded) {EMBEDDED}"),
        name: format!("{EMBEDDED}.tsv"),
        sha256: String::new(),
        text,
    };
    Ok(MadeData {
        version: EMBEDDED.to_owned(),
        items: data::read(&file)?,
        source: file.text,
    })
}

pub static CARD: Card = Card {
    data: Some(EMBEDDED),
    files: &["verb_sentences.tsv"],
    languages: other_languages::languages,
    options: &[&DETECTOR, &IGNORE_FIXED, &INTERVAL],
    sampling: clustered::SAMPLING,
    inputs: &[InputSpec {
        unused: decisions::unused,
        ..InputSpec::new(
            DECISIONS_INPUT,
            By::Run,
            "What a person decided where the rules do not: the file of --unresolved, filled in",
            |file, _| Decisions::read(file).map(drop),
        )
    }],
    metrics: METRICS,
    audit_question: formula::gender_of_occupation,
    labels: Some(formula::GENDER_OR_WRONG_LABELS),
    baselines: published::baselines,
    examples: &[
        "epicene run wibemt --mt file:de.txt --lang de",
        "epicene run wibemt --mt file:de.txt --lang de --unresolved open.tsv",
        "epicene run wibemt --mt deepl: --lang de --yes",
    ],
    ..Card::new(
        "wibemt",
        "what verbs and adjectives do to the gender of translated occupations",
        include_str!("wibemt.md"),
    )
};

#[doc = include_str!("wibemt.md")]
pub struct Wibemt;

impl Benchmark for Wibemt {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn make_data(&self, name: &str, _: &Options) -> Option<Result<MadeData, InputError>> {
        (name == EMBEDDED).then(embedded)
    }

    fn items(&self, data: &[TextFile], _options: &Options) -> Result<Vec<Item>, InputError> {
        data::read(&data[0])
    }

    fn judge(&self, column: &ColumnView<'_>, options: &Options) -> Result<Verdicts, BenchError> {
        let rules = options.get(&DETECTOR);
        let language = column.language();
        let ignoring = options.get(&IGNORE_FIXED) && fixed_gender::is_known(language);
        let german = language.code() == "de";
        let other = OccupationJudge::of(language).ok_or_else(|| {
            BenchError::NotMeasurable(format!("no occupation detector for {language}"))
        })?;
        let cells = column.each(|item, answer| {
            let text = match answer {
                Answer::Translation(text) => text.as_str(),
                Answer::Missing => "",
                _ => return None,
            };
            let (occupation, part) = (item.label(data::OCCUPATION)?, data::part(&item)?);
            if ignoring && fixed_gender::is_fixed(language, occupation) {
                return Some(Verdict::new(Finding::Common, fixed_gender::IGNORED));
            }
            // The paper's list has its own occupations alone.
            Some(if german && german::knows(occupation) {
                german::classify(text, occupation, part, rules)
            } else {
                other_languages::judge(other, text, occupation)
            })
        });
        let items = column.items().iter();
        let mut occupations = items.filter_map(|item| item.label(data::OCCUPATION));
        let is_listed = german && occupations.all(german::knows);
        let mut verdicts = Verdicts::new(cells?);
        if ignoring {
            verdicts = verdicts.by("ignored", fixed_gender::IGNORED);
        }
        Ok(if german {
            verdicts.by("judge", format!("wibemt-{rules}")).by(
                "list",
                if is_listed {
                    LIST_VERSION.to_string()
                } else {
                    format!("{LIST_VERSION}+lexicon")
                },
            )
        } else {
            verdicts.by("judge", "occupation-default")
        })
    }

    fn outcome(&self, item: ItemRef<'_>, finding: Finding) -> Option<Outcome> {
        let expected = match item.label(data::GENDER)? {
            "female" => Gender::Feminine,
            _ => Gender::Masculine,
        };
        Some(Outcome::of(expected, finding))
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        wording::added(self, judged, measures::measure(judged)?)
    }

    fn formulas(&self, judged: &Judged<'_>, _column: &ColumnView<'_>) -> Formulas {
        Ok(formulas::formulas(sentences::read(&judged.table.items)?))
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        compare::compare(judged, first, second)
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        let mut views = views::views(rows);
        views.extend(wording::view(rows));
        views
    }
}
