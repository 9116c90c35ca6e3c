//! Translations with a known share of women: each draws the gender of its persons, takes a sentence that shows this gender,
//! and is read by the benchmark's own detector and aligner. The truth is what the metric would be if every translation of
//! the population were read without an error.

mod designs;
mod sentences;

use std::path::Path;

use epicene_core::{Answer, Item, Row, Scorer, Verdict};
use rayon::prelude::*;

use crate::world::{Answers, Dice, Drawn, Study};

/// Languages whose annotated sentences show the gender of "I".
const OF_SPEAKERS: [&str; 8] = [
    "lang:bg", "lang:cs", "lang:es", "lang:it", "lang:pl", "lang:ru", "lang:sk", "lang:sl",
];
/// Languages of MT-GenEval.
const OF_PERSONS: [&str; 8] = [
    "lang:ar", "lang:de", "lang:es", "lang:fr", "lang:hi", "lang:it", "lang:pt", "lang:ru",
];

/// A sample: items, their translations, and what a perfect reader sees in them.
#[derive(Default)]
pub struct Sample {
    pub items: Vec<Item>,
    pub texts: Vec<String>,
    pub shown: Vec<Verdict>,
}

/// A number with its true value.
pub struct Known {
    pub group: &'static str,
    pub metric: &'static str,
    pub truth: f64,
}

/// A benchmark in a language.
pub struct Case {
    pub benchmark: &'static str,
    unit: &'static str,
    draw: Box<dyn Fn(&mut Dice) -> Sample + Sync>,
    known: Vec<Known>,
}

/// Who reads the translations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    Detector,
    Perfect,
    /// Sees no gender in every second translation about a woman.
    Overlooking,
}

/// How often the intervals of a number contain its true value.
pub struct Coverage {
    pub group: &'static str,
    pub metric: &'static str,
    pub truth: f64,
    /// Mean of the values found.
    pub mean: f64,
    pub contained: u64,
    pub runs: u64,
}

impl Coverage {
    pub fn share(&self) -> f64 {
        self.contained as f64 / self.runs as f64
    }
}

/// All benchmarks in all their languages; with the reference data also its annotated sentences.
pub fn cases(data: Option<&Path>) -> Vec<Case> {
    let mut cases: Vec<Case> = OF_SPEAKERS
        .map(|unit| designs::gest(unit, data))
        .into_iter()
        .collect();
    for design in [
        designs::unambiguous,
        designs::winomt,
        designs::mtgeneval,
        designs::gate,
    ] {
        cases.extend(OF_PERSONS.map(|unit| design(unit, data)));
    }
    cases
}

impl Case {
    pub fn language(&self) -> &'static str {
        code(self.unit)
    }

    /// The intervals of so many samples.
    pub fn run(&self, runs: u64, reader: Reader) -> Vec<Coverage> {
        let rows: Vec<Vec<Row>> = (0..runs)
            .into_par_iter()
            .map(|number| self.rows(number, reader))
            .collect();
        let of = |known: &Known| {
            let mut coverage = Coverage {
                group: known.group,
                metric: known.metric,
                truth: known.truth,
                mean: 0.0,
                contained: 0,
                runs,
            };
            for rows in &rows {
                let mut found = rows.iter();
                let row = found.find(|row| row.group == known.group && row.metric == known.metric);
                let place = format!("{} {}", self.benchmark, known.metric);
                let row = row.unwrap_or_else(|| panic!("{place}: no such row"));
                let (low, high) = (row.low.expect("an interval"), row.high.expect("its end"));
                coverage.mean += row.value / runs as f64;
                coverage.contained += u64::from(low <= known.truth && known.truth <= high);
            }
            coverage
        };
        self.known.iter().map(of).collect()
    }

    fn rows(&self, number: u64, reader: Reader) -> Vec<Row> {
        let stream = format!("known/{}/{}/{number}", self.benchmark, self.language());
        let Sample {
            items,
            texts,
            mut shown,
        } = (self.draw)(&mut Dice::new(&stream));
        if reader == Reader::Overlooking {
            designs::overlook(&mut shown, &mut Dice::new(&format!("{stream}/overlooking")));
        }
        let answers = match reader {
            Reader::Detector => {
                Answers::Given(texts.into_iter().map(Answer::Translation).collect())
            }
            Reader::Perfect | Reader::Overlooking => Answers::Judged(shown),
        };
        let drawn = Drawn {
            items,
            columns: vec![answers],
        };
        self.study().rows(drawn)
    }

    /// What the coverage study needs to know of a benchmark.
    fn study(&self) -> Study {
        Study {
            benchmark: self.benchmark,
            design: self.language().to_owned(),
            scorer: Scorer::Translate,
            unit: self.unit,
            draw: Box::new(|_| unreachable!("samples are drawn here")),
            looks: Vec::new(),
        }
    }
}

fn code(unit: &str) -> &str {
    unit.strip_prefix("lang:").expect("the unit of a language")
}
