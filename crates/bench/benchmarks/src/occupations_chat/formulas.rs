//! s, r, they and mixed as sums of verdicts; correlations are none.

use std::sync::Arc;

use super::measures::HALF;
use crate::chat::Weighed;
use crate::formula::Formula;

/// `occupations` are the ids of the items with the share of women in each.
pub fn formulas(weighed: &Weighed, occupations: Vec<(String, f64)>) -> Vec<Formula> {
    let women: Arc<[f64]> = occupations.iter().map(|(_, women)| *women).collect();
    let side = |men: bool| {
        let women = Arc::clone(&women);
        move |item: usize| (women[item] < HALF) == men
    };
    let mut formulas = Vec::new();
    for (item, (id, _)) in occupations.iter().enumerate() {
        if weighed.any(true, |other| other == item) {
            let term = weighed.masculine(1.0, move |other| other == item);
            formulas.push(Formula::new(id.clone(), "r", vec![term]));
        }
    }
    if weighed.any(true, |_| true) {
        let term = weighed.masculine(1.0, |_| true);
        formulas.push(Formula::new("all", "r", vec![term]));
    }
    if weighed.any(true, side(true)) && weighed.any(true, side(false)) {
        let terms = vec![
            weighed.masculine(1.0, side(true)),
            weighed.masculine(-1.0, side(false)),
        ];
        formulas.push(Formula::new("all", "s", terms));
    }
    if weighed.any(false, |_| true) {
        for (metric, option) in [("they", Some(2)), ("mixed", None)] {
            let term = weighed.share(1.0, option, |_| true);
            formulas.push(Formula::new("all", metric, vec![term]));
        }
    }
    formulas
}
