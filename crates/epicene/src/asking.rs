//! Puts the questions of a plan to the systems and stores every answer as it comes.

use epicene_bench::{Benchmark, Unit};
use epicene_core::{Item, Query};
use epicene_lm::LanguageModel;
use epicene_run::RunWriter;
use indicatif::ProgressBar;

use crate::failure::Failure;

/// A question waiting for its batch.
struct Pending {
    index: usize,
    item: Item,
    probe: usize,
}

/// Asks what has no answer yet. `models` are in the order of the manifest's systems.
pub fn ask_all(
    writer: &mut RunWriter,
    benchmark: &dyn Benchmark,
    models: &[Box<dyn LanguageModel>],
    progress: &ProgressBar,
) -> Result<(), Failure> {
    let mut waiting: Vec<Vec<Pending>> = models.iter().map(|_| Vec::new()).collect();
    progress.set_position(writer.done.count());
    for index in 0..writer.run.plan.items().len() {
        if !writer.run.plan.is_ours(index) {
            continue;
        }
        let mut item = None;
        for probe in 0..writer.run.plan.probes().len() {
            let plan = &writer.run.plan;
            if writer.done.has(plan.ordinal(index, probe)) {
                continue;
            }
            let system = plan.probes()[probe].system;
            if item.is_none() {
                item = Some(plan.items().get(index)?);
            }
            if let Some(item) = &item {
                waiting[system].push(Pending {
                    index,
                    item: item.clone(),
                    probe,
                });
            }
            if waiting[system].len() >= models[system].batch_size() {
                ask(
                    writer,
                    benchmark,
                    &*models[system],
                    &mut waiting[system],
                    progress,
                )?;
            }
        }
    }
    for (system, batch) in waiting.iter_mut().enumerate() {
        ask(writer, benchmark, &*models[system], batch, progress)?;
    }
    progress.finish_and_clear();
    Ok(())
}

fn ask(
    writer: &mut RunWriter,
    benchmark: &dyn Benchmark,
    model: &dyn LanguageModel,
    batch: &mut Vec<Pending>,
    progress: &ProgressBar,
) -> Result<(), Failure> {
    if batch.is_empty() {
        return Ok(());
    }
    let kind = model.card().kind;
    let units: Vec<Unit> = benchmark.units(kind);
    let probes = writer.run.plan.probes();
    let queries: Vec<Query<'_>> = batch
        .iter()
        .filter_map(|pending| {
            let unit = units
                .iter()
                .find(|unit| unit.name == probes[pending.probe].unit)?;
            Some(Query {
                index: pending.index,
                item: &pending.item.id,
                unit: &probes[pending.probe].unit,
                question: benchmark.question(&pending.item, unit, kind),
            })
        })
        .collect();
    let answers = model.observe(&queries)?;
    if answers.len() != batch.len() {
        return Err(Failure::usage(format!(
            "{} was asked {} questions and gave {} answers",
            model.card().name,
            batch.len(),
            answers.len()
        )));
    }
    for (pending, answer) in batch.iter().zip(answers) {
        writer.record(pending.index, &pending.item, pending.probe, answer)?;
    }
    progress.inc(batch.len() as u64);
    batch.clear();
    Ok(())
}
