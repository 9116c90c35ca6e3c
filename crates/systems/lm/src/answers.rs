//! Answers somebody already has: a system that looks its replies up by item position and unit.

use std::collections::BTreeMap;

use epicene_core::{Answer, Capabilities, Query, System, SystemCard, SystemError, Unit};

use crate::LmError;

/// One system's answers, unit by unit, in the order of the data set's items.
#[derive(Debug, Clone)]
pub struct AnswerBook {
    card: SystemCard,
    units: BTreeMap<Unit, Vec<Answer>>,
}

impl AnswerBook {
    pub fn new(card: SystemCard) -> AnswerBook {
        AnswerBook {
            card,
            units: BTreeMap::new(),
        }
    }

    /// Adds a unit's answers; false if the unit was there already.
    pub fn insert(&mut self, unit: Unit, answers: Vec<Answer>) -> bool {
        self.units.insert(unit, answers).is_none()
    }
}

impl System for AnswerBook {
    fn card(&self) -> &SystemCard {
        &self.card
    }

    /// All are there: many are stored at once.
    fn capabilities(&self) -> Capabilities {
        Capabilities::of_batches(256)
    }

    /// Where every answer of the unit has some.
    fn option_probabilities(&self, unit: &str) -> Result<bool, SystemError> {
        let shows = |answer: &Answer| matches!(answer.plain().0, Answer::Chat(answer) if answer.options.is_some());
        Ok(self
            .units
            .get(unit)
            .is_some_and(|answers| answers.iter().all(shows)))
    }

    fn answer(&self, batch: &[Query<'_>]) -> Result<Vec<Answer>, SystemError> {
        batch
            .iter()
            .enumerate()
            .map(|(index, query)| {
                self.units
                    .get(query.unit)
                    .and_then(|answers| answers.get(query.index))
                    .cloned()
                    .ok_or_else(|| {
                        let error = LmError::NoAnswer {
                            system: self.card.name.clone(),
                            item: query.item.to_owned(),
                            unit: query.unit.to_owned(),
                        };
                        error.about(index)
                    })
            })
            .collect()
    }
}
