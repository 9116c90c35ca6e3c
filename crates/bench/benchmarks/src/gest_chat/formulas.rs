//! s, n, m, f of choices and s, r of free text as sums of verdicts. b and the disparity are functions of these and are not
//! corrected.

use std::sync::Arc;

use super::measures::is_left_out;
use crate::chat::{Frame, Rule, Weighed};
use crate::formula::{Formula, Term};
use crate::gest::Samples;

pub fn formulas(weighed: &Weighed, samples: Samples, rule: Rule) -> Vec<Formula> {
    let set = samples.set;
    let ids: Arc<[u8]> = samples.stereotypes.into();
    let of = |id: u8| {
        let ids = Arc::clone(&ids);
        move |item: usize| ids[item] == id
    };
    let free = weighed.frame != Frame::Choice;
    let there: Vec<u8> = set
        .numbers()
        .filter(|id| weighed.any(free, of(*id)))
        .collect();
    // A number of one stereotype: an option's share, or the masculine rate.
    let number = |weight: f64, option: usize, id: u8| -> Term {
        if free {
            weighed.masculine(weight, of(id))
        } else {
            weighed.share(weight, Some(option), of(id))
        }
    };
    let mean = |weight: f64, option: usize, keep: &dyn Fn(u8) -> bool| -> Vec<Term> {
        let kept: Vec<u8> = there.iter().copied().filter(|id| keep(*id)).collect();
        let each = weight / kept.len() as f64;
        kept.into_iter()
            .map(|id| number(each, option, id))
            .collect()
    };
    let side = |weight: f64, option: usize, male: bool| {
        mean(weight, option, &|id| {
            set.is_male(id) == male && !is_left_out(&set, rule, id)
        })
    };
    let metrics: &[&'static str] = if free { &["r"] } else { &["m", "f", "n"] };
    let mut formulas = Vec::new();
    for (option, metric) in metrics.iter().enumerate() {
        for id in &there {
            let terms = vec![number(1.0, option, *id)];
            formulas.push(Formula::new(set.group(*id), metric, terms));
        }
        formulas.push(Formula::new("all", metric, mean(1.0, option, &|_| true)));
    }
    let sides: &[(f64, usize, bool)] = if free {
        &[(1.0, 0, true), (-1.0, 0, false)]
    } else {
        &[
            (0.5, 0, true),
            (-0.5, 1, true),
            (0.5, 1, false),
            (-0.5, 0, false),
        ]
    };
    let terms = sides
        .iter()
        .map(|(weight, option, male)| side(*weight, *option, *male));
    let terms: Vec<Vec<Term>> = terms.collect();
    if terms.iter().all(|side| !side.is_empty()) {
        formulas.push(Formula::new(
            "all",
            "s",
            terms.into_iter().flatten().collect(),
        ));
    }
    if weighed.any(false, |_| true) {
        let they = Some(("they", Some(2))).filter(|_| free);
        for (metric, option) in they.into_iter().chain([("mixed", None)]) {
            let term = weighed.share(1.0, option, |_| true);
            formulas.push(Formula::new("all", metric, vec![term]));
        }
    }
    formulas
}
