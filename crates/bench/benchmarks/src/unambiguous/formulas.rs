//! Correct, wrong and N/A, ΔM and ΔF as sums of verdicts.

use std::sync::Arc;

use epicene_core::{Finding, Gender, Outcome};

use super::measures::{BARE, CONFIGURATIONS};
use super::sentences::{Seen, Sentences};
use crate::formula::{Formula, Term, share};

/// Which sentences a group holds.
#[derive(Clone, Copy)]
enum SentenceGroup {
    All,
    Trigger(Gender),
    Configuration(&'static str),
    Bare(Option<&'static str>),
}

impl SentenceGroup {
    fn holds(self, seen: &Seen<'_>) -> bool {
        let bare = || seen.features.adjective.is_none();
        match self {
            SentenceGroup::All => true,
            SentenceGroup::Trigger(gender) => seen.expected == gender,
            SentenceGroup::Configuration(name) => seen.configuration() == Some(name),
            SentenceGroup::Bare(Some(name)) => bare() && seen.configuration() == Some(name),
            SentenceGroup::Bare(None) => bare() && seen.configuration().is_some(),
        }
    }
}

pub fn formulas(sentences: Sentences) -> Vec<Formula> {
    let sentences = Arc::new(sentences);
    let outcome = |weight: f64, part: SentenceGroup, wanted: Outcome| -> Term {
        let sentences = Arc::clone(&sentences);
        share(weight, move |item, finding: Finding| {
            let seen = sentences.get(item);
            part.holds(&seen)
                .then(|| Outcome::of(seen.expected, finding) == wanted)
        })
    };
    let mut parts = vec![
        ("all".to_owned(), SentenceGroup::All),
        (
            "trigger:M".to_owned(),
            SentenceGroup::Trigger(Gender::Masculine),
        ),
        (
            "trigger:F".to_owned(),
            SentenceGroup::Trigger(Gender::Feminine),
        ),
        (BARE.to_owned(), SentenceGroup::Bare(None)),
    ];
    for name in CONFIGURATIONS {
        parts.push((format!("config:{name}"), SentenceGroup::Configuration(name)));
        parts.push((format!("{BARE}/{name}"), SentenceGroup::Bare(Some(name))));
    }
    let mut formulas = Vec::new();
    for (group, part) in parts {
        for (metric, wanted) in [
            ("correct", Outcome::Correct),
            ("wrong", Outcome::Wrong),
            ("na", Outcome::Inconclusive),
        ] {
            let terms = vec![outcome(1.0, part, wanted)];
            formulas.push(Formula::new(group.as_str(), metric, terms));
        }
    }
    let right = |weight: f64, part: SentenceGroup| outcome(weight, part, Outcome::Correct);
    for (group, part) in [
        (
            "all",
            SentenceGroup::Configuration as fn(&'static str) -> SentenceGroup,
        ),
        (BARE, |name| SentenceGroup::Bare(Some(name))),
    ] {
        for (metric, congruent, incongruent) in [("delta_m", "MM", "MF"), ("delta_f", "FF", "FM")] {
            let terms = vec![right(1.0, part(congruent)), right(-1.0, part(incongruent))];
            formulas.push(Formula::new(group, metric, terms));
        }
    }
    let part = SentenceGroup::Configuration;
    let terms = vec![
        right(1.0, part("FF")),
        right(-1.0, part("FM")),
        right(-1.0, part("MM")),
        right(1.0, part("MF")),
    ];
    formulas.push(Formula::new("all", "delta_f_minus_delta_m", terms));
    formulas
}
