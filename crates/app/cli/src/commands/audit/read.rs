//! `epicene audit read`.

use std::collections::{BTreeMap, BTreeSet};

use epicene_audit::{Agreement, CERTAIN, Cell, Choices, LEVEL, Record, agreement, summarise};
use epicene_core::{CellStyle, Field, Filter, Finding, Results, Row, View};
use epicene_pipeline::{AuditedColumn, CORRECTED, JudgedRun};
use epicene_run::RunDirectory;

use super::{is_run, lines, read_all, words};
use crate::args::AuditReadArgs;
use crate::commands::run::measure_and_store;
use crate::failure::{Failure, Outcome};
use crate::{console, effects, results};

pub fn run(args: &AuditReadArgs) -> Result<Outcome, Failure> {
    effects::check(args, &is_run(&args.population))?;
    let files = read_all(&args.files)?;
    if !is_run(&args.population) {
        return lines::read(args, &files);
    }
    let directory = RunDirectory::open(&args.population)?;
    let record = {
        let run = JudgedRun::open(&directory, &args.choices.given)?;
        run.read_labels(&files)?
    };
    let path = directory.write_audit(&record.to_json())?;
    let run = JudgedRun::open(&directory, &args.choices.given)?;
    let columns = run.audited()?;
    let choices = run.audit_choices();
    let place = |finding: Finding| {
        let key = run.audit_label(finding).key;
        choices.find(key).expect("every label is a choice")
    };
    let cells = as_labels(&columns, place);
    let summary = summarise(&cells, choices.0.len() as u32);
    let between = between(&record, &choices);
    let stored = JudgedRun::open(&directory, &epicene_bench::Given::default())?;
    measure_and_store(&directory, &stored)?;
    let mut shown = run.measure()?;
    keep_corrected(&mut shown);
    shown.rows.extend(words::rows(
        &summary,
        between.as_ref(),
        &choices,
        run.benchmark.card().name,
    ));
    shown.notes = words::notes(&summary, between.as_ref(), &choices);
    shown.notes.push(format!(
        "{} of {} drawn verdicts have a label; they are kept in {}",
        record.labels.len(),
        record.drawn,
        path.display()
    ));
    shown.views.splice(0..0, words::views(&shown.rows));
    results::show(&shown, args.format)?;
    if shown
        .rows
        .iter()
        .all(|row| !row.metric.ends_with(CORRECTED))
    {
        console::warn("no number could be corrected: there are too few labels");
    }
    Ok(Outcome::Done)
}

/// The audited columns as one population of labels; strata of different columns stay apart.
fn as_labels(columns: &[AuditedColumn], place: impl Fn(Finding) -> u32) -> Vec<Cell<u32>> {
    let mut strata: BTreeMap<(usize, u32), u32> = BTreeMap::new();
    let mut cells = Vec::new();
    for column in columns {
        for cell in column.cells.iter().filter(|cell| cell.stratum != CERTAIN) {
            let next = strata.len() as u32;
            cells.push(Cell {
                stratum: *strata.entry((column.column, cell.stratum)).or_insert(next),
                cluster: cell.cluster,
                judged: place(cell.judged),
                human: cell.human.iter().map(|finding| place(*finding)).collect(),
            });
        }
    }
    cells
}

fn between(record: &Record, choices: &Choices) -> Option<Agreement> {
    let labels: Vec<Vec<Option<u32>>> = record
        .labels
        .iter()
        .map(|cell| cell.labels.iter().map(|key| choices.find(key)).collect())
        .collect();
    agreement(&record.annotators, &labels)
}

/// Only what has a corrected number, each beside its judged one.
fn keep_corrected(shown: &mut Results) {
    let key = |row: &Row, metric: &str| {
        [&row.system, row.unit.as_str(), &row.group, metric].map(str::to_owned)
    };
    let corrected: Vec<[String; 4]> = shown
        .rows
        .iter()
        .filter_map(|row| Some(key(row, row.metric.strip_suffix(CORRECTED)?)))
        .collect();
    shown.rows.retain(|row| {
        let metric = row.metric.strip_suffix(CORRECTED).unwrap_or(&row.metric);
        corrected.contains(&key(row, metric))
    });
    let units: BTreeSet<&str> = shown.rows.iter().map(|row| row.unit.as_str()).collect();
    shown.views = vec![View {
        title: format!(
            "Judged, and corrected by labels ({:.0} % intervals)",
            100.0 * LEVEL
        ),
        // The judge's own rows are of no unit.
        filters: vec![Filter::new(Field::Unit, units)],
        lines: vec![Field::System, Field::Group, Field::Metric],
        columns: Field::Unit,
        style: CellStyle::ValueInterval,
        decimals: 3,
        labels: BTreeMap::new(),
    }];
}
