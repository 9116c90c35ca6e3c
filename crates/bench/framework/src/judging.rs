//! The stages after the log: answers of a column become verdicts, verdicts become numbers. Plain functions of plain
//! data; whoever judges or measures says how it was done, for the signature.

use std::collections::BTreeMap;

use epicene_core::{
    Answer, AnswerTable, Column, DataCard, Finding, ItemRef, Items, Language, Row, RowKind,
    SystemCard, TextFile, Verdict,
};
use rayon::prelude::*;

use crate::decisions::{DECISIONS_INPUT, Decisions, Open};
use crate::given_verdicts::{self, Beside, GivenVerdicts};
use crate::{BenchError, Benchmark, Card, Options, SharedWork, Tested};

/// Fields of the signature, from those who did what they name.
pub type How = Vec<(&'static str, String)>;

/// The verdicts on one column.
#[derive(Debug, Default)]
pub struct Verdicts {
    /// One for each item; `None` where nothing was answered.
    pub cells: Vec<Option<Verdict>>,
    pub how: How,
    /// What else was seen on the way: words nobody knows, occupations the lexicon found.
    pub counts: BTreeMap<&'static str, u64>,
    /// What stands beside verdicts that others gave.
    pub beside: Option<Box<Beside>>,
}

/// One column of a table, as a judge sees it.
#[derive(Debug, Clone, Copy)]
pub struct ColumnView<'a> {
    pub table: &'a AnswerTable,
    pub place: usize,
}

/// A table with its verdicts, ready to be measured.
#[derive(Debug, Clone, Copy)]
pub struct Judged<'a> {
    pub card: &'static Card,
    pub table: &'a AnswerTable,
    /// For each column.
    pub verdicts: &'a [Verdicts],
    pub options: &'a Options,
    pub data: &'a DataCard,
    /// Whether every item of the data was asked and answered.
    pub whole: bool,
    /// Of a comparison of many systems that all answered everything.
    pub shared: Option<&'a SharedWork>,
}

/// What a benchmark says about a log: the rows, sentences for people to stand under them, and how it was done.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measured {
    pub rows: Vec<Row>,
    pub notes: Vec<String>,
    /// What nobody may overlook: stands before the numbers, in every format.
    pub warnings: Vec<String>,
    pub how: How,
    /// Tests among the rows that are to be corrected for their number.
    pub tests: Vec<Tested>,
}

impl Verdicts {
    pub fn new(cells: Vec<Option<Verdict>>) -> Verdicts {
        Verdicts {
            cells,
            ..Verdicts::default()
        }
    }

    pub fn findings(&self) -> Vec<Option<Finding>> {
        let cells = self.cells.iter();
        cells
            .map(|cell| cell.as_ref().map(|cell| cell.finding))
            .collect()
    }

    /// The same with what epicene's own rules say, which `by` did not.
    pub fn beside(mut self, by: &str, own: &Verdicts) -> Verdicts {
        self.beside = Some(Box::new(Beside::one(by, own)));
        self
    }

    pub fn by(mut self, name: &'static str, value: impl ToString) -> Verdicts {
        self.how.push((name, value.to_string()));
        self
    }
}

impl<'a> ColumnView<'a> {
    pub fn column(&self) -> &'a Column {
        &self.table.columns[self.place]
    }

    pub fn items(&self) -> &'a Items {
        &self.table.items
    }

    pub fn system(&self) -> &'a SystemCard {
        self.table.system(self.column())
    }

    /// The language of a column of translations.
    pub fn language(&self) -> Language {
        let language = self.column().unit.language();
        language.expect("translators are asked in units of languages")
    }

    /// The translation of an item, or what was said about it; `None` where there is none.
    pub fn text(&self, item: usize) -> Option<&'a str> {
        self.column().answers[item].as_ref()?.text()
    }

    /// Judges answer by answer; a judge that has no use for an answer returns `None`.
    pub fn each(
        &self,
        judge: impl Fn(ItemRef<'a>, &'a Answer) -> Option<Verdict> + Sync,
    ) -> Result<Vec<Option<Verdict>>, BenchError> {
        self.each_or(|item, answer| judge(item, answer).ok_or_else(|| self.wrong_answer()))
    }

    /// The same for a judge that says itself why an answer cannot be judged.
    pub fn each_or(
        &self,
        judge: impl Fn(ItemRef<'a>, &'a Answer) -> Result<Verdict, BenchError> + Sync,
    ) -> Result<Vec<Option<Verdict>>, BenchError> {
        let answers = self.column().answers.par_iter().enumerate();
        answers
            .map(|(item, answer)| {
                let answer = answer.as_ref().map(|answer| answer.plain().0);
                let verdict = answer.map(|answer| judge(self.items().get(item), answer));
                verdict.transpose()
            })
            .collect()
    }

    pub fn wrong_answer(&self) -> BenchError {
        BenchError::WrongAnswer {
            unit: self.column().unit.clone(),
        }
    }

    /// A further file for this column: its system's own, or that of its language.
    pub fn input<'o>(&self, role: &str, options: &'o Options) -> Option<&'o TextFile> {
        options.input(role, &self.system().name, self.language())
    }

    /// What an encoder linked in this column, with the encoder's name.
    pub fn encoder_links<'o>(&self, options: &'o Options) -> Option<(&'o TextFile, &'o str)> {
        let links = options.links.as_ref()?;
        let column = (self.system().name.clone(), self.language());
        Some((links.files.get(&column)?, &links.aligner))
    }
}

impl<'a> Judged<'a> {
    /// Columns that have an answer, with their verdicts.
    pub fn columns(&self) -> impl Iterator<Item = (ColumnView<'a>, &'a Verdicts)> {
        let (table, verdicts) = (self.table, self.verdicts);
        let views = (0..table.columns.len()).map(move |place| ColumnView { table, place });
        views
            .zip(verdicts)
            .filter(|(view, _)| view.column().is_answered())
    }

    /// The verdicts on a column.
    pub fn verdicts_of(&self, column: &ColumnView<'_>) -> &'a Verdicts {
        &self.verdicts[column.place]
    }

    /// Pairs of columns that two systems share.
    pub fn pairs(&self, first: usize, second: usize) -> Vec<[(ColumnView<'a>, &'a Verdicts); 2]> {
        let of = |system: usize| {
            self.columns()
                .filter(move |(view, _)| view.column().system == system)
        };
        of(first)
            .filter_map(|ours| {
                let unit = &ours.0.column().unit;
                let theirs = of(second).find(|(view, _)| view.column().unit == *unit)?;
                Some([ours, theirs])
            })
            .collect()
    }

    /// What the differences of two systems are called: second less first, always.
    pub fn difference(&self, first: usize, second: usize) -> String {
        let name = |system: usize| &self.table.systems[system].name;
        format!("{} - {}", name(second), name(first))
    }

    pub fn incomparable(&self, first: usize, second: usize, message: &str) -> BenchError {
        BenchError::Incomparable {
            first: self.table.systems[first].name.clone(),
            second: self.table.systems[second].name.clone(),
            message: message.to_owned(),
        }
    }
}

impl Measured {
    /// Results, unless nothing was measured.
    pub fn or_nothing(self) -> Result<Measured, BenchError> {
        if self.rows.is_empty() {
            Err(BenchError::NothingToMeasure)
        } else {
            Ok(self)
        }
    }
}

/// Compares two systems of the table on the same items, and says of each row what it is.
pub fn compare(
    benchmark: &dyn Benchmark,
    judged: &Judged<'_>,
    first: usize,
    second: usize,
) -> Result<Measured, BenchError> {
    let mut measured = benchmark.compare(judged, first, second)?;
    let name = |system: usize| judged.table.systems[system].name.clone();
    for row in &mut measured.rows {
        let (from, to) = (name(first), name(second));
        let metric = benchmark.card().metric(&row.metric);
        row.kind = match metric.and_then(|metric| metric.difference_of) {
            Some(of) => RowKind::Difference {
                of: of.to_owned(),
                from,
                to,
            },
            None => RowKind::Test { from, to },
        };
    }
    Ok(measured)
}

/// Judges every column: the benchmark's judge, then people's decisions on what it leaves open, then whether each
/// finding is right. Everybody who shows or counts a verdict reads these.
pub fn judge(
    benchmark: &dyn Benchmark,
    table: &AnswerTable,
    options: &Options,
) -> Result<Vec<Verdicts>, BenchError> {
    let file = options.inputs.get(DECISIONS_INPUT);
    let decisions = file.map(Decisions::read).transpose()?.unwrap_or_default();
    let given = GivenVerdicts::of(options)?;
    // One column after the other: an aligner holds a whole column in memory, and is parallel itself.
    (0..table.columns.len())
        .map(|place| {
            let view = ColumnView { table, place };
            if !view.column().is_answered() {
                return Ok(Verdicts::new(vec![None; table.items.len()]));
            }
            let mut verdicts = given_verdicts::judge(benchmark, &view, options, given.as_ref())?;
            for (place, cell) in verdicts.cells.iter_mut().enumerate() {
                let Some(verdict) = cell else { continue };
                let item = table.items.get(place);
                let open = Open {
                    id: item.id,
                    system: &view.system().name,
                    unit: view.column().unit.as_str(),
                    text: view.text(place),
                };
                decisions.decide(verdict, open)?;
                verdict.outcome = benchmark.outcome(item, verdict.finding);
            }
            Ok(verdicts)
        })
        .collect()
}

/// What people decided that no answer asked for.
pub fn unused_decisions(judged: &Judged<'_>) -> Result<Option<String>, BenchError> {
    let file = judged.options.inputs.get(DECISIONS_INPUT);
    let decisions = file.map(Decisions::read).transpose()?;
    Ok(decisions.and_then(|decisions| decisions.unused(judged)))
}

/// The fields of several columns as one list: a field whose value differs names all, joined by `+`.
pub fn join_hows<'a>(hows: impl IntoIterator<Item = &'a How>) -> How {
    let mut joined: Vec<(&'static str, Vec<&str>)> = Vec::new();
    for (name, value) in hows.into_iter().flatten() {
        match joined.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) if values.contains(&value.as_str()) => {}
            Some((_, values)) => values.push(value),
            None => joined.push((name, vec![value])),
        }
    }
    joined
        .into_iter()
        .map(|(name, mut values)| {
            values.sort_unstable();
            (name, values.join("+"))
        })
        .collect()
}
