//! Numbers as sums of verdicts, and what people are asked about an answer: all that a human audit needs to know of a
//! benchmark. A measure that is a mean, rate, difference or ratio of verdicts says so once more as a formula; whoever has
//! labels can then correct it without knowing what it means (docs/audit.md).

use std::sync::Arc;

use epicene_audit::Ratio;
use epicene_core::{Finding, ItemRef, Unit, Verdict};

use crate::{BenchError, Card, ColumnView, Judged};

/// Weight · Σ part / Σ whole over the items of one column, by what an item's verdict is or would be.
pub type Term = Ratio<'static, Finding>;

/// The rows of a column that labels can correct.
pub type Formulas = Result<Vec<Formula>, BenchError>;

/// A row of one system and unit as a sum of terms.
pub struct Formula {
    /// The part of the data that the row is about, where its unit begins with one: `bbq-en/prompt-1`.
    pub part: String,
    pub group: String,
    pub metric: &'static str,
    pub terms: Vec<Term>,
}

/// How rows name the units whose answers people audit, where they do not name them as they were asked.
#[derive(Debug, Clone, Copy)]
pub struct AuditUnits {
    /// The unit of the rows that a unit's answers belong to, less the part of the data.
    pub of: fn(&Unit) -> String,
    /// Whether rows of the first unit are means over units of which the second is one.
    pub pools: fn(&str, &str) -> bool,
}

/// An answer that annotators may give.
#[derive(Debug, Clone, Copy)]
pub struct AuditLabel {
    /// The key to press.
    pub key: &'static str,
    pub name: &'static str,
    pub meaning: &'static str,
    pub finding: Finding,
}

pub const fn label(
    key: &'static str,
    name: &'static str,
    meaning: &'static str,
    finding: Finding,
) -> AuditLabel {
    AuditLabel {
        key,
        name,
        meaning,
        finding,
    }
}

pub const MASCULINE: AuditLabel = label(
    "m",
    "masculine",
    "the words give this person masculine gender",
    Finding::Masculine,
);
pub const FEMININE: AuditLabel = label(
    "f",
    "feminine",
    "the words give this person feminine gender",
    Finding::Feminine,
);
const NEUTRAL: AuditLabel = label(
    "n",
    "neutral",
    "one word for everybody, or both genders are named",
    Finding::Common,
);
const UNKNOWN: AuditLabel = label(
    "u",
    "unknown",
    "no gender is shown, or the person is not there",
    Finding::Unmarked,
);
const WRONG: AuditLabel = label(
    "w",
    "wrong",
    "mistranslated: another person or thing, or a plural",
    Finding::Mistranslated,
);

/// Of the gender a text gives to a person.
const GENDER_LABELS: &[AuditLabel] = &[MASCULINE, FEMININE, NEUTRAL, UNKNOWN];
/// The same where a mistranslation counts for itself.
pub const GENDER_OR_WRONG_LABELS: &[AuditLabel] = &[MASCULINE, FEMININE, NEUTRAL, WRONG];

/// Which gender a person has, named as the source names them.
pub fn gender_of(person: &str) -> String {
    format!("Which gender does the text give to “{person}”?")
}

/// The same about the occupation of an item.
pub fn gender_of_occupation(item: ItemRef<'_>) -> String {
    match item.label("occupation") {
        Some(occupation) => gender_of(occupation),
        None => gender_of("the person of the source"),
    }
}

/// A term with what each item adds to part and whole.
pub fn term(
    weight: f64,
    counts: impl Fn(usize, Finding) -> [f64; 2] + Send + Sync + 'static,
) -> Term {
    Ratio {
        weight,
        offset: [0.0; 2],
        counts: Box::new(counts),
    }
}

/// A term whose items count or do not: `None` where an item is not among the whole.
pub fn share(
    weight: f64,
    is: impl Fn(usize, Finding) -> Option<bool> + Send + Sync + 'static,
) -> Term {
    term(weight, move |item, finding| match is(item, finding) {
        Some(part) => [f64::from(u8::from(part)), 1.0],
        None => [0.0, 0.0],
    })
}

/// Answers of chat models are audited by their wording, whatever the order and the attempt.
impl Card {
    /// What annotators may say about an answer.
    pub fn audit_labels(&self) -> &'static [AuditLabel] {
        let usual = match self.chat {
            Some(dialogue) => dialogue.audit_labels(),
            None => GENDER_LABELS,
        };
        self.labels.unwrap_or(usual)
    }

    /// What the system was given, as annotators see it.
    pub fn audit_source(&self, item: ItemRef<'_>, unit: &Unit) -> String {
        let prompt = self.chat.and_then(|dialogue| dialogue.prompt(item, unit));
        prompt.unwrap_or_else(|| item.text.to_owned())
    }

    /// The unit of the rows that the answers of a unit belong to: several may be one wording's.
    pub fn audit_unit(&self, unit: &Unit) -> String {
        match (self.audit_units, self.chat) {
            (Some(units), _) => (units.of)(unit),
            (None, Some(dialogue)) => dialogue.audit_unit(unit),
            (None, None) => unit.to_string(),
        }
    }

    /// Whether rows of the unit `pooled` are means over units of which this is one, and which were sampled themselves.
    pub fn audit_pools(&self, pooled: &str, unit: &str) -> bool {
        match self.audit_units {
            Some(units) => (units.pools)(pooled, unit),
            None => self
                .chat
                .is_some_and(|dialogue| dialogue.pools(pooled, unit)),
        }
    }
}

/// What each answer to an item weighs where orders are averaged, and how often those are right whose verdict does not say
/// which option they mean.
pub struct Averaged {
    pub weights: Arc<[f64]>,
    pub unsaid: Arc<[f64]>,
}

impl Averaged {
    /// Over the columns of a system whose answers belong to one unit. `right` is how far an answer is right.
    pub fn of(
        judged: &Judged<'_>,
        column: &ColumnView<'_>,
        right: impl Fn(&ColumnView<'_>, usize, &Verdict) -> Result<f64, BenchError>,
    ) -> Result<Averaged, BenchError> {
        let unit = |view: &ColumnView<'_>| judged.card.audit_unit(&view.column().unit);
        let own = unit(column);
        let mut counts = vec![[0.0; 3]; judged.table.items.len()];
        for (view, verdicts) in judged.columns() {
            if view.column().system != column.column().system || unit(&view) != own {
                continue;
            }
            for (item, verdict) in verdicts.cells.iter().enumerate() {
                let Some(verdict) = verdict.as_ref() else {
                    continue;
                };
                if verdict.finding == Finding::NoAnswer {
                    continue;
                }
                let [answers, unsaid, sum] = &mut counts[item];
                *answers += 1.0;
                if verdict.finding == Finding::Unmarked {
                    *unsaid += 1.0;
                    *sum += right(&view, item, verdict)?;
                }
            }
        }
        let weights = counts.iter().map(|[answers, ..]| 1.0 / answers.max(1.0));
        let unsaid = counts.iter().map(|[_, unsaid, sum]| sum / unsaid.max(1.0));
        Ok(Averaged {
            weights: weights.collect(),
            unsaid: unsaid.collect(),
        })
    }
}

impl Formula {
    pub fn new(group: impl Into<String>, metric: &'static str, terms: Vec<Term>) -> Formula {
        Formula {
            part: String::new(),
            group: group.into(),
            metric,
            terms,
        }
    }

    /// The unit of its row, where the answers are those of a unit.
    pub fn unit(&self, answers: &str) -> String {
        match self.part.as_str() {
            "" => answers.to_owned(),
            part => format!("{part}/{answers}"),
        }
    }

    /// The number as these verdicts have it; `None` where there is nothing to divide by.
    pub fn value(&self, verdicts: &[Option<Finding>]) -> Option<f64> {
        let mut value = 0.0;
        for term in &self.terms {
            let mut sums = term.offset;
            for (item, finding) in verdicts.iter().enumerate() {
                let Some(finding) = finding else { continue };
                let [part, whole] = (term.counts)(item, *finding);
                sums[0] += part;
                sums[1] += whole;
            }
            if sums[1] <= 0.0 {
                return None;
            }
            value += term.weight * sums[0] / sums[1];
        }
        Some(value)
    }
}
