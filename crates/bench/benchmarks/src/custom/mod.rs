//! Benchmarks as data: a table of items, a template and one of the existing measures, described in a TOML file
//! (`epicene run custom --spec my.toml`). The run is one of the benchmark whose measure it is, on items of the user's own.

mod spec;

use epicene_core::{InputError, Item, Language, ModelKind, TextFile};

use crate::card::Instead;
use crate::gest::options::NOUNS;
use crate::options::{DETECTOR, Declared, INTERVAL, Options};
use crate::{
    Ask, BenchError, Benchmark, Card, Judged, Measured, gest, gest_chat, unambiguous, winobias,
};

pub use spec::{Measure, Spec};

static OPTIONS: &[&dyn Declared] = &[&INTERVAL, &DETECTOR, &NOUNS];

fn languages() -> Vec<Language> {
    let each = Measure::ALL.iter();
    let mut languages: Vec<Language> = each
        .flat_map(|measure| (measure.benchmark().card().languages)())
        .collect();
    languages.sort_unstable();
    languages.dedup();
    languages
}

static CARD: Card = Card {
    data_flag: "--spec FILE",
    languages,
    options: OPTIONS,
    instead: &[(Instead::BySpec, "")],
    examples: &[
        "epicene run custom --spec traits.toml --mt nmt=file:nmt.sk.txt --lang sk",
        "epicene run custom --spec pairs.toml --model hf:google-bert/bert-base-uncased",
        "epicene run custom --spec pairs.toml --model random:1 --model always:he",
    ],
    ..Card::new(
        "custom",
        "a question of your own: items in a table, a template, and one of the measures",
        include_str!("custom.md"),
    )
};

#[doc = include_str!("custom.md")]
pub(crate) struct Custom;

impl Benchmark for Custom {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn items(&self, data: &[TextFile], _: &Options) -> Result<Vec<Item>, InputError> {
        match data {
            [spec, table] => Spec::read(spec)?.items(table),
            _ => Err(InputError::new("custom", "there is no specification")
                .with_hint("give --spec FILE")),
        }
    }

    fn asks(&self, kind: ModelKind, options: &Options) -> Vec<Ask> {
        let each = Measure::ALL.iter();
        each.flat_map(|measure| measure.benchmark().asks(kind, options))
            .collect()
    }

    /// Runs are the measure's own benchmark's.
    fn measure(&self, _: &Judged<'_>) -> Result<Measured, BenchError> {
        Err(BenchError::NothingToMeasure)
    }
}

impl Measure {
    /// The benchmark whose measure it is.
    pub fn benchmark(self) -> &'static dyn Benchmark {
        match self {
            Measure::FirstPersonGender => &gest::Gest,
            Measure::PersonGender => &unambiguous::Unambiguous,
            Measure::PairPreference => &winobias::Winobias,
            Measure::Choice => &gest_chat::GestChat,
        }
    }
}
