//! Answers that were given elsewhere, put into a run: in any order, the same ones as often as they like.

use epicene_bench::Benchmark;
use epicene_core::Item;
use epicene_run::{Probe, RunWriter, answer_digest};
use serde_json::Value;

use crate::PipelineError;
use crate::exchange::{place_of, plan_hash, question_id, read_answer};

/// A run that is being told.
pub struct Telling<'a> {
    pub writer: RunWriter,
    benchmark: &'a dyn Benchmark,
    plan: String,
    probes: Vec<Probe>,
    items: Vec<Item>,
    /// A short form of the answer to every question that has one.
    digests: Vec<u32>,
}

/// What became of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    Stored,
    /// It was there, and the same.
    Repeated,
}

impl<'a> Telling<'a> {
    pub fn new(
        writer: RunWriter,
        benchmark: &'a dyn Benchmark,
    ) -> Result<Telling<'a>, PipelineError> {
        let plan = &writer.run.plan;
        let probes = plan.probes().to_vec();
        let mut items = Vec::with_capacity(plan.items().len());
        for index in 0..plan.items().len() {
            items.push(plan.items().get(index)?);
        }
        let mut digests = vec![0; plan.len()];
        writer.run.observations(|item, probe, answer| {
            digests[plan.ordinal(item, probe)] = answer_digest(&answer) as u32;
            Ok::<(), PipelineError>(())
        })?;
        Ok(Telling {
            plan: plan_hash(&writer.run.manifest, &probes),
            writer,
            benchmark,
            probes,
            items,
            digests,
        })
    }

    /// The name of the questions this run asks.
    pub fn plan(&self) -> &str {
        &self.plan
    }

    /// Whether a question of this plan has its answer; `None` of an id that is not one of them.
    pub fn has(&self, id: &str) -> Option<bool> {
        let (index, probe) = self.find(id).ok()?;
        let ordinal = self.writer.run.plan.ordinal(index, probe);
        Some(self.writer.done.has(ordinal))
    }

    /// Takes an answer in; a message says why not. A run that cannot be written is another matter.
    pub fn take(
        &mut self,
        id: &str,
        answer: &Value,
    ) -> Result<Result<Told, String>, PipelineError> {
        let (index, probe) = match self.find(id) {
            Ok(place) => place,
            Err(message) => return Ok(Err(message)),
        };
        let item = &self.items[index];
        let ask = &self.probes[probe].ask;
        let answer = match read_answer(&self.benchmark.question(item, ask), answer) {
            Ok(answer) => answer,
            Err(message) => return Ok(Err(message)),
        };
        let ordinal = self.writer.run.plan.ordinal(index, probe);
        let digest = answer_digest(&answer) as u32;
        if self.writer.done.has(ordinal) {
            return Ok(if self.digests[ordinal] == digest {
                Ok(Told::Repeated)
            } else {
                let question = self.writer.run.plan.describe(ordinal);
                Err(format!("another answer to {question} is there already"))
            });
        }
        self.writer.record(index, item, probe, answer)?;
        self.digests[ordinal] = digest;
        Ok(Ok(Told::Stored))
    }

    fn find(&self, id: &str) -> Result<(usize, usize), String> {
        let (index, unit) = place_of(id)
            .ok_or_else(|| format!("`{id}` is no id that `epicene export-questions` gave"))?;
        let probe = self
            .probes
            .iter()
            .position(|probe| probe.ask.unit.as_str() == unit);
        let foreign = || format!("`{id}` is a question of another plan");
        let (item, probe) = self.items.get(index).zip(probe).ok_or_else(foreign)?;
        if question_id(&self.plan, index, item, &self.probes[probe]) == id {
            Ok((index, probe))
        } else {
            Err(foreign())
        }
    }
}
