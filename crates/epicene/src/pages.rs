//! From judged runs to a page: measures and the items behind them, and the comparison of two systems.

use std::path::Path;

use epicene_core::{Answer, Results, TextScore, Verdict};
use epicene_pipeline::JudgedRun;
use epicene_report::{
    AnswerCell, AnswerColumn, Change, Comparison, ItemTable, Part, Report, Shown,
};
use epicene_run::RunDirectory;

use crate::judge_figures;

/// Answers kept for the item browser; of larger runs every n-th item is.
const CELLS: usize = 1_000_000;

/// Items listed as changed.
const CHANGES: usize = 20;

/// A run with everything a page shows of it.
pub fn part(directory: &RunDirectory, run: &JudgedRun<'_>, results: Results) -> Part {
    let card = run.benchmark.card();
    let data = &run.manifest.data;
    let columns = run.table.columns.iter();
    let languages: Vec<&str> = columns
        .filter_map(|column| Some(column.unit.language()?.code()))
        .collect();
    Part {
        run: name(directory.path()),
        benchmark: card.name.to_owned(),
        summary: card.summary.to_owned(),
        card: judge_figures::card(card, Some(&languages)),
        metrics: card.metrics,
        data: format!("{}, {} items", data.short(), run.table.items.len()),
        results,
        baselines: run.benchmark.baselines(&run.options),
        same_items: run.manifest.limit.is_none() && card.was_published_on(data),
        items: items(run),
    }
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
        items: kept().map(|item| table.items.get(item).to_item()).collect(),
        columns: columns.collect(),
        total,
    }
}

fn cell(answer: &Answer, verdict: &Verdict) -> AnswerCell {
    let likelihoods = |values: &[Option<f64>]| {
        let shown: Vec<String> = values
            .iter()
            .map(|value| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}")))
            .collect();
        Shown::Text(shown.join(" | "))
    };
    AnswerCell {
        verdict: verdict.clone(),
        shown: match answer.plain().0 {
            Answer::Log10Ratio(ratio) => Shown::Number(*ratio),
            Answer::Translation(text) => Shown::with_evidence(text, &verdict.evidence),
            Answer::Chat(answer) => Shown::with_evidence(&answer.text, &verdict.evidence),
            Answer::Likelihoods(values) => likelihoods(values),
            Answer::GroupMeans { male, female } => likelihoods(&[Some(*male), Some(*female)]),
            Answer::Sentence { likelihood, .. } => Shown::Number(*likelihood),
            Answer::TextPair(pair) => {
                let mean = |text: TextScore| Some(text.region / f64::from(text.scored));
                likelihoods(&[mean(pair.masculine), mean(pair.feminine)])
            }
            Answer::Missing | Answer::Noted(_) => Shown::Nothing,
        },
    }
}

/// The comparison of two systems, with the items that changed most.
pub fn comparison(
    results: Results,
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
            changed.0 += usize::from(one.verdict.finding != other.verdict.finding);
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
        _ if one.verdict.finding == other.verdict.finding => 0.0,
        _ if matches!((one.letter(), other.letter()), ('m', 'f') | ('f', 'm')) => 2.0,
        _ => 1.0,
    }
}
