//! The numbers of chat benchmarks as sums of verdicts, for labels of people. An item's attempts (orders, repetitions) are
//! averaged before items are: an attempt adds one over the readable attempts of its item.

use std::sync::Arc;

use epicene_core::{Finding, Scorer, Unit};

use super::{ChatUnit, Frame, attempts};
use crate::formula::{AuditLabel, FEMININE, MASCULINE, Term, label, term};
use crate::{BenchError, ColumnView, Judged};

/// What an answer may show.
pub(crate) const CHAT_LABELS: &[AuditLabel] = &[
    MASCULINE,
    FEMININE,
    label(
        "n",
        "neutral",
        "neither: the person is left open, or is `they`",
        Finding::Neutral,
    ),
    label("b", "both", "both genders are given", Finding::Both),
    label("r", "refused", "it would not answer", Finding::Refused),
    label(
        "u",
        "unreadable",
        "it says nothing about what was asked",
        Finding::Unreadable,
    ),
];

/// The option that a finding is: m, f, neither; both genders are readable and none of them.
fn option(finding: Finding) -> Option<Option<usize>> {
    match finding {
        Finding::Masculine => Some(Some(0)),
        Finding::Feminine => Some(Some(1)),
        Finding::Neutral => Some(Some(2)),
        Finding::Both => Some(None),
        _ => None,
    }
}

/// What each attempt at an item weighs, in one wording.
#[derive(Debug, Clone)]
pub(crate) struct Weighed {
    pub frame: Frame,
    /// One over the attempts that can be read, and over those that show a gender; over all of them where none does.
    readable: Arc<[f64]>,
    gendered: Arc<[f64]>,
    /// Whether an item has any.
    read: Arc<[[bool; 2]]>,
}

impl Weighed {
    /// `None` where answers are probabilities, which are no verdicts.
    pub fn of(judged: &Judged<'_>, column: &ColumnView<'_>) -> Result<Option<Weighed>, BenchError> {
        let own = ChatUnit::of(&column.column().unit).ok_or_else(|| column.wrong_answer())?;
        let same = |unit: &Unit| {
            ChatUnit::of(unit).is_some_and(|place| place.wording_unit() == own.wording_unit())
        };
        let system = column.column().system;
        let probabilities = judged.columns().any(|(view, _)| {
            let other = view.column();
            other.system == system && same(&other.unit) && other.scorer == Scorer::ChoiceLogprob
        });
        if probabilities {
            return Ok(None);
        }
        let items = judged.table.items.len();
        let mut counts = vec![[0.0; 3]; items];
        let all = attempts(judged)?;
        let all = all
            .iter()
            .filter(|one| one.system == system && one.unit() == own.wording_unit());
        for attempt in all.flat_map(|one| &one.attempts) {
            let [asked, readable, gendered] = &mut counts[attempt.item];
            *asked += 1.0;
            if let Some(option) = option(attempt.finding) {
                *readable += 1.0;
                *gendered += f64::from(u8::from(matches!(option, Some(0 | 1))));
            }
        }
        let weight = |asked: f64, some: f64| 1.0 / if some > 0.0 { some } else { asked.max(1.0) };
        Ok(Some(Weighed {
            frame: own.frame,
            readable: counts
                .iter()
                .map(|[asked, some, _]| weight(*asked, *some))
                .collect(),
            gendered: counts
                .iter()
                .map(|[asked, _, some]| weight(*asked, *some))
                .collect(),
            read: counts
                .iter()
                .map(|[_, r, g]| [*r > 0.0, *g > 0.0])
                .collect(),
        }))
    }

    /// Whether any of some items could be read; with `gendered`, shows a gender.
    pub fn any(&self, gendered: bool, members: impl Fn(usize) -> bool) -> bool {
        let mut items = (0..self.read.len()).filter(|item| members(*item));
        items.any(|item| self.read[item][usize::from(gendered)])
    }

    /// The mean share of an option (of answers with both genders: `None`) over some items.
    pub fn share(
        &self,
        weight: f64,
        wanted: Option<usize>,
        members: impl Fn(usize) -> bool + Send + Sync + 'static,
    ) -> Term {
        let weights = Arc::clone(&self.readable);
        term(weight, move |item, finding| match option(finding) {
            Some(found) if members(item) => {
                let is = f64::from(u8::from(found == wanted));
                [is * weights[item], weights[item]]
            }
            _ => [0.0; 2],
        })
    }

    /// The mean masculine rate over some items.
    pub fn masculine(
        &self,
        weight: f64,
        members: impl Fn(usize) -> bool + Send + Sync + 'static,
    ) -> Term {
        let weights = Arc::clone(&self.gendered);
        term(weight, move |item, finding| match option(finding) {
            Some(Some(found @ (0 | 1))) if members(item) => {
                let is = f64::from(u8::from(found == 0));
                [is * weights[item], weights[item]]
            }
            _ => [0.0; 2],
        })
    }
}

/// The unit of the rows that a unit's answers belong to: the wording.
pub fn audit_unit(unit: &Unit) -> String {
    ChatUnit::of(unit).map_or_else(|| unit.to_string(), |place| place.wording_unit())
}

/// Whether rows of a unit are means over wordings that hold this one: a frame's own, or all.
pub(crate) fn is_pooled(pooled: &str, wording: &str) -> bool {
    pooled == "all"
        || wording
            .strip_prefix(pooled)
            .is_some_and(|rest| rest.starts_with(':'))
}
