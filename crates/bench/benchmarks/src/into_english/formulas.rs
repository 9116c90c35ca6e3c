//! Numbers as sums of verdicts, so that human labels can correct them. A label says no more than the gender: shares of `it`
//! and of mixed texts are not corrected.

use std::sync::Arc;

use epicene_core::Finding;

use super::measures::GAPS;
use crate::ColumnView;
use crate::formula::{Formula, Term, share};

pub fn formulas(view: &ColumnView<'_>) -> Vec<Formula> {
    let items = 0..view.items().len();
    let answered: Arc<Vec<bool>> = Arc::new(
        items
            .clone()
            .map(|item| view.text(item).is_some())
            .collect(),
    );
    let of_gender = |metric: &'static str, wanted: Finding| {
        let answered = Arc::clone(&answered);
        let term = share(1.0, move |item, finding| {
            answered[item].then_some(finding == wanted)
        });
        Formula::new("all", metric, vec![term])
    };
    let masculine = |weight: f64, label: Option<(&'static str, &'static str)>| -> Term {
        let belongs: Vec<bool> = items
            .clone()
            .map(|item| {
                let own = |(name, value)| view.items().get(item).label(name) == Some(value);
                answered[item] && label.is_none_or(own)
            })
            .collect();
        share(weight, move |item, finding| match finding {
            Finding::Masculine if belongs[item] => Some(true),
            Finding::Feminine if belongs[item] => Some(false),
            _ => None,
        })
    };
    let mut formulas = vec![
        of_gender("share_m", Finding::Masculine),
        of_gender("share_f", Finding::Feminine),
        Formula::new("all", "masculine_share", vec![masculine(1.0, None)]),
    ];
    for (metric, [first, second]) in GAPS {
        let terms = vec![masculine(1.0, Some(first)), masculine(-1.0, Some(second))];
        formulas.push(Formula::new("all", metric, terms));
    }
    formulas
}
