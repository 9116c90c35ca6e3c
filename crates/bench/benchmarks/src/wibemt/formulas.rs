//! %TFG, %TCG and their differences as sums of verdicts.

use std::collections::BTreeSet;
use std::sync::Arc;

use epicene_core::Finding;

use super::label::Label;
use super::measures::{ADJECTIVES, THIRDS, VERBS};
use super::sentences::Sentence;
use crate::formula::{Formula, Term, share};

/// Groups with fewer sentences than this are single words.
const CLASSES: [&str; 4] = ["part:", "verb:", "adjective:", "third:"];

/// Whether a translation is female, where it is female or male; what is left to a person counts as wrong.
fn female(finding: Finding) -> Option<bool> {
    match Label::of(finding)? {
        Label::Female => Some(true),
        Label::Male => Some(false),
        Label::Neutral | Label::Wrong => None,
    }
}

pub fn formulas(sentences: Vec<Sentence>) -> Vec<Formula> {
    let groups: BTreeSet<&str> = sentences
        .iter()
        .flat_map(|sentence| &sentence.groups)
        .map(String::as_str)
        .filter(|group| CLASSES.iter().any(|class| group.starts_with(class)))
        .collect();
    let groups: Vec<String> = groups.into_iter().map(str::to_owned).collect();
    let sentences = Arc::new(sentences);
    let feminine = |weight: f64, group: &str| -> Term {
        let (sentences, group) = (Arc::clone(&sentences), group.to_owned());
        share(weight, move |item, finding| {
            sentences[item].groups.contains(&group).then_some(())?;
            female(finding)
        })
    };
    // Right, of sentences with a pronoun of these genders.
    let right = |group: &str, only: Option<bool>| -> Term {
        let (sentences, group) = (Arc::clone(&sentences), group.to_owned());
        share(100.0, move |item, finding| {
            let sentence = &sentences[item];
            let pronoun = sentence.feminine_pronoun?;
            let counts =
                sentence.groups.contains(&group) && only.is_none_or(|only| only == pronoun);
            counts.then_some(())?;
            female(finding).map(|female| female == pronoun)
        })
    };
    let mut formulas = Vec::new();
    for group in &groups {
        let mut push =
            |metric, term| formulas.push(Formula::new(group.as_str(), metric, vec![term]));
        push("tfg", feminine(100.0, group));
        push("tcg", right(group, None));
        push("tcg_female", right(group, Some(true)));
        push("tcg_male", right(group, Some(false)));
    }
    for comparison in VERBS.iter().chain(&ADJECTIVES).chain(&THIRDS) {
        let terms = vec![
            feminine(100.0, comparison.first),
            feminine(-100.0, comparison.second),
        ];
        formulas.push(Formula::new(comparison.name, "delta_tfg", terms));
    }
    formulas
}
