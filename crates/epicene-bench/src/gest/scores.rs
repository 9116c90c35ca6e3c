//! The answers of one system in one template, sorted into stereotypes.

use epicene_core::{Answer, Unit};

use super::{data, stereotypes};
use crate::{BenchError, ColumnView};

/// Scores of every unit of a run, with what is needed to group them.
#[derive(Debug, Clone, Default)]
pub struct Samples {
    /// Stereotype of every item.
    pub stereotypes: Vec<u8>,
    /// Whether the item belongs to the family-topic check.
    pub family: Vec<bool>,
}

/// One column: a log10 ratio for each item, NaN where there is none (an incomplete merge).
#[derive(Debug, Clone)]
pub struct UnitScores {
    pub system: usize,
    pub unit: Unit,
    pub scores: Vec<f64>,
}

impl UnitScores {
    /// The scores of a column's items that `keep` accepts; a missing answer is no score.
    pub fn of(
        view: &ColumnView<'_>,
        keep: impl Fn(usize) -> bool,
    ) -> Result<UnitScores, BenchError> {
        let column = view.column();
        let answers = column.answers.iter().enumerate();
        let scores = answers.map(|(item, answer)| match answer {
            Some(Answer::Log10Ratio(ratio)) if keep(item) => Ok(*ratio),
            None | Some(Answer::Log10Ratio(_) | Answer::Missing) => Ok(f64::NAN),
            Some(_) => Err(view.wrong_answer()),
        });
        Ok(UnitScores {
            system: column.system,
            unit: column.unit.clone(),
            scores: scores.collect::<Result<_, _>>()?,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.scores.iter().all(|score| score.is_nan())
    }
}

impl Samples {
    pub fn push(&mut self, stereotype: u8, sentence: &str) {
        self.stereotypes.push(stereotype);
        self.family
            .push(data::is_family_sample(sentence, stereotype));
    }

    /// The unit's scores of the items that `keep` accepts.
    pub fn select(&self, unit: &UnitScores, keep: impl Fn(usize) -> bool) -> Vec<f64> {
        unit.scores
            .iter()
            .enumerate()
            .filter(|(item, score)| !score.is_nan() && keep(*item))
            .map(|(_, score)| *score)
            .collect()
    }

    pub fn of_stereotype(&self, unit: &UnitScores, id: u8) -> Vec<f64> {
        self.select(unit, |item| self.stereotypes[item] == id)
    }

    pub fn of_family(&self, unit: &UnitScores) -> Vec<f64> {
        self.select(unit, |item| self.family[item])
    }
}

/// Mean of the values a stereotype-indexed slice holds for one group: all stereotypes weigh the
/// same, whatever their size (GEST, section 5.2).
pub fn group_mean(values: &[(u8, f64)], male: bool) -> Option<f64> {
    let group: Vec<f64> = values
        .iter()
        .filter(|(id, _)| stereotypes::is_male(*id) == male)
        .map(|(_, value)| *value)
        .collect();
    (!group.is_empty()).then(|| group.iter().sum::<f64>() / group.len() as f64)
}
