//! `epicene audit plan`.

use epicene_audit::{Needed, from_error, from_pilot};
use epicene_bench::BenchError;
use epicene_bench::formula::Formula;
use epicene_pipeline::{JudgedRun, others};
use epicene_run::RunDirectory;

use super::{is_run, lines};
use crate::args::AuditPlanArgs;
use crate::failure::{Failure, Outcome};
use crate::{console, effects};

pub fn run(args: &AuditPlanArgs) -> Result<Outcome, Failure> {
    if !(args.width.is_finite() && args.width > 0.0) {
        return Err(Failure::usage("--width must be above 0"));
    }
    if args
        .error
        .is_some_and(|error| !(0.0 < error && error < 1.0))
    {
        return Err(Failure::usage("--error is a share between 0 and 1"));
    }
    effects::check(args, &is_run(&args.population))?;
    let found = if is_run(&args.population) {
        of_run(args)?
    } else {
        lines::plan(args)?
    };
    if found.is_empty() {
        return Err(
            Failure::usage("there is no number here that labels could correct")
                .with_hint("--metric takes a metric of the run: f_s, acc, correct, tfg"),
        );
    }
    let mut table = vec![vec!["number".to_owned(), "labels needed".to_owned()]];
    for (name, needed) in found {
        let needed = match needed {
            Needed::Labels(labels) => labels.to_string(),
            Needed::TooFewItems { width } => format!(
                "none suffice: with everything labelled the interval is still {width:.4} wide"
            ),
        };
        table.push(vec![name, needed]);
    }
    console::print(|out| out.write_all(epicene_report::aligned(&table, 2).as_bytes()))?;
    Ok(Outcome::Done)
}

fn of_run(args: &AuditPlanArgs) -> Result<Vec<(String, Needed)>, Failure> {
    let directory = RunDirectory::open(&args.population)?;
    let run = JudgedRun::open(&directory, &args.choices.given)?;
    let card = run.benchmark.card();
    let is_asked = |formula: &Formula| match &args.metric {
        Some(metric) => formula.metric == metric,
        None => {
            let headline = card.metrics.iter().filter(|metric| metric.headline);
            formula.group == "all"
                && headline
                    .into_iter()
                    .any(|metric| metric.symbol == formula.metric)
        }
    };
    let stats = |error| Failure::from(BenchError::from(error));
    let pilot = run.audited()?;
    if pilot.is_empty() && args.error.is_none() {
        return Err(
            Failure::usage("neither labels nor an error rate of the detector are known").with_hint(
                "give --error 0.05, or label a pilot: epicene audit sample RUN -n 50 -o pilot.csv",
            ),
        );
    }
    let columns = match args.error {
        None => pilot,
        Some(_) => run.unlabelled()?,
    };
    let mut found = Vec::new();
    for column in &columns {
        let system = &run.table.systems[column.system].name;
        let place = format!("{system} {}", column.unit);
        for formula in run.formulas(column.column)?.iter().filter(|f| is_asked(f)) {
            let name = format!("{place} {} {}", formula.group, formula.metric);
            match args.error {
                Some(error) => {
                    let ratios = column.ratios(&formula.terms, 1.0);
                    let needed = from_error(&column.cells, &ratios, &others, (error, args.width));
                    found.extend(needed.map_err(stats)?.map(|needed| (name, needed)));
                }
                None => match column.estimate(&formula.terms) {
                    Ok(number) => {
                        let needed = from_pilot(&number, args.width).map_err(stats)?;
                        found.push((name, needed));
                    }
                    Err(error) => console::warn(format!("{name}: {error}")),
                },
            }
        }
    }
    Ok(found)
}
