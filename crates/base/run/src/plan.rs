//! What a run has to ask: every item (of its shard) put through every probe, in one fixed order.
//! The plan knows each observation's key, so that a log can be checked line by line and continued.

use std::collections::BTreeMap;

use epicene_core::{Ask, Item, Observation, SystemCard, Unit};

use crate::{ItemStore, Manifest, RunError, Sha256Digest, Shard, SystemPlan};

/// One way of asking one system: a column of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// Index into the manifest's systems.
    pub system: usize,
    pub ask: Ask,
}

/// All questions of a run, numbered `item * probes + probe`.
#[derive(Debug)]
pub struct Plan {
    systems: Vec<SystemCard>,
    /// The beginning of every key of a system: its identity, hashed.
    beginnings: Vec<Sha256Digest>,
    probes: Vec<Probe>,
    /// Where a probe stands, by system name and unit.
    places: BTreeMap<String, BTreeMap<Unit, usize>>,
    items: ItemStore,
    shard: Option<Shard>,
}

/// Which questions of a plan have their answer: one bit each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    words: Vec<u64>,
    count: u64,
}

impl Plan {
    pub fn new(manifest: &Manifest, items: ItemStore) -> Result<Plan, RunError> {
        let probes = manifest.probes();
        let shard = manifest.shard()?;
        let mut places: BTreeMap<String, BTreeMap<Unit, usize>> = BTreeMap::new();
        for (place, probe) in probes.iter().enumerate() {
            let name = manifest.systems[probe.system].card.name.clone();
            places
                .entry(name)
                .or_default()
                .insert(probe.ask.unit.clone(), place);
        }
        let beginning = |system: &SystemPlan| {
            let mut digest = Sha256Digest::default();
            digest.update_field(system.card.identity().as_bytes());
            digest
        };
        Ok(Plan {
            beginnings: manifest.systems.iter().map(beginning).collect(),
            systems: manifest.systems.iter().map(|s| s.card.clone()).collect(),
            probes,
            places,
            items,
            shard,
        })
    }

    pub fn items(&self) -> &ItemStore {
        &self.items
    }

    pub fn probes(&self) -> &[Probe] {
        &self.probes
    }

    pub fn systems(&self) -> &[SystemCard] {
        &self.systems
    }

    /// Number of questions of the whole run, all shards together.
    pub fn len(&self) -> usize {
        self.items.len() * self.probes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of questions that are this shard's to ask.
    pub fn share(&self) -> usize {
        let items = match self.shard {
            None => self.items.len(),
            Some(shard) => (0..self.items.len()).filter(|&i| shard.has(i)).count(),
        };
        items * self.probes.len()
    }

    pub fn is_ours(&self, item: usize) -> bool {
        self.shard.is_none_or(|shard| shard.has(item))
    }

    pub fn ordinal(&self, item: usize, probe: usize) -> usize {
        item * self.probes.len() + probe
    }

    /// The key of one question: a hash of system, item, unit and scorer, under which its answer is stored once.
    pub fn key(&self, id: &str, text: &str, probe: usize) -> String {
        let place = &self.probes[probe];
        let mut digest = self.beginnings[place.system].clone();
        for field in [id, text, place.ask.unit.as_str(), place.ask.scorer.name()] {
            digest.update_field(field.as_bytes());
        }
        digest.short_hex()
    }

    /// The key of one question whose item is looked up.
    pub(crate) fn stored_key(&self, item: usize, probe: usize) -> Result<String, String> {
        let key = |item: &Item| self.key(&item.id, &item.text, probe);
        let key = self.items.with(item, key);
        key.map_err(|error| error.to_string())
    }

    /// Where the observation belongs in this plan (item and probe), or why it does not.
    pub(crate) fn place(
        &self,
        observation: &Observation<'_>,
        key: impl FnOnce(usize, usize) -> Result<String, String>,
    ) -> Result<(usize, usize), String> {
        let item = usize::try_from(observation.item)
            .ok()
            .and_then(|line| line.checked_sub(1))
            .filter(|&item| item < self.items.len())
            .ok_or_else(|| format!("item {} is not in items.jsonl", observation.item))?;
        let probe = self
            .places
            .get(observation.system.as_ref())
            .and_then(|units| units.get(observation.unit.as_ref()))
            .copied()
            .ok_or_else(|| {
                format!(
                    "the manifest knows no system `{}` with unit `{}`",
                    observation.system, observation.unit
                )
            })?;
        let key = key(item, probe)?;
        if key != observation.key {
            return Err(format!(
                "key {} does not belong to item {}, system `{}`, unit `{}`",
                observation.key, observation.item, observation.system, observation.unit
            ));
        }
        if !observation.answer.is_finite() {
            return Err("the answer is not a finite number".to_owned());
        }
        Ok((item, probe))
    }

    /// Human description of a question, for messages about gaps and overlaps.
    pub fn describe(&self, ordinal: usize) -> String {
        let probe = &self.probes[ordinal % self.probes.len()];
        let index = ordinal / self.probes.len();
        let id = self
            .items
            .with(index, |item| item.id.clone())
            .unwrap_or_else(|_| format!("item {}", index + 1));
        format!(
            "{id} ({}, {})",
            self.systems[probe.system].name, probe.ask.unit
        )
    }
}

impl Coverage {
    pub fn new(questions: usize) -> Coverage {
        Coverage {
            words: vec![0; questions.div_ceil(64)],
            count: 0,
        }
    }

    pub fn has(&self, ordinal: usize) -> bool {
        self.words[ordinal / 64] >> (ordinal % 64) & 1 == 1
    }

    /// Returns false if it was there already.
    pub fn insert(&mut self, ordinal: usize) -> bool {
        let fresh = !self.has(ordinal);
        if fresh {
            self.words[ordinal / 64] |= 1 << (ordinal % 64);
            self.count += 1;
        }
        fresh
    }

    pub fn count(&self) -> u64 {
        self.count
    }
}
