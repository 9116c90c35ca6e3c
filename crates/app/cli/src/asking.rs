//! Puts the questions of a plan to the systems, for people to watch: progress, costs, signals.

use std::path::Path;

use epicene_bench::Benchmark;
use epicene_core::{Cost, Note, Question, System, counted};
use epicene_io::stop;
use epicene_mt::Budget;
use epicene_pipeline::Event;
use epicene_run::{RunError, RunWriter};
use indicatif::ProgressBar;

use crate::console;
use crate::failure::Failure;

/// A paid run of more questions than this is not started without the user's word.
pub const QUESTIONS_WITHOUT_ASKING: u64 = 1000;

/// Asks what has no answer yet. `systems` are in the order of the manifest's.
pub fn ask_all(
    writer: &mut RunWriter,
    benchmark: &dyn Benchmark,
    systems: &[&dyn System],
    progress: &ProgressBar,
) -> Result<(), Failure> {
    let _finishing = stop::stoppable();
    let asked = epicene_pipeline::ask(writer, benchmark, systems, |event| match event {
        Event::Started { done } => {
            progress.set_position(done);
            Ok(())
        }
        Event::Answered { count, done } => {
            progress.inc(count);
            stop::check().map_err(|stopped| Failure::stopped(stopped, &kept(done)))
        }
    });
    if asked.is_ok() {
        progress.finish_and_clear();
    }
    // A request that was broken off says nothing of what came before it.
    asked.map_err(|failure: Failure| failure.or_stopped_keeping(&kept(writer.done.count())))
}

fn kept(answers: u64) -> String {
    format!(
        "{} kept, and the same command continues",
        counted(answers, "answer is", "answers are")
    )
}

/// What a system has to say of its answers.
pub fn tell_notes(system: &dyn System) {
    let name = &system.card().name;
    for note in system.notes() {
        match note {
            Note::Info(note) => console::note(format!("{name}: {note}")),
            Note::Warning(note) => console::warn(format!("{name}: {note}")),
        }
    }
}

/// Makes sure that the answers a run has are by the systems that are asked now: a service may have changed its model under
/// its name since.
pub fn accept_answers(writer: &RunWriter, systems: &[&dyn System]) -> Result<(), Failure> {
    let accepts = |system: &&dyn System| system.capabilities().accepts_answers;
    if writer.done.count() == 0 || !systems.iter().any(accepts) {
        return Ok(());
    }
    let probes = writer.run.plan.probes();
    writer.run.observations(|_, probe, answer| {
        systems[probes[probe].system].accept(answer.plain().0)?;
        Ok::<(), Failure>(())
    })?;
    Ok(())
}

/// Counts what paid systems would be asked in the whole plan: all shards, languages and services together. Refuses what the
/// user did not agree to. The costs of the systems that have some.
pub fn agree_on_cost(
    writer: &RunWriter,
    benchmark: &dyn Benchmark,
    systems: &[&dyn System],
    yes: bool,
) -> Result<Vec<Cost>, Failure> {
    let mut costs = Vec::new();
    for (number, system) in systems.iter().enumerate() {
        let mut failed = None;
        let mut questions = open_questions(writer, benchmark, number, &mut failed);
        let cost = system.cost(&mut questions)?;
        drop(questions);
        if let Some(error) = failed {
            return Err(error.into());
        }
        costs.extend(cost.map(|cost| (*system, cost)));
    }
    agree(&costs, yes)?;
    Ok(costs.into_iter().map(|(_, cost)| cost).collect())
}

/// What one system has not answered. Ends at an item that cannot be read.
fn open_questions<'a>(
    writer: &'a RunWriter,
    benchmark: &'a dyn Benchmark,
    system: usize,
    failed: &'a mut Option<RunError>,
) -> impl Iterator<Item = Question> + 'a {
    let plan = &writer.run.plan;
    let items = (0..plan.items().len()).map_while(move |index| {
        let probes = plan.probes().iter().enumerate();
        let open: Vec<_> = probes
            .filter(|(place, probe)| {
                // What another shard asks is paid for as well.
                let is_open = !plan.is_ours(index) || !writer.done.has(plan.ordinal(index, *place));
                probe.system == system && is_open
            })
            .map(|(_, probe)| &probe.ask)
            .collect();
        if open.is_empty() {
            return Some(Vec::new());
        }
        match plan.items().get(index) {
            Ok(item) => {
                let question = |ask| benchmark.question(&item, ask);
                Some(open.into_iter().map(question).collect())
            }
            Err(error) => {
                *failed = Some(error);
                None
            }
        }
    });
    items.flatten()
}

/// Refuses to spend money on more questions than a try takes, in all, unless the user said so.
pub fn agree(costs: &[(&dyn System, Cost)], yes: bool) -> Result<(), Failure> {
    let asked = costs.iter().filter(|(_, cost)| cost.count > 0);
    let line =
        |(system, cost): &(&dyn System, Cost)| format!("{}: {}", system.card().name, cost.words);
    let lines: Vec<String> = asked.map(line).collect();
    let count: u64 = costs.iter().map(|(_, cost)| cost.count).sum();
    if count > QUESTIONS_WITHOUT_ASKING && !yes {
        return Err(Failure::usage(lines.join("; ")).with_hint(
            "give --yes to ask for them, or --budget USD, or --limit N to try a few first; all shards, languages and services are counted, what is in the cache is not",
        ));
    }
    lines.into_iter().for_each(console::note);
    Ok(())
}

/// Keeps paid systems within a budget for the whole plan, what the run spent before included. Refuses at once what cannot be
/// enough, and systems whose price nobody knows.
pub fn keep_within(
    dollars: f64,
    budget: &Budget,
    costs: &[Cost],
    run: &Path,
) -> Result<(), Failure> {
    if costs.is_empty() {
        return Err(Failure::usage(
            "--budget has no effect here; it is for services that cost money, and none is asked",
        ));
    }
    let estimate: Option<f64> = costs.iter().map(|cost| cost.dollars).sum();
    let Some(estimate) = estimate else {
        return Err(
            Failure::usage("--budget needs a price, and that of a system is unknown").with_hint(
                "--price IN,OUT says what a million tokens of a chat model cost in dollars",
            ),
        );
    };
    budget.keep_in(run.join("spent.json"))?;
    // What other shards spent is not known here; their answers are in a common cache, or are counted as open.
    if estimate + budget.spent() > dollars {
        return Err(Failure::usage(format!(
            "what is left to ask costs up to about {estimate:.2} USD, {:.2} are spent, and the budget is {dollars:.2}",
            budget.spent()
        ))
        .with_hint("give a larger --budget, or ask fewer with --limit N"));
    }
    Ok(())
}
