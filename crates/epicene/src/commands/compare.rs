//! `epicene compare`: two systems on the same items, paired.

use epicene_pipeline::{Compared, JudgedRun};
use epicene_run::RunDirectory;

use crate::args::CompareArgs;
use crate::commands::run::judge;
use crate::destination::Destination;
use crate::failure::{Failure, Outcome};
use crate::gate::Gate;
use crate::{console, pages};

pub fn run(args: CompareArgs) -> Result<Outcome, Failure> {
    let gate = args.fail_if.as_deref().map(Gate::parse).transpose()?;
    let runs = args
        .runs
        .iter()
        .map(|path| RunDirectory::open(path))
        .collect::<Result<Vec<_>, _>>()?;
    let (first_run, second_run) = (&runs[0], &runs[runs.len() - 1]);
    if runs.len() == 2 {
        refuse_different_items(first_run, second_run)?;
    }
    let (first, second) = choose(&runs, args.systems.as_deref())?;
    let destination = Destination::open(args.output_file.as_deref(), args.output.format)?;

    let mut given = args.choices.given.clone();
    given.corrected = args.corrected;
    given.rounds = Some(args.rounds as usize);
    let Compared { results, answered } = epicene_pipeline::compare(&runs, (first, second), &given)?;
    for (run, (answered, questions)) in runs.iter().zip(answered) {
        if runs.len() == 2 && answered < questions {
            console::warn(format!(
                "{}: {answered} of {questions} answers are there; items without an answer on either side are left out",
                run.path().display(),
            ));
        }
    }
    let judged = [results.clone()];
    let mut report = pages::report(None, Vec::new(), None);
    if destination.is_page() {
        let mut systems = first_run.plan.systems().to_vec();
        if runs.len() == 2 {
            systems.extend_from_slice(second_run.plan.systems());
        }
        let names = [first, second].map(|system| systems[system].name.clone());
        let mut parts = Vec::new();
        // The parts show both numbers; one of the runs may have no labels.
        let own = epicene_bench::Given {
            corrected: false,
            ..given.clone()
        };
        for directory in &runs {
            let run = JudgedRun::open(directory, &own)?;
            let results = run.measure()?;
            parts.push(pages::part(directory, &run, results));
        }
        let ours = (&parts[0], names[0].as_str());
        let theirs = (&parts[parts.len() - 1], names[1].as_str());
        let comparison = pages::comparison(results.clone(), ours, theirs);
        report = pages::report(None, parts, Some(comparison));
    }
    destination.write(report, vec![results])?;
    judge(gate, &judged, args.allow_partial)
}

fn refuse_different_items(first: &RunDirectory, second: &RunDirectory) -> Result<(), Failure> {
    let (ours, theirs) = (&first.manifest, &second.manifest);
    let differs = ours.benchmark != theirs.benchmark
        || ours.data.sha256 != theirs.data.sha256
        || ours.limit != theirs.limit;
    if differs {
        return Err(Failure::usage(format!(
            "{} and {} were not asked the same items: {} {} against {} {}",
            first.path().display(),
            second.path().display(),
            ours.benchmark,
            ours.data.short(),
            theirs.benchmark,
            theirs.data.short()
        ))
        .with_hint("a paired comparison needs the same benchmark, data and --limit"));
    }
    Ok(())
}

/// Indices of the two systems in the joint list.
fn choose(runs: &[RunDirectory], names: Option<&str>) -> Result<(usize, usize), Failure> {
    let first = runs[0].plan.systems();
    let second = runs[runs.len() - 1].plan.systems();
    let shift = if runs.len() == 2 { first.len() } else { 0 };
    let list = |systems: &[epicene_core::SystemCard]| {
        let names: Vec<&str> = systems.iter().map(|s| s.name.as_str()).collect();
        names.join(", ")
    };
    match names {
        Some(names) => {
            let (one, other) = names
                .split_once(',')
                .ok_or_else(|| Failure::usage("--systems wants two names: FIRST,SECOND"))?;
            let find = |systems: &[epicene_core::SystemCard], name: &str| {
                systems
                    .iter()
                    .position(|s| s.name == name.trim())
                    .ok_or_else(|| {
                        Failure::usage(format!("no system is called `{}`", name.trim()))
                            .with_hint(format!("this run holds {}", list(systems)))
                    })
            };
            let (one, other) = (find(first, one)?, find(second, other)? + shift);
            if one == other {
                Err(Failure::usage("that is the same system twice"))
            } else {
                Ok((one, other))
            }
        }
        None if runs.len() == 2 && first.len() == 1 && second.len() == 1 => Ok((0, 1)),
        None if runs.len() == 1 && first.len() == 2 => Ok((0, 1)),
        None => Err(
            Failure::usage("which two systems are to be compared?").with_hint(format!(
                "give --systems FIRST,SECOND; the runs hold {} / {}",
                list(first),
                list(second)
            )),
        ),
    }
}
