//! GEST backwards: translations whose speaker shows a gender, translated into English (specification `into-english`, section 1).

mod data;

use epicene_core::{
    Answer, Finding, InputError, Item, ItemRef, Metric, Outcome, Row, TextFile, Verdict, View,
};
use epicene_lang::english;

use crate::formula::Formulas;
use crate::gest::STEREOTYPE;
use crate::into_english::{apart, english_alone};
use crate::kept::{self, DETAILS, GENDER, headlines};
use crate::options::INTERVAL;
use crate::translations::SOURCE;
use crate::{
    BenchError, Benchmark, Card, ColumnView, Compared, Drawn, Judged, Measured, Options, Sampling,
    Verdicts,
};

const HEADLINES: [Metric; 3] = headlines(
    "sentences whose speaker does not get the other gender",
    "sentences whose speaker keeps the gender",
);

static METRICS: &[Metric] = &[
    // English "I" shows no gender, so that few sentences can keep it: what is lost says little, what turns round says much.
    HEADLINES[0],
    HEADLINES[1],
    HEADLINES[2],
    DETAILS[0],
    DETAILS[1],
    DETAILS[2],
    DETAILS[3],
    DETAILS[4],
    DETAILS[5],
];

static CARD: Card = Card {
    data: Some("gest-into-english"),
    files: &["translations.csv"],
    sources: data::languages,
    languages: english_alone,
    options: &[&INTERVAL],
    // The same English sentence may have been translated for a woman and a man, and into several languages.
    sampling: Sampling {
        unit: "sentence",
        strata: "",
        of: |item| Drawn::by(item, "", data::ORIGINAL),
    },
    cites: &["gest"],
    metrics: METRICS,
    audit_question: |_| "Which gender does the text give to the speaker, to “I”?".to_owned(),
    examples: &[
        "epicene run gest-into-english --data sk.csv --lang sk --mt nmt=file:english.csv",
        "epicene run gest-into-english --data pairs.csv --mt hf:Helsinki-NLP/opus-mt-sla-en",
        "epicene run gest-into-english --data pairs.csv --lang sk,cs --mt deepl: --yes",
    ],
    ..Card::new(
        "gest-into-english",
        "GEST backwards: is the speaker's gender kept in English? (also: run gest --into en)",
        include_str!("gest-into-english.md"),
    )
};

#[doc = include_str!("gest-into-english.md")]
pub struct GestIntoEnglish;

impl Benchmark for GestIntoEnglish {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn items(&self, data: &[TextFile], options: &Options) -> Result<Vec<Item>, InputError> {
        data::read(&data[0], options)
    }

    fn judge(&self, column: &ColumnView<'_>, _: &Options) -> Result<Verdicts, BenchError> {
        let cells = column.each(|item, answer| match answer {
            Answer::Translation(text) => Some(apart::unless_refused(
                item.text,
                text,
                english::speaker(text),
            )),
            Answer::Missing => Some(Verdict::new(Finding::NoAnswer, "")),
            _ => None,
        });
        Ok(Verdicts::new(cells?).by("detector", english::SPEAKER))
    }

    fn outcome(&self, item: ItemRef<'_>, finding: Finding) -> Option<Outcome> {
        kept::outcome(item, finding)
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        let pairing = [SOURCE, GENDER];
        kept::measure(judged, [&[SOURCE, GENDER, STEREOTYPE], &pairing], |_, _| {
            Ok(None)
        })
    }

    fn formulas(&self, _: &Judged<'_>, column: &ColumnView<'_>) -> Formulas {
        Ok(kept::formulas(column))
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        kept::compare(judged, first, second)
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        kept::views(
            rows,
            "GEST into English: accuracy (speaker not of the other gender), preserved (of the own one), gap between men and women (0 = none)",
            &[
                ("By gender", GENDER),
                ("By source language", SOURCE),
                ("By stereotype", STEREOTYPE),
            ],
        )
    }
}
