//! What a system answered to every row of a set in one way: all orders of a wording together.

use std::collections::BTreeMap;

use super::conventions::{AnswerShares, Answered, Convention};
use super::judging::{self, Comparing};
use super::question_row::QuestionRow;
use super::ways::{LM_EVAL, Order, Way};
use crate::{BenchError, Judged};
use epicene_core::Answer;

/// The rows of a table.
pub struct Rows(pub Vec<QuestionRow>);

impl Rows {
    pub fn of(judged: &Judged<'_>) -> Result<Rows, BenchError> {
        let row = |item: epicene_core::ItemRef<'_>| {
            QuestionRow::of(item).ok_or_else(|| BenchError::BadItem {
                item: item.id.to_owned(),
                message: "it is no row of BBQ".to_owned(),
            })
        };
        judged
            .table
            .items
            .iter()
            .map(row)
            .collect::<Result<_, _>>()
            .map(Rows)
    }

    /// The sets with their languages, in the order of the data.
    pub fn parts(&self) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        for row in &self.0 {
            let part = row.part();
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        parts
    }
}

/// One answer to one row.
#[derive(Debug, Clone, Copy)]
pub struct One {
    pub item: usize,
    pub given: AnswerShares,
    pub order: Order,
    /// What the options sum to, where probabilities were asked for.
    pub mass: Option<f64>,
}

/// One system's answers in one way.
#[derive(Debug, Clone)]
pub struct OfWay {
    pub system: usize,
    pub way: String,
    pub answers: Vec<One>,
    /// Rows that were asked and have no answer.
    pub missing: usize,
}

/// What was answered to each row, orders averaged.
pub type ByItem = BTreeMap<usize, AnswerShares>;

impl OfWay {
    pub fn by_item(&self) -> ByItem {
        average(self.answers.iter())
    }

    /// The same of one order.
    pub fn in_order(&self, order: Order) -> ByItem {
        average(self.answers.iter().filter(|one| one.order == order))
    }

    pub fn orders(&self) -> Vec<Order> {
        let mut orders: Vec<Order> = self.answers.iter().map(|one| one.order).collect();
        orders.sort_unstable();
        orders.dedup();
        orders
    }

    /// Mean probability outside the options.
    pub fn mass_outside(&self) -> Option<f64> {
        let masses: Vec<f64> = self.answers.iter().filter_map(|one| one.mass).collect();
        let mean = masses.iter().sum::<f64>() / masses.len() as f64;
        (!masses.is_empty()).then_some((1.0 - mean).max(0.0))
    }
}

fn average<'a>(answers: impl Iterator<Item = &'a One>) -> ByItem {
    let mut sums: BTreeMap<usize, (AnswerShares, f64)> = BTreeMap::new();
    for one in answers {
        let none = AnswerShares {
            options: [0.0; 3],
            unreadable: 0.0,
        };
        let (sum, count) = sums.entry(one.item).or_insert((none, 0.0));
        for (sum, share) in sum.options.iter_mut().zip(one.given.options) {
            *sum += share;
        }
        sum.unreadable += one.given.unreadable;
        *count += 1.0;
    }
    let mean = |(item, (sum, count)): (usize, (AnswerShares, f64))| {
        let given = AnswerShares {
            options: sum.options.map(|share| share / count),
            unreadable: sum.unreadable / count,
        };
        (item, given)
    };
    sums.into_iter().map(mean).collect()
}

/// The rows of a set with what was answered to them.
pub fn of_part<'r>(rows: &'r Rows, answers: &ByItem, part: &str) -> Vec<(usize, Answered<'r>)> {
    answers
        .iter()
        .filter(|(item, _)| rows.0[**item].part() == part)
        .map(|(item, given)| (*item, (&rows.0[*item], *given)))
        .collect()
}

/// Every system's answers by the ways they were asked in, in the order of the table. Continuations are compared in three ways; of
/// several wordings there is also their mean, `all`.
pub fn ways(
    judged: &Judged<'_>,
    rows: &Rows,
    convention: Convention,
) -> Result<Vec<OfWay>, BenchError> {
    let mut all: Vec<OfWay> = Vec::new();
    let mut wordings: Vec<(usize, usize)> = Vec::new();
    for (view, verdicts) in judged.columns() {
        let column = view.column();
        let way = Way::of(&column.unit).ok_or_else(|| view.wrong_answer())?;
        let at = place(&mut all, column.system, &way.name());
        if matches!(way, Way::Wording { .. }) && !wordings.contains(&(column.system, at)) {
            wordings.push((column.system, at));
        }
        for (item, verdict) in verdicts.cells.iter().enumerate() {
            let Some(verdict) = verdict else { continue };
            let row = &rows.0[item];
            match judging::given(row, &view, item, verdict, &way, convention)? {
                Some((given, mass)) => all[at].answers.push(One {
                    item,
                    given,
                    order: way.order(),
                    mass,
                }),
                None => all[at].missing += 1,
            }
            let answer = column.answers[item].as_ref().map(|answer| answer.plain().0);
            let Some(Answer::Continuations(scores)) = answer else {
                continue;
            };
            for (name, by) in [
                ("three", Comparing::Three),
                ("three-mean", Comparing::ThreeMean),
            ] {
                if let Some(option) = judging::likeliest(row, scores, by) {
                    let at = place(&mut all, column.system, name);
                    all[at].answers.push(One {
                        item,
                        given: AnswerShares::option(option),
                        order: Order::OWN,
                        mass: None,
                    });
                }
            }
        }
    }
    let systems: Vec<usize> = {
        let mut systems: Vec<usize> = wordings.iter().map(|(system, _)| *system).collect();
        systems.dedup();
        systems
    };
    for system in systems {
        let own: Vec<usize> = wordings
            .iter()
            .filter(|(of, _)| *of == system)
            .map(|(_, at)| *at)
            .collect();
        if own.len() > 1 {
            let answers = own.iter().flat_map(|at| all[*at].answers.clone()).collect();
            all.push(OfWay {
                system,
                way: "all".to_owned(),
                answers,
                missing: 0,
            });
        }
    }
    all.retain(|way| !way.answers.is_empty());
    // What is asked stands before what is computed from it.
    all.sort_by_key(|way| (way.system, way.way != "all", way.way != LM_EVAL));
    Ok(all)
}

fn place(all: &mut Vec<OfWay>, system: usize, way: &str) -> usize {
    let known = |one: &OfWay| one.system == system && one.way == way;
    all.iter().position(known).unwrap_or_else(|| {
        all.push(OfWay {
            system,
            way: way.to_owned(),
            answers: Vec::new(),
            missing: 0,
        });
        all.len() - 1
    })
}
