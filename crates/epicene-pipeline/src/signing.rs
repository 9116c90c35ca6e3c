//! The signature: what was asked of whom, and what judging and measuring say they did. It names nothing that did not run.

use std::collections::BTreeSet;

use epicene_bench::options::{drew_when_asking, recorded_value};
use epicene_bench::{Benchmark, How, Options, Spec, Stage};
use epicene_core::{Column, Signature};
use epicene_run::Manifest;

pub struct Signed<'a> {
    pub benchmark: &'a dyn Benchmark,
    pub manifest: &'a Manifest,
    /// Those of other runs that it is compared with.
    pub others: &'a [&'a Manifest],
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
        for spec in card.specs() {
            // What was done is said by those who did it.
            let is_said = done().any(|(name, _)| *name == spec.name);
            if spec.stage == Stage::Data
                && !is_said
                && let Some(value) = self.asked_with(spec)
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
        if self.manifests().any(|manifest| manifest.trusts_language) {
            signature = signature.with("language", "trusted");
        }
        let mut checks: Vec<String> = Vec::new();
        for (role, card) in self.manifests().flat_map(|manifest| &manifest.inputs) {
            let hash = card.sha256.get(..12).unwrap_or(&card.sha256);
            let check = format!("{role}@{hash}");
            if !checks.contains(&check) {
                signature = signature.with("check", &check);
                checks.push(check);
            }
        }
        if self.options.seed != manifest.seed && drew_when_asking(card, &manifest.options) {
            signature = signature.with("asked-seed", manifest.seed);
        }
        let measured = env!("CARGO_PKG_VERSION");
        signature = signature
            .with("seed", self.options.seed)
            .with("epicene", measured);
        if manifest.epicene != measured {
            signature = signature.with("asked", &manifest.epicene);
        }
        if self.others.is_empty() {
            return signature;
        }
        let others = self.others.iter().map(|other| other.system_signature());
        signature.with("versus", others.collect::<Vec<_>>().join("+"))
    }

    fn manifests(&self) -> impl Iterator<Item = &Manifest> {
        std::iter::once(self.manifest).chain(self.others.iter().copied())
    }

    /// The value of an option that says what is asked; all of them, in the order of the runs, where they differ.
    fn asked_with(&self, spec: &Spec) -> Option<String> {
        let card = self.benchmark.card();
        let mut values: Vec<&str> = Vec::new();
        for manifest in self.manifests() {
            let recorded = recorded_value(card, spec, &manifest.options);
            let value = recorded.or(spec.default).unwrap_or("off");
            if !values.contains(&value) {
                values.push(value);
            }
        }
        match values.len() {
            1 => recorded_value(card, spec, &self.manifest.options).map(str::to_owned),
            _ => Some(values.join("/")),
        }
    }
}

/// Whether a signature is that of a run in which every item of the data was asked and answered.
pub fn is_of_all_items(signature: &str) -> bool {
    let part = |field: &str| field.starts_with("limit:") || field.starts_with("answered:");
    !signature.is_empty() && !signature.split('|').any(part)
}
