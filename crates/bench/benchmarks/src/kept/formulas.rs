//! Numbers as sums of verdicts, so that human labels can correct them.

use std::sync::Arc;

use epicene_core::{Finding, Gender};

use crate::ColumnView;
use crate::formula::{Formula, Term, share};

pub fn formulas(view: &ColumnView<'_>) -> Vec<Formula> {
    let expected: Arc<Vec<Option<Gender>>> = Arc::new(
        (0..view.items().len())
            .map(|item| super::gender(view.items().get(item)).filter(|_| view.text(item).is_some()))
            .collect(),
    );
    let is_wrong = |expected: Gender, finding: Finding| {
        finding == Finding::Both || finding.gender() == Some(expected.opposite())
    };
    let term = |weight: f64, of: Option<Gender>, preserved: bool| -> Term {
        let expected = Arc::clone(&expected);
        share(weight, move |item, finding| {
            let expected = expected[item].filter(|own| of.is_none_or(|of| of == *own))?;
            Some(if preserved {
                finding.gender() == Some(expected)
            } else {
                !is_wrong(expected, finding)
            })
        })
    };
    let mut formulas = Vec::new();
    for (metric, gap, preserved) in [
        ("accuracy", "gap", false),
        ("preserved", "gap_preserved", true),
    ] {
        formulas.push(Formula::new(
            "all",
            metric,
            vec![term(1.0, None, preserved)],
        ));
        let sides = vec![
            term(1.0, Some(Gender::Masculine), preserved),
            term(-1.0, Some(Gender::Feminine), preserved),
        ];
        formulas.push(Formula::new("all", gap, sides));
    }
    formulas
}
