//! The signature: what was asked of whom, and what judging and measuring say they did. It names nothing that did not run.

use std::collections::BTreeSet;

use epicene_bench::options::{drew_when_asking, recorded_value};
use epicene_bench::{Benchmark, How, Options, Stage};
use epicene_core::{Column, Signature};
use epicene_run::Manifest;

pub struct Signed<'a> {
    pub benchmark: &'a dyn Benchmark,
    pub manifest: &'a Manifest,
    /// The run's own columns; a comparison has others beside them.
    pub columns: &'a [Column],
    /// Answers that are there, and questions.
    pub answered: (u64, u64),
    pub options: &'a Options,
    pub judging: How,
    pub measuring: &'a How,
}

impl Signed<'_> {
    pub fn signature(&self) -> Signature {
        let manifest = self.manifest;
        let join = |values: BTreeSet<&str>| values.into_iter().collect::<Vec<_>>().join(",");
        let columns = || self.columns.iter();
        let units = columns().map(|column| column.unit.as_str()).collect();
        let scorers = columns().map(|column| column.scorer.name()).collect();
        let mut signature = Signature::new(&manifest.benchmark).with("data", manifest.data.short());
        if let Some(limit) = manifest.limit {
            signature = signature.with("limit", limit);
        }
        let card = self.benchmark.card();
        let done = || self.judging.iter().chain(self.measuring);
        for spec in card.options {
            // What was done is said by those who did it.
            let is_said = done().any(|(name, _)| *name == spec.name);
            if spec.stage == Stage::Data
                && !is_said
                && let Some(value) = recorded_value(card, spec, &manifest.options)
            {
                signature = signature.with(spec.name, value);
            }
        }
        let (answered, questions) = self.answered;
        if answered < questions {
            signature = signature.with("answered", format!("{answered}/{questions}"));
        }
        signature = signature
            .with("system", manifest.system_signature())
            .with("units", join(units))
            .with("scorer", join(scorers));
        for (name, value) in done() {
            signature = signature.with(name, value);
        }
        if manifest.trusts_language {
            signature = signature.with("language", "trusted");
        }
        for (role, card) in &manifest.inputs {
            let hash = card.sha256.get(..12).unwrap_or(&card.sha256);
            signature = signature.with("check", format!("{role}@{hash}"));
        }
        if self.options.seed != manifest.seed && drew_when_asking(card, &manifest.options) {
            signature = signature.with("asked-seed", manifest.seed);
        }
        let measured = env!("CARGO_PKG_VERSION");
        signature = signature
            .with("seed", self.options.seed)
            .with("epicene", measured);
        if manifest.epicene == measured {
            signature
        } else {
            signature.with("asked", &manifest.epicene)
        }
    }
}
