//! Answers that are no translations: empty texts, and what chat models say when they decline. They show no gender; they are
//! counted, never dropped.

use epicene_core::{Finding, Verdict};

use crate::spoiled::is_refusal;
use crate::{ColumnView, Verdicts};

/// The verdict on a text; a refusal shows nothing, although "it" may stand in it.
pub fn unless_refused(source: &str, text: &str, verdict: Verdict) -> Verdict {
    let is_gendered = verdict.finding == Finding::Both || verdict.finding.gender().is_some();
    if !is_gendered && is_refusal(source, text) {
        return Verdict::new(Finding::Refused, "refusal");
    }
    verdict
}

/// How many answers are empty and how many are refusals, and what they count as.
pub fn notes(view: &ColumnView<'_>, verdicts: &Verdicts, counted_as: &str) -> Vec<String> {
    let (system, all) = (&view.system().name, verdicts.cells.len());
    let texts = (0..all).filter_map(|item| view.text(item));
    let empty = texts.filter(|text| text.trim().is_empty()).count();
    let cells = verdicts.cells.iter().flatten();
    let refused = cells.filter(|verdict| verdict.finding == Finding::Refused);
    let counts = [(empty, "empty"), (refused.count(), "refusals")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    counts
        .map(|(count, what)| {
            format!("{system}: {count} of {all} translations are {what} and count as {counted_as}")
        })
        .collect()
}
