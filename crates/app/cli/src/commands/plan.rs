//! `epicene power`: which differences a run can see, and what smaller ones would take.

use std::collections::BTreeMap;
use std::path::Path;

use epicene_core::{CellStyle, Field, Filter, Row, Unit, View};
use epicene_pipeline::JudgedRun;
use epicene_pipeline::power::{self, Precision};
use epicene_report::Results;
use epicene_run::RunDirectory;

use crate::args::PlanArgs;
use crate::failure::{Failure, Outcome};
use crate::{effects, results};

/// Made by benches/intervals/tables.py.
const STORED: &str = include_str!("../../data/design-effects.tsv");

pub fn run(args: PlanArgs) -> Result<Outcome, Failure> {
    let path = Path::new(&args.from);
    let is_run = path.join("manifest.json").exists();
    effects::check(&args, &is_run)?;
    let (precisions, from) = if is_run {
        of_run(&args)?
    } else {
        let found = stored(&args.from);
        if found.is_empty() {
            return Err(Failure::usage(format!(
                "`{}` is neither a run nor a benchmark with stored design effects",
                args.from
            ))
            .with_hint(format!("stored are {}", known().join(", "))));
        }
        (found, "published systems".to_owned())
    };
    if precisions.is_empty() {
        return Err(
            Failure::usage("no metric of this run has a clustered interval")
                .with_hint("plan with --interval clustered, on more than one cluster"),
        );
    }
    let benchmark = precisions[0].0.clone();
    let mut rows = Vec::new();
    for (benchmark, precision) in &precisions {
        push(&mut rows, benchmark, precision, &args)?;
    }
    let results = Results {
        signature: format!(
            "plan|{benchmark}|from:{from}|level:0.95|power:{}",
            args.power
        ),
        warnings: Vec::new(),
        partial: None,
        notes: notes(&args),
        views: vec![View {
            title: format!(
                "Smallest detectable difference at {:.0} % power",
                100.0 * args.power
            ),
            filters: vec![Filter::new(
                Field::Metric,
                [
                    "n",
                    "k",
                    "deff",
                    "standard_error",
                    "sees",
                    "needs_k",
                    "needs_n",
                ],
            )],
            lines: vec![Field::System, Field::Unit, Field::Group],
            columns: Field::Metric,
            style: CellStyle::Value,
            decimals: 3,
            labels: BTreeMap::from(
                [
                    ("n", "items"),
                    ("k", "clusters"),
                    ("deff", "design effect"),
                    ("standard_error", "standard error"),
                    ("sees", "detectable difference"),
                    ("needs_k", "clusters needed"),
                    ("needs_n", "items needed"),
                ]
                .map(|(name, shown)| (name.to_owned(), shown.to_owned())),
            ),
        }],
        rows,
    };
    results::show(&results, args.format)?;
    Ok(Outcome::Done)
}

fn notes(args: &PlanArgs) -> Vec<String> {
    let mut notes = vec![
        "a difference between two systems on the same items, two-sided at 5 %; a cluster is what was sampled (`epicene show`)"
            .to_owned(),
    ];
    if let Some(see) = args.see {
        notes.push(format!(
            "to detect {see}: clusters as large as these, with as many items each; more items of the same clusters help little \
             where the design effect is large"
        ));
    }
    notes
}

/// Differences of a run's systems where it has several, else its own numbers.
fn of_run(args: &PlanArgs) -> Result<(Vec<(String, Precision)>, String), Failure> {
    let directory = RunDirectory::open(Path::new(&args.from))?;
    let given = &args.choices.given;
    let benchmark = directory.manifest.benchmark.clone();
    let card = epicene_pipeline::benchmark(&benchmark)?.card();
    let systems = directory.plan.systems().len();
    let rows = if systems > 1 {
        let systems: Vec<usize> = (0..systems).collect();
        let runs = [directory];
        epicene_pipeline::compare(&runs, &systems, given)?
            .results
            .rows
    } else {
        JudgedRun::open(&directory, given)?.measure()?.rows
    };
    let found = power::headlines(card, &rows).into_iter();
    let found = found.map(|precision| (benchmark.clone(), precision));
    Ok((found.collect(), args.from.clone()))
}

fn push(
    rows: &mut Vec<Row>,
    benchmark: &str,
    precision: &Precision,
    args: &PlanArgs,
) -> Result<(), Failure> {
    let group = if precision.group == "all" {
        precision.metric.clone()
    } else {
        format!("{} {}", precision.metric, precision.group)
    };
    let mut row = |metric: &str, value: f64| {
        let place = [&*precision.system, &*precision.unit, &*group];
        rows.push(Row::new(benchmark, place, metric, value));
    };
    row("n", precision.n as f64);
    row("k", precision.k as f64);
    if let Some(deff) = precision.deff {
        row("deff", deff);
    }
    row("standard_error", precision.standard_error);
    row("sees", precision.detectable(args.power));
    if let Some(see) = args.see {
        let (k, n) = precision.needed(see, args.power).ok_or_else(|| {
            let message = format!("to detect {see} would take more than 10^12 items");
            let sees = precision.detectable(args.power);
            Failure::usage(message).with_hint(format!(
                "the smallest detectable difference of {} is {sees:.3}; give a --see near that",
                precision.metric
            ))
        })?;
        row("needs_k", k as f64);
        row("needs_n", n as f64);
    }
    Ok(())
}

fn lines() -> impl Iterator<Item = Vec<&'static str>> {
    let lines = STORED.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect())
}

fn known() -> Vec<&'static str> {
    let mut known: Vec<&str> = lines().map(|cells| cells[0]).collect();
    known.dedup();
    known
}

/// benchmark, system, unit, group, metric, n, k, deff (or nothing), standard error, whether it is of a difference.
fn stored(benchmark: &str) -> Vec<(String, Precision)> {
    let number = |cell: &str| -> f64 { cell.parse().expect("the table holds numbers") };
    lines()
        .filter(|cells| cells[0] == benchmark)
        .map(|cells| {
            let precision = Precision {
                system: cells[1].to_owned(),
                unit: Unit::named(cells[2]),
                group: cells[3].to_owned(),
                metric: cells[4].to_owned(),
                n: number(cells[5]) as u64,
                k: number(cells[6]) as u64,
                deff: Some(cells[7]).filter(|cell| !cell.is_empty()).map(number),
                standard_error: number(cells[8]),
                paired: cells[9] == "paired",
            };
            (benchmark.to_owned(), precision)
        })
        .collect()
}
