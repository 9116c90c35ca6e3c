//! The answers of one system in one template, sorted into stereotypes: what measures, comparisons and
//! correlations all begin with.

use epicene_core::{Answer, ItemRef, Items, Unit};

use super::data;
use super::stereotypes::Set;
use crate::{BenchError, ColumnView};

/// Scores of every unit of a run, with what is needed to group them.
#[derive(Debug, Clone, Default)]
pub struct Samples {
    pub set: Set,
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
    /// The items of a run; `sentence` is what the family check reads of one.
    pub fn of<'a>(
        items: &'a Items,
        sentence: impl Fn(ItemRef<'a>) -> &'a str,
    ) -> Result<Samples, BenchError> {
        let set = Set::of_items(items)?;
        let own = set != Set::default();
        let mut samples = Samples {
            set,
            ..Samples::default()
        };
        for item in items.iter() {
            let bad = |message: &str| BenchError::BadItem {
                item: item.id.to_owned(),
                message: message.to_owned(),
            };
            let name = item.label(data::STEREOTYPE);
            let name = name.ok_or_else(|| bad("it has no stereotype"))?;
            let number = samples.set.number(name);
            let number =
                number.ok_or_else(|| bad("its stereotype is not a number from 1 to 16"))?;
            samples.stereotypes.push(number);
            // The check belongs to GEST's own sentences.
            let family = !own && data::is_family_sample(sentence(item), number);
            samples.family.push(family);
        }
        Ok(samples)
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
/// same, whatever their size (GEST, section 4.2).
pub fn group_mean(set: &Set, values: &[(u8, f64)], male: bool) -> Option<f64> {
    let group: Vec<f64> = values
        .iter()
        .filter(|(id, _)| set.is_male(*id) == male)
        .map(|(_, value)| *value)
        .collect();
    (!group.is_empty()).then(|| group.iter().sum::<f64>() / group.len() as f64)
}
