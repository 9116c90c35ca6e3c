//! `epicene status`: how far runs are.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, SystemTime};

use epicene_core::Answer;
use epicene_pipeline::exchange::place_of;
use epicene_run::RunDirectory;
use serde::Serialize;
use serde_json::Value;

use crate::args::StatusArgs;
use crate::console;
use crate::failure::{Failure, Outcome};

#[derive(Serialize)]
struct Status {
    run: String,
    benchmark: String,
    systems: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
    /// Questions of this run or shard, and those with their answer.
    questions: u64,
    answered: u64,
    /// Answered questions to which the system has nothing to say.
    missing: u64,
    /// Failures that were told and not made good since.
    failures: u64,
    /// Somebody is asking now.
    busy: bool,
    /// Answers a second since the run began, and the seconds left at that rate.
    rate: Option<f64>,
    remaining: Option<f64>,
    complete: bool,
}

pub fn run(args: &StatusArgs) -> Result<Outcome, Failure> {
    let all = args.runs.iter().map(|path| status(path));
    let all = all.collect::<Result<Vec<_>, _>>()?;
    console::print(|out| {
        for status in &all {
            if args.json {
                serde_json::to_writer(&mut *out, status)?;
                out.write_all(b"\n")?;
            } else {
                writeln!(out, "{}", words(status))?;
            }
        }
        if let (false, [_, _, ..]) = (args.json, all.as_slice()) {
            let sum = |count: fn(&Status) -> u64| all.iter().map(count).sum::<u64>();
            let (answered, questions) = (sum(|s| s.answered), sum(|s| s.questions));
            writeln!(
                out,
                "all: {answered} of {questions} answered ({})",
                percent(answered, questions)
            )?;
        }
        Ok(())
    })?;
    Ok(Outcome::Done)
}

fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "no questions".to_owned(),
        // 99.99 % is not done.
        _ => format!(
            "{:.1} %",
            (part as f64 / whole as f64 * 1000.0).floor() / 10.0
        ),
    }
}

fn words(status: &Status) -> String {
    let shard = status.shard.as_ref();
    let mut text = format!(
        "{}: {}{}, {} of {} answered ({})",
        status.run,
        status.benchmark,
        shard.map_or_else(String::new, |shard| format!(" shard {shard}")),
        status.answered,
        status.questions,
        percent(status.answered, status.questions)
    );
    if let Some(rate) = status.rate {
        text += &format!(", {rate:.1} a second");
    }
    if let Some(seconds) = status.remaining {
        text += &format!(", {} left", duration(seconds));
    }
    for (count, what) in [
        (status.missing, "without an answer by their system"),
        (status.failures, "failed"),
    ] {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    }
    if status.busy {
        text += ", being asked";
    }
    text
}

fn duration(seconds: f64) -> String {
    match seconds.ceil() as u64 {
        seconds if seconds < 120 => format!("{seconds} s"),
        seconds if seconds < 7200 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

/// Questions that failed, by item and unit.
fn failed(run: &RunDirectory) -> Result<BTreeSet<(usize, String)>, Failure> {
    let mut failed = BTreeSet::new();
    for (number, text) in run.failures()?.lines().enumerate() {
        let line: Option<Value> = serde_json::from_str(text).ok();
        let id = line.as_ref().and_then(|line| line["id"].as_str());
        let (item, unit) = id.and_then(place_of).ok_or_else(|| {
            Failure::input(format!(
                "{}, line {}: not a failure that `epicene import-answers` wrote",
                run.path().join("failures.jsonl").display(),
                number + 1
            ))
            .with_hint("delete that line; the question stays open")
        })?;
        failed.insert((item, unit.to_owned()));
    }
    Ok(failed)
}

fn status(path: &Path) -> Result<Status, Failure> {
    let run = RunDirectory::open(path)?;
    let probes = run.manifest.asked_probes();
    let (mut missing, mut answered) = (0, 0);
    let mut failed = failed(&run)?;
    let named = !run.manifest.systems.is_empty();
    let questions = u64::try_from(if named {
        run.observations(|item, probe, answer| {
            answered += 1;
            missing += u64::from(*answer.plain().0 == Answer::Missing);
            failed.remove(&(item, probes[probe].ask.unit.to_string()));
            Ok::<(), Failure>(())
        })?;
        run.plan.share()
    } else {
        // Nobody has answered yet.
        run.plan.items().len() * probes.len()
    })
    .expect("so many questions fit");
    let busy = run.is_busy();
    let times = run.times();
    let spent = times.map(|(began, last)| {
        let until = if busy { SystemTime::now() } else { last };
        until
            .duration_since(began)
            .unwrap_or(Duration::ZERO)
            .as_secs_f64()
    });
    let rate = spent
        .filter(|spent| *spent > 0.0 && answered > 0)
        .map(|spent| answered as f64 / spent);
    let left = questions.saturating_sub(answered);
    Ok(Status {
        run: path.display().to_string(),
        benchmark: run.manifest.benchmark.clone(),
        systems: run
            .manifest
            .systems
            .iter()
            .map(|system| system.card.name.clone())
            .collect(),
        shard: run.manifest.shard.clone(),
        questions,
        answered,
        missing,
        failures: failed.len() as u64,
        busy,
        rate,
        remaining: rate.filter(|_| left > 0).map(|rate| left as f64 / rate),
        complete: left == 0,
    })
}
