//! Puts the questions of a plan to the systems and stores every answer as it comes.

use std::rc::Rc;

use epicene_bench::{Ask, Benchmark};
use epicene_core::{Hearing, Item, Query};
use epicene_run::RunWriter;

use crate::PipelineError;

/// What happens while questions are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// So many questions have their answer already.
    Started { done: u64 },
    /// So many more were answered and stored, which makes so many in all.
    Answered { count: u64, done: u64 },
}

/// A question waiting for its batch.
struct Pending {
    index: usize,
    item: Rc<Item>,
    probe: usize,
}

/// Asks what has no answer yet. `batches` says for each system of the manifest how many questions it wants at once;
/// `answer` puts a batch to one of them and hands answers on as they come, which are stored at once.
/// `on` hears what happens and may stop it.
pub fn ask<E: From<PipelineError>>(
    writer: &mut RunWriter,
    benchmark: &dyn Benchmark,
    batches: &[usize],
    mut answer: impl FnMut(usize, &[Query<'_>], &mut Hearing<'_>) -> Result<(), E>,
    mut on: impl FnMut(Event) -> Result<(), E>,
) -> Result<(), E> {
    let mut waiting: Vec<Vec<Pending>> = batches.iter().map(|_| Vec::new()).collect();
    on(Event::Started {
        done: writer.done.count(),
    })?;
    for index in 0..writer.run.plan.items().len() {
        if !writer.run.plan.is_ours(index) {
            continue;
        }
        // Read where it is asked about, once for all probes.
        let mut asked: Option<Rc<Item>> = None;
        for probe in 0..writer.run.plan.probes().len() {
            let plan = &writer.run.plan;
            if writer.done.has(plan.ordinal(index, probe)) {
                continue;
            }
            let system = plan.probes()[probe].system;
            let item = match &asked {
                Some(item) => Rc::clone(item),
                None => Rc::new(plan.items().get(index).map_err(PipelineError::from)?),
            };
            asked = Some(Rc::clone(&item));
            waiting[system].push(Pending { index, item, probe });
            if waiting[system].len() >= batches[system] {
                let batch = std::mem::take(&mut waiting[system]);
                ask_batch(writer, benchmark, system, &batch, &mut answer, &mut on)?;
            }
        }
    }
    for (system, batch) in waiting.iter().enumerate() {
        ask_batch(writer, benchmark, system, batch, &mut answer, &mut on)?;
    }
    Ok(())
}

fn ask_batch<E: From<PipelineError>>(
    writer: &mut RunWriter,
    benchmark: &dyn Benchmark,
    system: usize,
    batch: &[Pending],
    answer: &mut impl FnMut(usize, &[Query<'_>], &mut Hearing<'_>) -> Result<(), E>,
    on: &mut impl FnMut(Event) -> Result<(), E>,
) -> Result<(), E> {
    if batch.is_empty() {
        return Ok(());
    }
    // The plan is borrowed for as long as answers are recorded in it.
    let probes = batch.iter().map(|pending| pending.probe);
    let asks: Vec<Ask> = probes
        .map(|probe| writer.run.plan.probes()[probe].ask.clone())
        .collect();
    let queries: Vec<Query<'_>> = batch
        .iter()
        .zip(&asks)
        .map(|(pending, ask)| Query {
            index: pending.index,
            item: &pending.item.id,
            unit: ask.unit.as_str(),
            question: benchmark.question(&pending.item, ask),
        })
        .collect();
    let before = writer.done.count();
    let mut stored = Ok(());
    let outcome = answer(system, &queries, &mut |arrived| {
        if stored.is_err() {
            return;
        }
        let before = writer.done.count();
        stored = writer.record_all(arrived.map(|(place, answer)| {
            let pending = &batch[place];
            (pending.index, &*pending.item, pending.probe, answer)
        }));
        let done = writer.done.count();
        let count = done - before;
        // Whatever stops the asking is heard when the batch is stored.
        let _ = on(Event::Answered { count, done });
    });
    stored.map_err(PipelineError::from)?;
    outcome?;
    let answered = (writer.done.count() - before) as usize;
    if answered != batch.len() {
        let error = PipelineError::WrongNumber {
            system: writer.run.plan.systems()[system].name.clone(),
            asked: batch.len(),
            answered,
        };
        return Err(error.into());
    }
    on(Event::Answered {
        count: 0,
        done: writer.done.count(),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use epicene_bench::Options;
    use epicene_core::{Answer, DataCard, ModelKind, SystemCard};
    use epicene_run::{Manifest, SystemPlan};

    use super::*;

    #[test]
    fn a_failure_loses_its_batch_alone_and_nothing_is_asked_twice() {
        let benchmark = epicene_bench::find("gest").unwrap();
        for batch in [1, 7, 64] {
            let card = SystemCard {
                name: "forgetful".to_owned(),
                source: "test".to_owned(),
                revision: None,
                dtype: None,
                tokenizer: None,
                kind: ModelKind::Masked,
            };
            let asks = benchmark.asks(ModelKind::Masked, &Options::default());
            let plan = SystemPlan {
                card,
                probes: asks,
                server: None,
            };
            let data = DataCard {
                name: "gest".to_owned(),
                version: "test".to_owned(),
                sha256: String::new(),
                items: 50,
            };
            let manifest = Manifest::new("gest", data, vec![plan]);
            let item = |i: usize| Item::new(format!("gest:{i}"), format!("I did {i}."));
            let items: Vec<Item> = (0..50).map(item).collect();
            let directory = tempfile::tempdir().unwrap();
            let open = || {
                let inputs = BTreeMap::new();
                let path = directory.path();
                RunWriter::open(path, manifest.clone(), items.clone(), &inputs, false).unwrap()
            };
            // Remembers what it was asked, and fails once after ninety questions.
            let mut asked: Vec<(String, String)> = Vec::new();
            let mut fails = true;
            let mut answer = |_: usize, batch: &[Query<'_>], on: &mut Hearing<'_>| {
                if fails && asked.len() >= 90 {
                    fails = false;
                    return Err(PipelineError::UnknownBenchmark("failed".to_owned()));
                }
                let places = batch.iter().map(|q| (q.item.to_owned(), q.unit.to_owned()));
                asked.extend(places);
                on(&mut (0..batch.len()).map(|place| (place, Answer::Log10Ratio(0.5))));
                Ok(())
            };
            let mut writer = open();
            assert!(ask(&mut writer, benchmark, &[batch], &mut answer, |_| Ok(())).is_err());
            drop(writer);
            let mut writer = open();
            let kept = writer.done.count();
            assert!(kept + batch as u64 >= 90 && kept > 0, "{kept}");
            ask(&mut writer, benchmark, &[batch], &mut answer, |_| Ok(())).unwrap();
            assert_eq!(writer.done.count(), 200);
            let count = asked.len();
            asked.sort_unstable();
            asked.dedup();
            assert_eq!(asked.len(), count, "a question was asked twice");
        }
    }
}
