//! From run directories to a page: measures and the items behind them in one pass over the log, and the
//! comparison of two systems.

use std::collections::BTreeMap;
use std::path::Path;

use epicene_bench::{Benchmark, Convention, Judgement, MeasureOptions, Tally};
use epicene_core::{Answer, Item};
use epicene_report::{
    AnswerCell, AnswerColumn, Change, Comparison, ItemTable, Part, Report, Shown,
};
use epicene_run::{Probe, RunDirectory};
use rayon::prelude::*;

use crate::args::MeasureArgs;
use crate::failure::Failure;
use crate::results;

/// Answers kept for the item browser; of larger runs every n-th item is.
const CELLS: usize = 1_000_000;

/// Items listed as changed.
const CHANGES: usize = 20;

/// A run with everything a page shows of it.
pub fn part(run: &RunDirectory, args: &MeasureArgs) -> Result<Part, Failure> {
    let benchmark = results::benchmark(&run.manifest.benchmark)?;
    let options = results::options(run, args)?;
    let mut tally = benchmark.tally(run.plan.systems(), &results::probes(run));
    let mut answers = Answers::new(run);
    let items = run.plan.items();
    for index in 0..items.len() {
        items.with(index, |item| {
            answers.item(index, item);
            tally.item(item)
        })??;
    }
    let coverage = run.observations(|item, probe, answer| {
        tally.observe(item, probe, &answer)?;
        answers.observe(item, probe, answer);
        Ok::<(), Failure>(())
    })?;
    let table = answers.judged(run, benchmark, &*tally, &options)?;
    let baselines = match options.convention {
        Convention::Published => benchmark.baselines(),
        Convention::True => Vec::new(),
    };
    let results = results::measured(run, benchmark, &*tally, &coverage, options)?;
    let data = &run.manifest.data;
    Ok(Part {
        run: name(run.path()),
        benchmark: benchmark.name().to_owned(),
        summary: benchmark.summary().to_owned(),
        card: benchmark.card().to_owned(),
        data: format!("{}, {} items", data.short(), items.len()),
        results,
        baselines,
        same_items: has_published_items(run, benchmark),
        items: table,
    })
}

/// Whether the run asked the whole of the data that published results were measured on.
fn has_published_items(run: &RunDirectory, benchmark: &dyn Benchmark) -> bool {
    let manifest = &run.manifest;
    benchmark.default_data() == Some(manifest.data.name.as_str()) && manifest.limit.is_none()
}

/// The last part of a path, for people.
fn name(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let last = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    last.unwrap_or_else(|| path.display().to_string())
}

pub fn report(title: Option<String>, parts: Vec<Part>, comparison: Option<Comparison>) -> Report {
    let title = title.unwrap_or_else(|| match &comparison {
        Some(comparison) => format!("{} compared with {}", comparison.first, comparison.second),
        None => "Gender bias: what was measured".to_owned(),
    });
    Report {
        title,
        parts,
        comparison,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// Items and answers as they stream by, thinned out where a run is very large.
struct Answers {
    every: usize,
    items: Vec<Item>,
    /// By item, then by probe.
    answers: Vec<Vec<Option<Answer>>>,
    probes: usize,
}

impl Answers {
    fn new(run: &RunDirectory) -> Answers {
        let probes = run.plan.probes().len();
        let cells = run.plan.items().len() * probes;
        Answers {
            every: cells.div_ceil(CELLS).max(1),
            items: Vec::new(),
            answers: Vec::new(),
            probes,
        }
    }

    fn item(&mut self, index: usize, item: &Item) {
        if index.is_multiple_of(self.every) {
            self.items.push(item.clone());
            self.answers.push(vec![None; self.probes]);
        }
    }

    fn observe(&mut self, index: usize, probe: usize, answer: Answer) {
        if index.is_multiple_of(self.every) {
            // Vectors are for measuring; nobody reads them.
            let answer = match answer {
                Answer::Sentence { likelihood, .. } => Answer::Sentence {
                    likelihood,
                    embedding: Vec::new(),
                },
                answer => answer,
            };
            self.answers[index / self.every][probe] = Some(answer);
        }
    }

    fn judged(
        self,
        run: &RunDirectory,
        benchmark: &dyn Benchmark,
        tally: &dyn Tally,
        options: &MeasureOptions,
    ) -> Result<ItemTable, Failure> {
        let probes = run.plan.probes();
        let together = benchmark.judges_together();
        let rows: Vec<Vec<Option<AnswerCell>>> = match together {
            true => {
                let mut rows = Vec::new();
                for (place, answers) in self.answers.iter().enumerate() {
                    let mut cells = Vec::new();
                    for (probe, answer) in answers.iter().enumerate() {
                        let Some(answer) = answer else {
                            cells.push(None);
                            continue;
                        };
                        let known = tally.judgement(place * self.every, probe, options)?;
                        let unit = &probes[probe].unit;
                        let judgement = known.unwrap_or_else(|| {
                            benchmark.judge(&self.items[place], unit, answer, options)
                        });
                        cells.push(Some(cell(answer, judgement)));
                    }
                    rows.push(cells);
                }
                rows
            }
            false => self
                .items
                .par_iter()
                .zip(&self.answers)
                .map(|(item, answers)| judged_once(benchmark, item, answers, probes, options))
                .collect(),
        };
        let mut columns: Vec<AnswerColumn> = probes
            .iter()
            .map(|probe| AnswerColumn {
                system: run.plan.systems()[probe.system].name.clone(),
                unit: probe.unit.clone(),
                cells: Vec::with_capacity(rows.len()),
            })
            .collect();
        for row in rows {
            for (column, cell) in columns.iter_mut().zip(row) {
                column.cells.push(cell);
            }
        }
        Ok(ItemTable {
            items: self.items,
            columns,
            total: run.plan.items().len(),
        })
    }
}

/// The answers to one item with their verdicts. Systems often agree to the letter; then they are judged once.
fn judged_once(
    benchmark: &dyn Benchmark,
    item: &Item,
    answers: &[Option<Answer>],
    probes: &[Probe],
    options: &MeasureOptions,
) -> Vec<Option<AnswerCell>> {
    let mut known: BTreeMap<(&str, &str), Judgement> = BTreeMap::new();
    let mut cells = Vec::with_capacity(answers.len());
    for (answer, probe) in answers.iter().zip(probes) {
        let Some(answer) = answer else {
            cells.push(None);
            continue;
        };
        let fresh = || benchmark.judge(item, &probe.unit, answer, options);
        let judgement = match answer {
            Answer::Translation(text) => {
                let same = known.entry((&probe.unit, text)).or_insert_with(fresh);
                same.clone()
            }
            _ => fresh(),
        };
        cells.push(Some(cell(answer, judgement)));
    }
    cells
}

fn cell(answer: &Answer, judgement: Judgement) -> AnswerCell {
    let likelihoods = |values: &[Option<f64>]| {
        let shown: Vec<String> = values
            .iter()
            .map(|value| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}")))
            .collect();
        Shown::Text(shown.join(" | "))
    };
    AnswerCell {
        verdict: judgement.verdict,
        outcome: judgement.outcome,
        rule: judgement.rule,
        shown: match answer {
            Answer::Log10Ratio(ratio) => Shown::Number(*ratio),
            Answer::Translation(text) => Shown::with_evidence(text, &judgement.evidence),
            Answer::Likelihoods(values) => likelihoods(values),
            Answer::GroupMeans { male, female } => likelihoods(&[Some(*male), Some(*female)]),
            Answer::Sentence { likelihood, .. } => Shown::Number(*likelihood),
            _ => Shown::Nothing,
        },
    }
}

/// The comparison of two systems, with the items that changed most.
pub fn comparison(
    results: epicene_report::Results,
    (first, first_name): (&Part, &str),
    (second, second_name): (&Part, &str),
) -> Comparison {
    let own = |part: &'_ Part, name: &str| -> Vec<usize> {
        let columns = part.items.columns.iter().enumerate();
        let of_system = columns.filter(|(_, column)| column.system == name);
        of_system.map(|(index, _)| index).collect()
    };
    let mut changes: Vec<(f64, Change)> = Vec::new();
    let mut changed = (0, 0);
    for ours in own(first, first_name) {
        let ours = &first.items.columns[ours];
        let theirs = own(second, second_name)
            .into_iter()
            .map(|index| &second.items.columns[index])
            .find(|column| column.unit == ours.unit);
        let Some(theirs) = theirs else { continue };
        let cells = ours.cells.iter().zip(&theirs.cells);
        for (item, (one, other)) in first.items.items.iter().zip(cells) {
            let (Some(one), Some(other)) = (one, other) else {
                continue;
            };
            changed.1 += 1;
            changed.0 += usize::from(one.verdict != other.verdict);
            let distance = distance(one, other);
            if distance > 0.0 {
                changes.push((
                    distance,
                    Change {
                        id: item.id.clone(),
                        text: item.text.clone(),
                        unit: ours.unit.clone(),
                        first: one.clone(),
                        second: other.clone(),
                    },
                ));
            }
        }
    }
    changes.sort_by(|a, b| b.0.total_cmp(&a.0));
    changes.truncate(CHANGES);
    Comparison {
        first: first_name.to_owned(),
        second: second_name.to_owned(),
        results,
        changes: changes.into_iter().map(|(_, change)| change).collect(),
        changed,
    }
}

/// How far two answers are apart: scores by their difference, translations by what their verdicts became.
fn distance(one: &AnswerCell, other: &AnswerCell) -> f64 {
    match (&one.shown, &other.shown) {
        (Shown::Number(one), Shown::Number(other)) => (one - other).abs(),
        _ if one.verdict == other.verdict => 0.0,
        _ if matches!((one.verdict, other.verdict), ('m', 'f') | ('f', 'm')) => 2.0,
        _ => 1.0,
    }
}
