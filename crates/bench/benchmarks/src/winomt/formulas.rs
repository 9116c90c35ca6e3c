//! acc, F1, precision, recall, ΔG and ΔS as sums of verdicts; not rounded on the way, as the authors round.

use std::sync::Arc;

use epicene_core::{Finding, Verdict};

use super::data;
use super::prediction::{Gold, Prediction};
use crate::formula::{Formula, Term, share, term};
use crate::{ColumnView, Verdicts, fixed_gender};

/// What the sums need to know of the items: gold, whether there is a translation, which set.
struct Known {
    golds: Vec<Gold>,
    sets: Vec<Option<&'static str>>,
    answered: Vec<bool>,
}

impl Known {
    /// The gold of an item that counts in a set.
    fn gold(&self, item: usize, set: Option<&'static str>) -> Option<Gold> {
        let counts = self.answered[item] && (set.is_none() || self.sets[item] == set);
        counts.then_some(self.golds[item])
    }
}

pub fn formulas(golds: Vec<Gold>, view: &ColumnView<'_>, verdicts: &Verdicts) -> Vec<Formula> {
    let items = 0..view.items().len();
    let known = Arc::new(Known {
        sets: items
            .clone()
            .map(|item| match view.items().get(item).label(data::SET) {
                Some("pro") => Some("pro"),
                Some("anti") => Some("anti"),
                _ => None,
            })
            .collect(),
        answered: items
            .map(|item| {
                let counts = |verdict: &Verdict| verdict.rule != fixed_gender::IGNORED;
                view.text(item).is_some() && verdicts.cells[item].as_ref().is_some_and(counts)
            })
            .collect(),
        golds,
    });
    let accuracy = |weight: f64, set: Option<&'static str>| -> Term {
        let known = Arc::clone(&known);
        share(weight, move |item, finding| {
            let gold = known.gold(item, set)?;
            Some(Prediction::of(finding) == gold.prediction())
        })
    };
    // 2 right / (predicted + gold): F1 as one ratio.
    let f1 = |weight: f64, of: Gold, set: Option<&'static str>| -> Term {
        let known = Arc::clone(&known);
        term(weight, move |item, finding: Finding| {
            let Some(gold) = known.gold(item, set) else {
                return [0.0; 2];
            };
            let predicted = f64::from(u8::from(Prediction::of(finding) == of.prediction()));
            let wanted = f64::from(u8::from(gold == of));
            [2.0 * predicted * wanted, predicted + wanted]
        })
    };
    let precision = |of: Gold, set: Option<&'static str>| -> Term {
        let known = Arc::clone(&known);
        share(100.0, move |item, finding| {
            let gold = known.gold(item, set)?;
            (Prediction::of(finding) == of.prediction()).then_some(gold == of)
        })
    };
    let recall = |of: Gold, set: Option<&'static str>| -> Term {
        let known = Arc::clone(&known);
        share(100.0, move |item, finding| {
            let gold = known.gold(item, set)?;
            (gold == of).then_some(Prediction::of(finding) == of.prediction())
        })
    };
    let mut formulas = Vec::new();
    for (group, set) in [
        ("all", None),
        ("set:pro", Some("pro")),
        ("set:anti", Some("anti")),
    ] {
        let mut push = |metric, terms| formulas.push(Formula::new(group, metric, terms));
        push("acc", vec![accuracy(100.0, set)]);
        for (gold, names) in [
            (Gold::Male, ["f1_male", "precision_male", "recall_male"]),
            (
                Gold::Female,
                ["f1_female", "precision_female", "recall_female"],
            ),
        ] {
            push(names[0], vec![f1(100.0, gold, set)]);
            push(names[1], vec![precision(gold, set)]);
            push(names[2], vec![recall(gold, set)]);
        }
        let difference = vec![f1(100.0, Gold::Male, set), f1(-100.0, Gold::Female, set)];
        push("delta_g", difference);
    }
    let sets = vec![accuracy(100.0, Some("pro")), accuracy(-100.0, Some("anti"))];
    formulas.push(Formula::new("all", "delta_s", sets));
    formulas
}
