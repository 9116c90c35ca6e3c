//! Numbers as sums of verdicts, and what people are asked about an answer: all that a human audit needs to know of a
//! benchmark. A measure that is a mean, rate, difference or ratio of verdicts says so once more as a formula; whoever has
//! labels can then correct it without knowing what it means (docs/audit.md).

use epicene_audit::Ratio;
use epicene_core::{Finding, ItemRef, Unit};

use crate::{BenchError, Card};

/// Weight · Σ part / Σ whole over the items of one column, by what an item's verdict is or would be.
pub type Term = Ratio<'static, Finding>;

/// The rows of a column that labels can correct.
pub type Formulas = Result<Vec<Formula>, BenchError>;

/// A row of one system and unit as a sum of terms.
pub struct Formula {
    pub group: String,
    pub metric: &'static str,
    pub terms: Vec<Term>,
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
        match self.chat {
            Some(dialogue) => dialogue.audit_unit(unit),
            None => unit.to_string(),
        }
    }

    /// Whether rows of the unit `pooled` are means over units of which this is one, and which were sampled themselves.
    pub fn audit_pools(&self, pooled: &str, unit: &str) -> bool {
        self.chat
            .is_some_and(|dialogue| dialogue.pools(pooled, unit))
    }
}

impl Formula {
    pub fn new(group: impl Into<String>, metric: &'static str, terms: Vec<Term>) -> Formula {
        Formula {
            group: group.into(),
            metric,
            terms,
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
