//! Which gender a translator into English invents (specification `into-english`, section 5).

pub mod apart;
mod compare;
mod data;
mod formulas;
mod measures;
mod metrics;
mod options;
mod shown;
mod views;

use epicene_core::{Answer, Finding, InputError, Item, Language, Row, TextFile, Verdict, View};
use epicene_lang::english;

use crate::formula::Formulas;
use crate::options::INTERVAL;
use crate::translations::SOURCE;
use crate::{
    BenchError, Benchmark, Card, ColumnView, Compared, Drawn, Judged, MadeData, Measured, Options,
    Sampling, Verdicts,
};
use options::INCLUDE_MARKED;

/// The data set that the benchmark makes itself.
const NAME: &str = "into-english";

/// Occupations within WinoBias' two lists; a trait sentence stands for its template.
const SAMPLING: Sampling = Sampling {
    unit: "occupation",
    strata: "list",
    of: |item| match item.label(data::OCCUPATION) {
        Some(occupation) => Some(Drawn::new(item.label(data::LIST)?, occupation)),
        None => Some(Drawn::new("trait", item.label(data::TEMPLATE)?)),
    },
};

pub fn english_alone() -> Vec<Language> {
    vec![Language::find("en").expect("the registry has English")]
}

static CARD: Card = Card {
    data: Some(NAME),
    sources: data::languages,
    languages: english_alone,
    options: &[&INCLUDE_MARKED, &INTERVAL],
    sampling: SAMPLING,
    cites: &["winobias"],
    metrics: metrics::METRICS,
    examples: &[
        "epicene run into-english --mt nmt=file:outputs.csv --lang hu",
        "epicene run into-english --mt hf:Helsinki-NLP/opus-mt-hu-en --lang hu",
        "epicene run into-english --mt deepl: --lang hu,tr,fi --yes",
    ],
    ..Card::new(
        NAME,
        "which gender does a translation into English invent?",
        include_str!("into-english.md"),
    )
};

#[doc = include_str!("into-english.md")]
pub struct IntoEnglish;

impl Benchmark for IntoEnglish {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn make_data(&self, name: &str, options: &Options) -> Option<Result<MadeData, InputError>> {
        (name == NAME).then(|| {
            let all = data::languages().len();
            let mut version = "1".to_owned();
            if !options.languages.is_empty() && options.languages.len() < all {
                let codes: Vec<&str> = options.languages.iter().map(|own| own.code()).collect();
                version += &format!("-{}", codes.join("+"));
            }
            if options.get(&INCLUDE_MARKED) {
                version += "-marked";
            }
            Ok(MadeData {
                source: format!("{version}\n{}", data::source()),
                version,
                items: data::items(options),
            })
        })
    }

    fn items(&self, data: &[TextFile], _: &Options) -> Result<Vec<Item>, InputError> {
        let path = data.first().map_or(NAME, |file| file.path.as_str());
        Err(InputError::new(
            path,
            "into-english makes its own sentences and reads no data file",
        )
        .with_hint("leave --data out; `--lang hu,fi` chooses source languages"))
    }

    fn judge(&self, column: &ColumnView<'_>, _: &Options) -> Result<Verdicts, BenchError> {
        let cells = column.each(|item, answer| match answer {
            Answer::Translation(text) => Some(apart::unless_refused(
                item.text,
                text,
                english::detect(text),
            )),
            Answer::Missing => Some(Verdict::new(Finding::NoAnswer, "")),
            _ => None,
        });
        Ok(Verdicts::new(cells?).by("detector", english::NAME))
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        measures::measure(judged)
    }

    fn formulas(&self, _: &Judged<'_>, column: &ColumnView<'_>) -> Formulas {
        Ok(formulas::formulas(column))
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        compare::compare(judged, first, second)
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        views::views(rows)
    }
}

/// The source language of an item.
fn language(item: epicene_core::ItemRef<'_>) -> &str {
    item.label(SOURCE).expect("every item has its language")
}
