//! Puts the questions of a plan to the systems and stores every answer as it comes.

use std::sync::Arc;

use epicene_bench::{Benchmark, Unit};
use epicene_core::{Item, ModelKind, Query, Question};
use epicene_io::stop;
use epicene_lm::LanguageModel;
use epicene_mt::{Bill, CachedTranslator};
use epicene_run::RunWriter;
use indicatif::ProgressBar;

use crate::failure::Failure;
use crate::{signals, translating};

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
    let _finishing = signals::finishing();
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

/// Counts what paid translators would be asked for; refuses what nobody agreed to. `translators`
/// are in the order of the manifest's systems.
pub fn agree_on_cost(
    writer: &RunWriter,
    benchmark: &dyn Benchmark,
    translators: &[Option<Arc<CachedTranslator>>],
    yes: bool,
) -> Result<(), Failure> {
    let plan = &writer.run.plan;
    let units = benchmark.units(ModelKind::Translator);
    for (system, translator) in translators.iter().enumerate() {
        let Some(translator) = translator.as_ref().filter(|t| t.price().is_some()) else {
            continue;
        };
        let probes: Vec<(usize, &Unit)> = plan
            .probes()
            .iter()
            .enumerate()
            .filter(|(_, probe)| probe.system == system)
            .filter_map(|(place, probe)| {
                let unit = units.iter().find(|unit| unit.name == probe.unit)?;
                Some((place, unit))
            })
            .collect();
        let mut bill = Bill::default();
        for index in (0..plan.items().len()).filter(|index| plan.is_ours(*index)) {
            let open = |(probe, _): &&(usize, &Unit)| !writer.done.has(plan.ordinal(index, *probe));
            let mut open = probes.iter().filter(open).peekable();
            if open.peek().is_none() {
                continue;
            }
            let item = plan.items().get(index)?;
            for (_, unit) in open {
                let question = benchmark.question(&item, unit, ModelKind::Translator);
                if let Question::Translate { text, to } = &question {
                    bill.add(translator, text, to)?;
                }
            }
        }
        translating::agree(translator, &bill, yes)?;
    }
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
    stop::check().map_err(|stopped| {
        let kept = writer.done.count();
        let kept = format!("{kept} answers are kept, and the same command continues");
        Failure::stopped(stopped, &kept)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use epicene_core::{Answer, SystemCard};
    use epicene_lm::LmError;
    use epicene_run::{DataCard, Manifest, SystemPlan};

    use super::*;

    /// Remembers what it was asked, and fails once after a number of batches.
    struct Forgetful {
        card: SystemCard,
        batch: usize,
        asked: Mutex<Vec<(String, String)>>,
        fails_at: Mutex<Option<usize>>,
    }

    impl LanguageModel for Forgetful {
        fn card(&self) -> &SystemCard {
            &self.card
        }

        fn batch_size(&self) -> usize {
            self.batch
        }

        fn observe(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, LmError> {
            let mut asked = self.asked.lock().unwrap();
            let mut fails_at = self.fails_at.lock().unwrap();
            if fails_at.is_some_and(|at| asked.len() >= at) {
                *fails_at = None;
                return Err(LmError::NoAnswer {
                    system: "forgetful".to_owned(),
                    item: batch[0].item.to_owned(),
                    unit: batch[0].unit.to_owned(),
                });
            }
            let places = batch.iter().map(|q| (q.item.to_owned(), q.unit.to_owned()));
            asked.extend(places);
            Ok(vec![Answer::Log10Ratio(0.5); batch.len()])
        }
    }

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
            let units = benchmark.units(ModelKind::Masked);
            let probes = units.iter().map(|u| (u.name.clone(), u.scorer.to_owned()));
            let plan = SystemPlan {
                card: card.clone(),
                probes: probes.collect(),
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
            let models: Vec<Box<dyn LanguageModel>> = vec![Box::new(Forgetful {
                card,
                batch,
                asked: Mutex::new(Vec::new()),
                fails_at: Mutex::new(Some(90)),
            })];
            let open = || {
                let inputs = BTreeMap::new();
                RunWriter::open(
                    directory.path(),
                    manifest.clone(),
                    items.clone(),
                    &inputs,
                    false,
                )
                .unwrap()
            };
            let hidden = ProgressBar::hidden();
            let mut writer = open();
            assert!(ask_all(&mut writer, benchmark, &models, &hidden).is_err());
            let kept = writer.done.count() as usize;
            assert!(
                (90..90 + batch).contains(&kept),
                "{kept} with batches of {batch}"
            );
            drop(writer);
            let mut writer = open();
            assert_eq!(writer.done.count() as usize, kept);
            ask_all(&mut writer, benchmark, &models, &hidden).unwrap();
            assert_eq!(writer.done.count(), 200);
        }
    }
}
