//! From judged runs to a page: measures and the items behind them, and the comparison of several systems.

use std::collections::BTreeMap;
use std::path::Path;

use epicene_bench::Card;
use epicene_core::{Answer, Item, ItemRef, Results, Span, TextScore, Verdict};
use epicene_pipeline::{JudgedRun, is_of_all_items};
use epicene_report::{
    AnswerCell, AnswerColumn, Change, Comparison, ItemTable, Report, ReportRun, Shown, count,
};
use epicene_run::RunDirectory;

/// Answers kept for the item browser; of larger runs every n-th item is.
const CELLS: usize = 1_000_000;

/// Items listed as changed.
const CHANGES: usize = 20;

/// A run with everything a page shows of it.
pub fn part(directory: &RunDirectory, run: &JudgedRun<'_>, results: Results) -> ReportRun {
    let card = run.benchmark.card();
    let data = &run.manifest.data;
    ReportRun {
        run: name(directory.path()),
        benchmark: card.name.to_owned(),
        summary: card.summary.to_owned(),
        card: card.text.to_owned(),
        metrics: card.metrics,
        data: format!(
            "{} {}, {}",
            data.name,
            data.version,
            count(run.table.items.len(), "item")
        ),
        facts: facts(directory, &results),
        baselines: (card.baselines)(&run.options),
        same_items: is_of_all_items(card, run.manifest, &results.signature)
            && card.was_published_on(data),
        results,
        items: items(run),
        scopes: scopes(card),
        compared: Vec::new(),
    }
}

/// Version, date and completeness of a run.
fn facts(directory: &RunDirectory, results: &Results) -> Vec<String> {
    let mut facts = vec![format!("epicene {}", directory.manifest.epicene)];
    if let Ok(Some(times)) = directory.recorded_times()
        && let Some(finished) = times.finished
    {
        facts.push(format!(
            "finished {}",
            finished.split('T').next().unwrap_or(&finished)
        ));
    }
    facts.push(match results.partial {
        None => "complete".to_owned(),
        Some((there, of)) => format!("{there} of {of} answers"),
    });
    facts
}

/// The metrics that are about some of the items.
pub fn scopes(card: &Card) -> BTreeMap<String, (String, String)> {
    let scopes = card.scopes.iter();
    scopes
        .map(|(metric, (name, value))| {
            let label = ((*name).to_owned(), (*value).to_owned());
            ((*metric).to_owned(), label)
        })
        .collect()
}

/// The last part of a path, for people.
pub fn name(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let last = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    last.unwrap_or_else(|| path.display().to_string())
}

pub fn report(
    version: &str,
    title: Option<String>,
    parts: Vec<ReportRun>,
    comparison: Option<Comparison>,
) -> Report {
    let title = title.unwrap_or_else(|| match &comparison {
        Some(comparison) => comparison.title(),
        None => String::new(),
    });
    Report {
        title,
        parts,
        comparison,
        check: None,
        version: version.to_owned(),
        served: None,
    }
}

/// The items with what every system answered, thinned out where a run is very large.
fn items(run: &JudgedRun<'_>) -> ItemTable {
    let (table, total) = (&run.table, run.table.items.len());
    let cells = total * table.columns.len();
    let every = cells.div_ceil(CELLS).max(1);
    let kept = || (0..total).step_by(every);
    let columns = table.columns.iter().zip(&run.verdicts);
    let columns = columns.map(|(column, verdicts)| AnswerColumn {
        system: table.system(column).name.clone(),
        unit: column.unit.to_string(),
        cells: kept()
            .map(|item| {
                let answer = column.answers[item].as_ref()?;
                Some(cell(answer, verdicts.cells[item].as_ref()?))
            })
            .collect(),
    });
    ItemTable {
        items: kept()
            .map(|item| with_facets(run.benchmark.card(), table.items.get(item)))
            .collect(),
        columns: columns.collect(),
        total,
        every,
    }
}

/// An item with the labels that rows know it by.
fn with_facets(card: &Card, item: ItemRef<'_>) -> Item {
    let mut labelled = item.to_item();
    for (name, value) in (card.facets)(item) {
        labelled.labels.insert(name, &value);
    }
    labelled
}

fn cell(answer: &Answer, verdict: &Verdict) -> AnswerCell {
    AnswerCell {
        verdict: verdict.clone(),
        shown: shown(answer, &verdict.evidence),
    }
}

/// An answer for people, its deciding words marked.
pub fn shown(answer: &Answer, evidence: &[Span]) -> Shown {
    let likelihoods = |values: &[Option<f64>]| {
        let shown: Vec<String> = values
            .iter()
            .map(|value| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}")))
            .collect();
        Shown::Text(shown.join(" | "))
    };
    match answer.plain().0 {
        Answer::Log10Ratio(ratio) => Shown::Number(*ratio),
        Answer::Translation(text) => Shown::with_evidence(text, evidence),
        Answer::Chat(answer) => Shown::with_evidence(&answer.text, evidence),
        Answer::Likelihoods(values) => likelihoods(values),
        Answer::GroupMeans { male, female } => likelihoods(&[Some(*male), Some(*female)]),
        Answer::Sentence { likelihood, .. } => Shown::Number(*likelihood),
        Answer::TextPair(pair) => {
            let mean = |text: TextScore| Some(text.region / f64::from(text.scored));
            likelihoods(&[mean(pair.masculine), mean(pair.feminine)])
        }
        Answer::Continuations(scores) => {
            let sums: Vec<Option<f64>> = scores.iter().map(|score| Some(score.sum)).collect();
            likelihoods(&sums)
        }
        Answer::Missing | Answer::Noted(_) => Shown::Nothing,
    }
}

/// The comparison of systems, each with the part it belongs to, with the items on which they differ most.
pub fn comparison(results: Results, systems: &[(&ReportRun, &str)]) -> Comparison {
    let mut changes: Vec<(f64, Change)> = Vec::new();
    let mut changed = (0, 0);
    let column = |(part, name): &(&'_ ReportRun, &str), unit: &str| {
        let mut columns = part.items.columns.iter();
        columns.position(|column| column.system == *name && column.unit == unit)
    };
    let first = &systems[0].0.items;
    let own = first
        .columns
        .iter()
        .filter(|column| column.system == systems[0].1);
    for unit in own.map(|column| column.unit.as_str()) {
        let found: Option<Vec<usize>> = systems.iter().map(|system| column(system, unit)).collect();
        let Some(found) = found else { continue };
        let columns = systems.iter().zip(found);
        let columns: Vec<&AnswerColumn> = columns
            .map(|((part, _), place)| &part.items.columns[place])
            .collect();
        for (index, item) in first.items.iter().enumerate() {
            let cells: Option<Vec<&AnswerCell>> = columns
                .iter()
                .map(|column| column.cells.get(index)?.as_ref())
                .collect();
            let Some(cells) = cells else { continue };
            changed.1 += 1;
            let finding = cells[0].verdict.finding;
            changed.0 += usize::from(cells.iter().any(|cell| cell.verdict.finding != finding));
            let distance = distance(&cells);
            if distance > 0.0 {
                changes.push((
                    distance,
                    Change {
                        id: item.id.clone(),
                        text: item.text.clone(),
                        unit: unit.to_owned(),
                        answers: cells.into_iter().cloned().collect(),
                    },
                ));
            }
        }
    }
    changes.sort_by(|a, b| b.0.total_cmp(&a.0));
    changes.truncate(CHANGES);
    Comparison {
        systems: systems.iter().map(|(_, name)| (*name).to_owned()).collect(),
        results,
        changes: changes.into_iter().map(|(_, change)| change).collect(),
        changed,
    }
}

/// How far answers are apart: scores by their range, texts by how evenly their verdicts are split.
fn distance(cells: &[&AnswerCell]) -> f64 {
    let numbers: Option<Vec<f64>> = cells
        .iter()
        .map(|cell| match cell.shown {
            Shown::Number(value) => Some(value),
            _ => None,
        })
        .collect();
    if let Some(numbers) = numbers {
        let highest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        return highest - numbers.iter().copied().fold(f64::INFINITY, f64::min);
    }
    let of = |letter: char| cells.iter().filter(|cell| cell.letter() == letter).count();
    let finding = cells[0].verdict.finding;
    match of('m').min(of('f')) {
        0 if cells.iter().all(|cell| cell.verdict.finding == finding) => 0.0,
        0 => 1.0,
        both => 1.0 + both as f64,
    }
}
