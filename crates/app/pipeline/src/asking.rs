//! Puts the questions of a plan to the systems and stores every answer as it comes.

use std::rc::Rc;

use epicene_bench::{Ask, Benchmark};
use epicene_core::{Answer, ErrorKind, Item, Query, System, SystemError};
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

/// Asks what has no answer yet; answers are stored as they come. `systems` are in the order of the manifest's. `on` hears what
/// happens and may stop it.
pub fn ask<E: From<PipelineError> + From<SystemError>>(
    writer: &mut RunWriter,
    benchmark: &dyn Benchmark,
    systems: &[&dyn System],
    mut on: impl FnMut(Event) -> Result<(), E>,
) -> Result<(), E> {
    let batches: Vec<usize> = systems
        .iter()
        .map(|system| system.capabilities().batch_size)
        .collect();
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
                ask_batch(writer, benchmark, systems[system], &batch, &mut on)?;
            }
        }
    }
    for (system, batch) in systems.iter().zip(&waiting) {
        ask_batch(writer, benchmark, *system, batch, &mut on)?;
    }
    Ok(())
}

fn ask_batch<E: From<PipelineError> + From<SystemError>>(
    writer: &mut RunWriter,
    benchmark: &dyn Benchmark,
    system: &dyn System,
    batch: &[Pending],
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
    let outcome = system.answer_each(&queries, &mut |arrived| {
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
            system: system.card().name.clone(),
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

/// The answer to every question that has one, and why the others have none. An error that blames no question ends it all.
///
/// A system looks at a batch before it works on it, so that a question is asked twice at most: those before a bad one wait
/// until the rest was asked, and are then asked together.
pub fn answer_all(
    system: &dyn System,
    batch: &[Query<'_>],
) -> Result<Vec<Result<Answer, SystemError>>, SystemError> {
    let mut answers: Vec<Option<Result<Answer, SystemError>>> = Vec::new();
    answers.resize_with(batch.len(), || None);
    let mut open: Vec<usize> = (0..batch.len()).collect();
    let mut later = Vec::new();
    while !open.is_empty() {
        let part: Vec<Query<'_>> = open.iter().map(|index| batch[*index].clone()).collect();
        let outcome = system.answer_each(&part, &mut |arrived| {
            arrived.for_each(|(place, answer)| answers[open[place]] = Some(Ok(answer)));
        });
        let unanswered = |index: &usize| answers[*index].is_none();
        match outcome {
            Ok(()) => open = std::mem::take(&mut later),
            Err(error) => {
                let blamed = error.question.filter(|_| error.kind != ErrorKind::Failed);
                let Some(blamed) = blamed else {
                    return Err(error);
                };
                later.extend(open[..blamed].iter().copied().filter(unanswered));
                let rest = open[blamed + 1..].iter().copied().filter(unanswered);
                let mut rest: Vec<usize> = rest.collect();
                answers[open[blamed]] = Some(Err(error));
                if rest.is_empty() {
                    rest.append(&mut later);
                }
                open = rest;
            }
        }
    }
    let answers = answers.into_iter();
    Ok(answers
        .map(|answer| answer.expect("a system that does not fail answers every question"))
        .collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use epicene_bench::Options;
    use epicene_core::{
        AnswerSink, Capabilities, DataCard, ModelKind, Question, SystemCard, collect_answers,
    };
    use epicene_run::{Manifest, SystemPlan};

    use super::*;

    /// Remembers what it was asked, and fails once after ninety questions.
    struct Forgetful {
        card: SystemCard,
        batch: usize,
        asked: Mutex<Vec<(String, String)>>,
        fails: AtomicBool,
    }

    impl System for Forgetful {
        fn card(&self) -> &SystemCard {
            &self.card
        }

        fn capabilities(&self) -> Capabilities {
            Capabilities::of_batches(self.batch)
        }

        fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
            let mut asked = self.asked.lock().unwrap();
            if asked.len() >= 90 && self.fails.swap(false, Ordering::Relaxed) {
                return Err(SystemError::new(ErrorKind::Failed, "failed"));
            }
            asked.extend(batch.iter().map(|q| (q.item.to_owned(), q.unit.to_owned())));
            Ok(vec![Answer::Log10Ratio(0.5); batch.len()])
        }
    }

    #[derive(Debug)]
    struct Stopped;

    impl From<PipelineError> for Stopped {
        fn from(_: PipelineError) -> Stopped {
            Stopped
        }
    }

    impl From<SystemError> for Stopped {
        fn from(_: SystemError) -> Stopped {
            Stopped
        }
    }

    /// Answers even numbers, hands on those below ten before it looks at the others, and counts what it is given.
    struct Even {
        card: SystemCard,
        given: AtomicUsize,
    }

    impl System for Even {
        fn card(&self) -> &SystemCard {
            &self.card
        }

        fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
            collect_answers(self, batch)
        }

        fn answer_each(
            &self,
            batch: &[Query<'_>],
            on: &mut AnswerSink<'_>,
        ) -> Result<(), SystemError> {
            let is_small = |query: &Query<'_>| query.index < 10;
            for small in [true, false] {
                let part = || {
                    batch
                        .iter()
                        .enumerate()
                        .filter(|(_, q)| is_small(q) == small)
                };
                if let Some((place, query)) = part().find(|(_, query)| query.index % 2 == 1) {
                    self.given.fetch_add(place, Ordering::Relaxed);
                    let kind = match query.index {
                        99 => ErrorKind::Failed,
                        _ => ErrorKind::Unanswerable,
                    };
                    return Err(
                        SystemError::new(kind, format!("{} is odd", query.index)).about(place)
                    );
                }
                self.given.fetch_add(part().count(), Ordering::Relaxed);
                on(&mut part().map(|(place, q)| (place, Answer::Log10Ratio(q.index as f64))));
            }
            Ok(())
        }
    }

    #[test]
    fn every_question_without_an_answer_is_named_and_costs_little() {
        let even = Even {
            card: SystemCard {
                name: "even".to_owned(),
                source: "test".to_owned(),
                revision: None,
                dtype: None,
                tokenizer: None,
                kind: ModelKind::Masked,
            },
            given: AtomicUsize::new(0),
        };
        let query = |index: usize| Query {
            index,
            item: "",
            unit: "",
            question: Question::GroupMeans,
        };
        for numbers in [
            vec![],
            vec![2, 4],
            vec![1],
            vec![12, 1, 3, 14, 2, 5, 30, 15],
            (0..40).collect(),
            (0..40).rev().collect(),
            vec![1, 3, 5, 11, 13],
        ] {
            even.given.store(0, Ordering::Relaxed);
            let batch: Vec<Query<'_>> = numbers.iter().copied().map(query).collect();
            let answers = answer_all(&even, &batch).unwrap();
            assert_eq!(answers.len(), numbers.len());
            for (number, answer) in numbers.iter().zip(answers) {
                match answer {
                    Ok(answer) => assert_eq!(answer, Answer::Log10Ratio(*number as f64)),
                    Err(error) => assert_eq!(error.to_string(), format!("{number} is odd")),
                }
            }
            let given = even.given.load(Ordering::Relaxed);
            assert!(given <= 3 * numbers.len(), "{given} of {numbers:?}");
        }
        let failing: Vec<Query<'_>> = [2, 99, 4].map(query).to_vec();
        assert!(answer_all(&even, &failing).is_err());
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
            let asks = benchmark.asks(ModelKind::Masked, &Options::default());
            let plan = SystemPlan {
                card: card.clone(),
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
            let forgetful = Forgetful {
                card: card.clone(),
                batch,
                asked: Mutex::default(),
                fails: AtomicBool::new(true),
            };
            let ask = |writer: &mut RunWriter| -> Result<(), Stopped> {
                ask(writer, benchmark, &[&forgetful], |_| Ok(()))
            };
            let mut writer = open();
            assert!(ask(&mut writer).is_err());
            drop(writer);
            let mut writer = open();
            let kept = writer.done.count();
            assert!(kept + batch as u64 >= 90 && kept > 0, "{kept}");
            ask(&mut writer).unwrap();
            assert_eq!(writer.done.count(), 200);
            let mut asked = forgetful.asked.into_inner().unwrap();
            let count = asked.len();
            asked.sort_unstable();
            asked.dedup();
            assert_eq!(asked.len(), count, "a question was asked twice");
        }
    }
}
