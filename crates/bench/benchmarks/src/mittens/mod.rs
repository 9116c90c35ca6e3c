//! MiTTenS: is the gender that the source says kept in English (specification `into-english`, sections 2 and 3)?

mod data;
mod measures;
mod metrics;
mod options;
mod views;

use epicene_core::{
    Answer, Finding, Gender, InputError, Item, ItemRef, Outcome, Row, TextFile, Verdict, View,
};
use epicene_lang::english;

use crate::formula::Formulas;
use crate::into_english::{apart, english_alone};
use crate::kept;
use crate::options::INTERVAL;
use crate::{
    BenchError, Benchmark, Card, ColumnView, Compared, Drawn, Judged, Measured, Options, Sampling,
    Verdicts,
};

/// Passages without their gender and language, within the sets they were made for.
const SAMPLING: Sampling = Sampling {
    unit: "passage",
    strata: "set",
    of: |item| Drawn::by(item, data::SET, data::CLUSTER),
};

static CARD: Card = Card {
    data: Some("mittens"),
    files: &["mittens_dataset_v5.csv"],
    choose: Some(|present, _| {
        let is_table = |name: &&String| name.starts_with("mittens_dataset_v5.csv");
        let found = present.iter().find(is_table);
        vec![found.map_or_else(|| "mittens_dataset_v5.csv".to_owned(), Clone::clone)]
    }),
    sources: data::languages,
    languages: english_alone,
    options: &[&options::SPLIT, &INTERVAL],
    sampling: SAMPLING,
    metrics: metrics::METRICS,
    examples: &[
        "epicene run mittens --mt nmt=file:outputs.csv --lang fi,tr",
        "epicene run mittens --mt hf:Helsinki-NLP/opus-mt-fi-en --lang fi",
        "epicene run mittens --mt openai:my-model@http://localhost:8000 --lang tr",
    ],
    ..Card::new(
        "mittens",
        "the source says the gender: is it kept in English?",
        include_str!("mittens.md"),
    )
};

#[doc = include_str!("mittens.md")]
pub struct Mittens;

impl Benchmark for Mittens {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn items(&self, data: &[TextFile], options: &Options) -> Result<Vec<Item>, InputError> {
        data::read(&data[0], options)
    }

    fn judge(&self, column: &ColumnView<'_>, _: &Options) -> Result<Verdicts, BenchError> {
        let cells = column.each(|item, answer| match answer {
            Answer::Translation(text) => {
                let verdict = verdict(kept::gender(item)?, text);
                Some(apart::unless_refused(item.text, text, verdict))
            }
            Answer::Missing => Some(Verdict::new(Finding::NoAnswer, "")),
            _ => None,
        });
        Ok(Verdicts::new(cells?).by("detector", english::NAME))
    }

    fn outcome(&self, item: ItemRef<'_>, finding: Finding) -> Option<Outcome> {
        kept::outcome(item, finding)
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        measures::measure(judged)
    }

    fn formulas(&self, _: &Judged<'_>, column: &ColumnView<'_>) -> Formulas {
        Ok(kept::formulas(column))
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        kept::compare(judged, first, second)
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        views::views(rows)
    }
}

/// The pronouns alone decide: ten of the biographies name a relative of the other gender.
fn verdict(expected: Gender, text: &str) -> Verdict {
    let found = english::pronouns(text);
    let (own, other) = match expected {
        Gender::Masculine => (found.masculine, found.feminine),
        Gender::Feminine => (found.feminine, found.masculine),
    };
    match (own.is_empty(), other.is_empty()) {
        (true, true) => Verdict::new(Finding::NotFound, "none"),
        (false, true) => Verdict::new(expected.into(), "pronoun").with_evidence(own),
        (true, false) => Verdict::new(expected.opposite().into(), "pronoun").with_evidence(other),
        (false, false) => Verdict::new(Finding::Both, "mixed-pronoun").with_evidence(other),
    }
}
