//! The signature: what was asked of whom, and what judging and measuring say they did. It names nothing that did not run.

use std::collections::BTreeSet;

use epicene_bench::options::{drew_when_asking, recorded_value};
use epicene_bench::{Benchmark, Card, How, Options, Spec, Stage};
use epicene_core::{Column, Scorer, Signature};
use epicene_run::Manifest;

use crate::unread::Unread;

pub struct Signed<'a> {
    pub benchmark: &'a dyn Benchmark,
    pub manifest: &'a Manifest,
    /// Those of other runs that it is compared with.
    pub others: &'a [&'a Manifest],
    /// The columns of each run.
    pub columns: Vec<&'a [Column]>,
    /// The files of each run that nothing read.
    pub unread: &'a [Unread],
    /// Answers that are there, and questions.
    pub answered: (u64, u64),
    pub options: &'a Options,
    pub judging: How,
    pub measuring: &'a How,
}

impl Signed<'_> {
    pub fn signature(&self) -> Signature {
        let manifest = self.manifest;
        let mut signature = Signature::new(&manifest.benchmark).with("data", manifest.data.short());
        if let Some(limit) = manifest.limit {
            signature = signature.with("limit", limit);
        }
        let card = self.benchmark.card();
        let done = || self.judging.iter().chain(self.measuring);
        for spec in card.specs() {
            // What was done is said by those who did it.
            let is_said = done().any(|(name, _)| *name == spec.name);
            if spec.stage.is_before_asking()
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
        let (missing, of) = self.missing();
        if missing > 0 {
            signature = signature.with("missing", format!("{missing}/{of}"));
        }
        signature = signature
            .with("system", manifest.system_signature())
            .with("units", self.of_columns(|column| column.unit.as_str()))
            .with("scorer", self.of_columns(|column| column.scorer.name()));
        for (name, value) in done() {
            signature = signature.with(name, value);
        }
        if self.manifests().any(|manifest| manifest.trusts_language) {
            signature = signature.with("language", "trusted");
        }
        for what in ["language", "order"] {
            let is_named = |manifest: &Manifest| manifest.unchecked.iter().any(|one| one == what);
            if self.manifests().any(is_named) && signature.field(what).is_none() {
                signature = signature.with(what, "unchecked");
            }
        }
        let mut checks: Vec<String> = Vec::new();
        let inputs = self
            .manifests()
            .zip(self.unread)
            .flat_map(|(manifest, unread)| {
                let inputs = manifest.inputs.iter();
                inputs.filter(|(role, _)| !unread.contains_key(*role))
            });
        for (role, card) in inputs {
            let hash = card.sha256.get(..12).unwrap_or(&card.sha256);
            let check = format!("{role}@{hash}");
            if !checks.contains(&check) {
                signature = signature.with("check", &check);
                checks.push(check);
            }
        }
        let drew = |manifest: &&Manifest| drew_when_asking(card, &manifest.options);
        let drawn = self.manifests().filter(drew);
        let seeds = in_order(drawn.map(|manifest| manifest.seed.to_string()));
        if seeds
            .iter()
            .any(|seed| *seed != self.options.seed.to_string())
        {
            signature = signature.with("asked-seed", seeds.join("/"));
        }
        let measured = env!("CARGO_PKG_VERSION");
        signature = signature
            .with("seed", self.options.seed)
            .with("epicene", measured);
        let asked = in_order(self.manifests().map(|manifest| manifest.epicene.clone()));
        if asked != [measured] {
            signature = signature.with("asked", asked.join("/"));
        }
        if self.others.is_empty() {
            return signature;
        }
        let others = self.others.iter().map(|other| other.system_signature());
        signature.with("versus", others.collect::<Vec<_>>().join("+"))
    }

    /// Translations that files do not have, of those of systems that lack some.
    fn missing(&self) -> (usize, usize) {
        let columns = self.columns.iter().flat_map(|columns| columns.iter());
        let translated = columns.filter(|column| column.scorer == Scorer::Translate);
        let counts = translated.map(|column| {
            let there = || column.answers.iter().flatten();
            (
                there().filter(|answer| answer.is_missing()).count(),
                there().count(),
            )
        });
        let lacking = counts.filter(|(missing, _)| *missing > 0);
        lacking.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    fn manifests(&self) -> impl Iterator<Item = &Manifest> {
        std::iter::once(self.manifest).chain(self.others.iter().copied())
    }

    /// What the columns of a run are; those of every run, where they differ.
    fn of_columns(&self, what: fn(&Column) -> &str) -> String {
        let each = self.columns.iter().map(|columns| {
            let values: BTreeSet<&str> = columns.iter().map(what).collect();
            values.into_iter().collect::<Vec<_>>().join(",")
        });
        in_order(each).join("/")
    }

    /// The value of an option that says what is asked; all of them, in the order of the runs, where they differ.
    fn asked_with(&self, spec: &Spec) -> Option<String> {
        let card = self.benchmark.card();
        let values = in_order(self.manifests().map(|manifest| {
            let recorded = recorded_value(card, spec, &manifest.options);
            recorded.or(spec.default).unwrap_or("off").to_owned()
        }));
        match values.len() {
            1 => recorded_value(card, spec, &self.manifest.options).map(str::to_owned),
            _ => Some(values.join("/")),
        }
    }
}

/// Every value once, in the order of the runs.
fn in_order(values: impl Iterator<Item = String>) -> Vec<String> {
    let mut each: Vec<String> = Vec::new();
    for value in values {
        if !each.contains(&value) {
            each.push(value);
        }
    }
    each
}

/// Whether a run asks about every item that the benchmark has in this data: no limit, no sample, no choice of its own.
pub(crate) fn asks_all_items(card: &Card, manifest: &Manifest) -> bool {
    let mut choosing = card.specs().filter(|spec| spec.stage == Stage::Data);
    manifest.limit.is_none()
        && choosing.all(|spec| {
            let value = recorded_value(card, spec, &manifest.options);
            value.is_none() || value == spec.default
        })
}

/// Whether the results of a run, which have this signature, are of every item of the data: all were asked and answered.
pub fn is_of_all_items(card: &Card, manifest: &Manifest, signature: &str) -> bool {
    let lacking = |field: &str| field.starts_with("answered:");
    asks_all_items(card, manifest) && !signature.is_empty() && !signature.split('|').any(lacking)
}
