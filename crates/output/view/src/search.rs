//! Which items of a run fit a query: by labels and answers from the index, by verdicts block by block, by words through the
//! files.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

use epicene_run::{log_files, read_observation};

use crate::index::each_line;
use crate::query::Query;
use crate::run::{BLOCK, Ready, ViewError, ViewedRun};
use crate::verdicts::Record;

/// Results of queries that are remembered.
const REMEMBERED: usize = 4;

impl ViewedRun {
    /// The items that fit a query, in their order; the last few results are remembered.
    pub fn matching(&self, query: &Query) -> Result<Arc<Vec<u32>>, ViewError> {
        let remembered = || {
            self.remembered
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some((_, found)) = remembered().iter().find(|(known, _)| known == query) {
            return Ok(found.clone());
        }
        let found = Arc::new(self.search(&self.ready()?, query)?);
        let mut remembered = remembered();
        remembered.insert(0, (query.clone(), found.clone()));
        remembered.truncate(REMEMBERED);
        Ok(found)
    }

    fn chosen(&self, query: &Query, system: &str) -> Vec<usize> {
        let fits = |(_, (name, unit)): &(usize, &(String, String))| {
            (system.is_empty() || name == system) && (query.unit.is_empty() || *unit == query.unit)
        };
        self.columns
            .iter()
            .enumerate()
            .filter(fits)
            .map(|(column, _)| column)
            .collect()
    }

    fn search(&self, ready: &Ready, query: &Query) -> Result<Vec<u32>, ViewError> {
        let (items, answers) = (&ready.items, &ready.answers);
        let mut labels = Vec::new();
        for (name, value) in &query.labels {
            let found = items.label(name, value);
            labels.push(
                found.ok_or_else(|| ViewError::Wrong("no item has such a label".to_owned()))?,
            );
        }
        let own = self.chosen(query, &query.system);
        let versus = match query.versus.as_str() {
            "" => Vec::new(),
            versus => self.chosen(query, versus),
        };
        let judged = !query.verdict.is_empty() || !query.outcome.is_empty() || query.differ;
        if judged && ready.judged.store.is_none() {
            return Err(ViewError::Wrong("this run has no verdicts yet".to_owned()));
        }
        let words = match query.words.as_str() {
            "" => None,
            words => Some(self.with_words(words, &[own.clone(), versus.clone()].concat())?),
        };
        let asked = !query.system.is_empty() || !query.unit.is_empty();
        let mut found = Vec::new();
        for first in (0..items.len()).step_by(BLOCK) {
            let end = (first + BLOCK).min(items.len());
            let mut records: Vec<Vec<Record>> = Vec::new();
            if let (true, Some(store)) = (judged, &ready.judged.store) {
                for column in 0..self.columns.len() {
                    records.push(store.column(column, first, end - first)?);
                }
            }
            for item in first..end {
                let answered =
                    |columns: &[usize]| columns.iter().any(|column| answers.has(item, *column));
                let record = |column: usize| records[column][item - first];
                let wanted = |column: &usize| {
                    let record = record(*column);
                    (query.verdict.is_empty() || query.verdict.contains(record.letter()))
                        && (query.outcome.is_empty()
                            || record.outcome().is_some_and(|o| o.name() == query.outcome))
                };
                let shown = own.iter().chain(&versus);
                let fits = labels.iter().all(|(label, code)| label.is(*code, item))
                    && (!asked || answered(&own) || (!versus.is_empty() && answered(&versus)))
                    && (versus.is_empty() || (answered(&own) && answered(&versus)))
                    && (query.verdict.is_empty() && query.outcome.is_empty()
                        || shown.clone().any(wanted))
                    && (!query.differ || self.differ(query, &own, &versus, &record))
                    && words
                        .as_ref()
                        .is_none_or(|words| words.contains(&(item as u32)));
                if fits {
                    found.push(item as u32);
                }
            }
        }
        Ok(found)
    }

    /// Whether the systems (of the unit, if one is chosen) have different verdicts.
    fn differ(
        &self,
        query: &Query,
        own: &[usize],
        versus: &[usize],
        record: &dyn Fn(usize) -> Record,
    ) -> bool {
        let every = match (versus.is_empty(), query.unit.is_empty()) {
            (false, _) => [own, versus].concat(),
            (true, false) => self.chosen(query, ""),
            (true, true) => own.to_vec(),
        };
        let letters: BTreeSet<char> = every
            .into_iter()
            .map(|column| record(column).letter())
            .collect();
        letters.len() > 1
    }

    /// Items whose id, text or answer in these columns holds the words.
    fn with_words(&self, words: &str, columns: &[usize]) -> Result<BTreeSet<u32>, ViewError> {
        let mut found = BTreeSet::new();
        let mut place = 0;
        each_line(&self.items_path(), 0, |_, line| {
            let item: epicene_core::Item = serde_json::from_slice(line)?;
            if item.text.to_lowercase().contains(words) || item.id.to_lowercase().contains(words) {
                found.insert(place);
            }
            place += 1;
            Ok(())
        })?;
        let sums = self.manifest.sums();
        let files = log_files(&self.path);
        for file in files.map_err(|error| ViewError::Unreadable(error.to_string()))? {
            each_line(&file, 0, |_, line| {
                let Ok(observation) = read_observation(line, sums) else {
                    return Ok(());
                };
                let of = |column: &usize| {
                    let (system, unit) = &self.columns[*column];
                    *system == observation.system && *unit == observation.unit
                };
                let text = observation.answer.text();
                let holds = text.is_some_and(|text| text.to_lowercase().contains(words));
                if holds && columns.iter().any(of) {
                    let item = observation.item.saturating_sub(1);
                    found.insert(u32::try_from(item).unwrap_or(u32::MAX));
                }
                Ok(())
            })?;
        }
        Ok(found)
    }
}
