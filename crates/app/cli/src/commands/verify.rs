//! `epicene verify`: whether runs are what was written, and whether every question has its answer.

use epicene_core::short_hash;
use epicene_report::grouped;
use epicene_run::{RunDirectory, RunError};

use crate::args::VerifyArgs;
use crate::failure::{Failure, Outcome};
use crate::{activity, console, datasets};

pub fn run(args: &VerifyArgs) -> Result<Outcome, Failure> {
    let (mut lines, mut complete) = (String::new(), true);
    for path in &args.runs {
        activity::step(format!("reading {}", path.display()));
        let run = RunDirectory::open(path)?;
        let (line, is_complete) = verify(&run)?;
        complete &= is_complete;
        lines += &format!("{}: {line}\n", path.display());
    }
    console::print(|out| out.write_all(lines.as_bytes()))?;
    Ok(if complete {
        Outcome::Done
    } else {
        Outcome::GateFailed
    })
}

/// Reads everything that a run consists of; what was changed is an error that names it.
fn verify(run: &RunDirectory) -> Result<(String, bool), Failure> {
    datasets::check_recorded(run)?;
    let items = run.plan.items();
    for index in 0..items.len() {
        items.with(index, |_| ())?;
    }
    let answered = run.observations(|_, _, _| Ok::<(), RunError>(()))?.count();
    run.inputs()?;
    run.links()?;
    let asked = run.plan.share() as u64;
    let answers = if answered == asked {
        format!("{} answers intact and complete", grouped(asked as usize))
    } else {
        format!(
            "{} of {} answers, intact but not complete",
            grouped(answered as usize),
            grouped(asked as usize)
        )
    };
    let manifest = &run.manifest;
    let data = &manifest.data;
    let hash = match short_hash(&data.sha256) {
        "" => String::new(),
        hash => format!(" ({hash})"),
    };
    let mut said = vec![
        answers,
        format!("data = {} {}{hash}", data.name, data.version),
    ];
    match run.recorded_times()? {
        None => said.push("no times on record".to_owned()),
        Some(times) => match times.finished {
            Some(finished) => said.push(format!("finished {}", read(&finished))),
            None => said.push(format!("started {}", read(&times.started))),
        },
    }
    said.push(format!("epicene {}", manifest.epicene));
    said.push(manifest.host.to_string());
    if !manifest.is_sealed() {
        said.push("manifest without a checksum".to_owned());
    }
    Ok((said.join(", "), answered == asked))
}

/// `2026-11-17T20:14:05Z` for people.
fn read(moment: &str) -> String {
    let minutes = moment
        .rsplit_once(':')
        .map_or(moment, |(minutes, _)| minutes);
    format!("{} UTC", minutes.replace('T', " "))
}
