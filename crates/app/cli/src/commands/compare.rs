//! `epicene compare`: systems on the same items, in pairs.

use std::collections::BTreeSet;

use epicene_core::{Field, Filter, Row};
use epicene_pipeline::{Compared, JudgedRun, Pairs};
use epicene_report::{ReportRun, Results};
use epicene_run::RunDirectory;

use crate::args::CompareArgs;
use crate::commands::run::conclude_compared;
use crate::destination::Destination;
use crate::failure::{Failure, Outcome};
use crate::{activity, console, datasets, effects, pages};

pub fn run(args: CompareArgs) -> Result<Outcome, Failure> {
    let (gate, junit) = args.results.gate()?;
    activity::step("reading runs");
    let runs = RunDirectory::open_all(&args.runs)?;
    runs.iter().try_for_each(datasets::check_recorded)?;
    // Named systems of one run may be compared, and a system with its copy.
    if args.systems.is_none() {
        refuse_twice(&runs)?;
    }
    refuse_other_benchmarks(&runs)?;
    if let Some(gate) = &gate {
        let benchmark = epicene_pipeline::benchmark(&runs[0].manifest.benchmark)?;
        gate.check_differences(benchmark.card())?;
    }
    let mut systems = choose(&runs, args.systems.as_deref())?;
    let mut pairs = Pairs::All;
    if let Some(baseline) = &args.baseline {
        begin_with(&runs, &mut systems, baseline)?;
        pairs = Pairs::WithFirst;
    }
    let destination = Destination::open(args.output_file.as_deref(), args.results.output.format)?
        .in_style(args.style.unwrap_or_default());
    effects::check(&args, &destination)?;
    let mut given = args.choices.given.clone();
    given.corrected = args.corrected;
    given.rounds = Some(args.rounds as usize);
    let bar = console::progress(pairs.number(systems.len()) as u64, "comparing pairs");
    let Compared {
        mut results,
        systems: names,
        answered,
        own,
    } = epicene_pipeline::compare_pairs(&runs, &systems, &given, pairs, &|| bar.inc(1))?;
    bar.finish_and_clear();
    activity::step("writing results");
    if systems.len() > 2 {
        warn_of_few_rounds(&results, systems.len(), pairs, args.rounds);
        if !destination.is_page() {
            keep_whole_pairs(&mut results);
        }
    }
    for (run, (answered, questions)) in runs.iter().zip(answered) {
        if runs.len() > 1 && answered < questions {
            console::warn(format!(
                "{}: {answered} of {questions} answers are there; items without an answer on either side are left out",
                run.path().display(),
            ));
        }
    }
    let judged = [results.clone()];
    let mut report = pages::report(None, Vec::new(), None);
    if destination.shows_items() {
        let mut parts = Vec::new();
        // The parts show both numbers; one of the runs may have no labels.
        let own = epicene_bench::Given {
            corrected: false,
            ..given.clone()
        };
        for directory in &runs {
            let run = JudgedRun::open_like(directory, &runs[0], &own)?;
            let results = run.measure()?;
            parts.push(pages::part(directory, &run, results));
        }
        for part in &mut parts {
            part.compared = results.rows.clone();
        }
        let chosen: Vec<(&ReportRun, &str)> = systems
            .iter()
            .map(|system| {
                let (run, name) = all_systems(&runs)[*system];
                (&parts[run], name)
            })
            .collect();
        let mut comparison = pages::comparison(results.clone(), &chosen);
        comparison.systems = names;
        report = pages::report(None, parts, Some(comparison));
    }
    conclude_compared(
        gate,
        junit,
        (&judged, &own),
        args.results.allow_partial,
        |check| {
            report.check = check;
            destination.write(report, vec![results])
        },
    )
}

/// A test by resampling knows no p-value below one in its rounds: corrected for many pairs, that may be too much for any
/// difference to show.
fn warn_of_few_rounds(results: &Results, systems: usize, pairs: Pairs, rounds: u32) {
    let tested = pairs.number(systems);
    let least = 1.0 / (f64::from(rounds) + 1.0);
    let by_rounds = |row: &Row| row.metric == "p_value" && (row.value - least).abs() < 1e-12;
    if tested as f64 * least > 0.05 && results.rows.iter().any(by_rounds) {
        console::warn(format!(
            "{tested} pairs in {rounds} rounds: corrected for their number, no p-value can be below {:.2}, whatever the \
             difference; --rounds {} would do",
            (tested as f64 * least).min(1.0),
            tested * 100
        ));
    }
}

/// Of many systems people read what every pair comes down to; its units and parts are in the page, in JSON and in CSV.
fn keep_whole_pairs(results: &mut Results) {
    let differences = || {
        let rows = results.rows.iter();
        rows.filter(|row| row.difference_of().is_some())
    };
    let whole = differences().filter(|row| row.is_whole());
    let groups: BTreeSet<&str> = whole.map(|row| row.group.as_str()).collect();
    if groups.is_empty() {
        return;
    }
    let joint = differences().any(|row| row.unit == "all" && row.is_whole());
    let kept = |row: &&Row| row.is_whole() && (!joint || row.unit == "all");
    let left_out = differences().count() - differences().filter(kept).count();
    if left_out == 0 {
        return;
    }
    for view in &mut results.views {
        view.filters.push(Filter::new(Field::Group, groups.clone()));
        if joint {
            view.filters.push(Filter::new(Field::Unit, ["all"]));
        }
    }
    results.notes.push(format!(
        "{left_out} differences of single templates, languages and parts are in --format json or csv and in a report (-o FILE.html)"
    ));
}

/// A run differs from itself in nothing.
fn refuse_twice(runs: &[RunDirectory]) -> Result<(), Failure> {
    let mut seen = BTreeSet::new();
    for run in runs {
        let path = run.path();
        let same = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if !seen.insert(same) {
            return Err(Failure::usage(format!("{} is given twice", path.display()))
                .with_hint("name every run once"));
        }
    }
    Ok(())
}

/// Numbers of two benchmarks have nothing to compare.
fn refuse_other_benchmarks(runs: &[RunDirectory]) -> Result<(), Failure> {
    let named = |run: &RunDirectory| {
        let name = run.path().display();
        format!("{name} is {}", run.manifest.benchmark)
    };
    let first = &runs[0];
    let other = runs
        .iter()
        .find(|run| run.manifest.benchmark != first.manifest.benchmark);
    match other {
        None => Ok(()),
        Some(other) => Err(Failure::usage(format!(
            "the runs are of different benchmarks: {}, {}",
            named(first),
            named(other)
        ))
        .with_hint("`epicene report RUN RUN…` shows them side by side")),
    }
}

/// Puts the baseline before the other systems.
fn begin_with(
    runs: &[RunDirectory],
    systems: &mut Vec<usize>,
    baseline: &str,
) -> Result<(), Failure> {
    let all = all_systems(runs);
    let place = systems.iter().position(|system| all[*system].1 == baseline);
    let Some(place) = place else {
        let names: Vec<&str> = systems.iter().map(|system| all[*system].1).collect();
        return Err(
            Failure::usage(format!("no compared system is called `{baseline}`"))
                .with_hint(format!("--baseline is one of {}", names.join(", "))),
        );
    };
    let first = systems.remove(place);
    systems.insert(0, first);
    Ok(())
}

/// Of every system: its run and its name.
fn all_systems(runs: &[RunDirectory]) -> Vec<(usize, &str)> {
    runs.iter()
        .enumerate()
        .flat_map(|(run, directory)| {
            let systems = directory.plan.systems().iter();
            systems.map(move |system| (run, system.name.as_str()))
        })
        .collect()
}

/// Indices of the systems in the joint list.
fn choose(runs: &[RunDirectory], names: Option<&str>) -> Result<Vec<usize>, Failure> {
    let all = all_systems(runs);
    let hold = || {
        let names = |run: usize| {
            let own = all.iter().filter(|(of, _)| *of == run);
            own.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
        };
        let runs: Vec<String> = (0..runs.len()).map(names).collect();
        runs.join(" / ")
    };
    let Some(names) = names else {
        let one_each = all.len() == runs.len();
        return if all.len() > 1 && (runs.len() == 1 || one_each) {
            Ok((0..all.len()).collect())
        } else {
            Err(
                Failure::usage("which systems are to be compared?").with_hint(format!(
                    "give --systems FIRST,SECOND[,…]; the runs hold {}",
                    hold()
                )),
            )
        };
    };
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    if names.len() < 2 {
        return Err(Failure::usage(
            "--systems wants two names or more: FIRST,SECOND[,…]",
        ));
    }
    let mut chosen = Vec::new();
    for (place, name) in names.iter().enumerate() {
        // Of two runs and two systems, each run has one.
        let own = |run: usize| !(runs.len() == 2 && names.len() == 2) || run == place;
        let found: Vec<usize> = (0..all.len())
            .filter(|system| own(all[*system].0) && all[*system].1 == *name)
            .collect();
        match found[..] {
            [system] => chosen.push(system),
            [] => {
                return Err(Failure::usage(format!("no system is called `{name}`"))
                    .with_hint(format!("the runs hold {}", hold())));
            }
            _ => {
                return Err(
                    Failure::usage(format!("several systems are called `{name}`"))
                        .with_hint("compare two of the runs, or give systems names of their own"),
                );
            }
        }
    }
    let mut unique = chosen.clone();
    unique.sort_unstable();
    unique.dedup();
    if unique.len() < chosen.len() {
        Err(Failure::usage("that is the same system twice"))
    } else {
        Ok(chosen)
    }
}
