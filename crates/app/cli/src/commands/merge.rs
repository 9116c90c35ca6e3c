//! `epicene merge`: join the logs of shards, then measure the whole.

use epicene_bench::Given;
use epicene_core::counted;
use epicene_pipeline::JudgedRun;
use epicene_run::{MergeOptions, RunDirectory, merge};

use crate::args::MergeArgs;
use crate::commands::run::conclude;
use crate::failure::{Failure, Outcome};
use crate::{console, results};

pub fn run(args: MergeArgs) -> Result<Outcome, Failure> {
    let (gate, junit) = args.results.gate()?;
    let runs = RunDirectory::open_all(&args.runs)?;
    let options = MergeOptions {
        allow_overlap: args.allow_overlap,
        allow_gaps: args.allow_gaps,
        fresh: args.fresh,
    };
    let (run, report) = merge(&runs, &args.out, options)?;
    console::note(format!(
        "{}: {}",
        args.out.display(),
        counted(report.observations, "answer", "answers")
    ));
    if report.overlaps > 0 {
        console::warn(format!(
            "{} in more than one run, {} of them different; the first was kept",
            counted(report.overlaps, "answer was", "answers were"),
            report.conflicts
        ));
    }
    if report.missing > 0 {
        console::warn(counted(
            report.missing,
            "answer is missing",
            "answers are missing",
        ));
    }
    let results = JudgedRun::open(&run, &Given::default())?.measure()?;
    run.write_measures(&results::as_json(&results)?)?;
    let shown = [results];
    conclude(gate, junit, &shown, args.results.allow_partial, |_| {
        results::show(&shown[0], args.results.output.format)
    })
}
