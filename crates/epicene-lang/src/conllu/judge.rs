//! From a parse to a verdict: the first rule of the list that finds a gender
//! (GEST, arXiv 2311.18711; rules of section 4).

use super::primitives::Finding;
use super::rules::{Rule, RuleSet};
use super::sentence::Sentence;
use super::translation::Translation;
use crate::{Evidence, Verdict};

/// Judges one sentence. The evidence points into [`Sentence::text`]: the gendered word first, then
/// the word that ties it to the speaker where the rule needs one.
pub fn judge(sentence: &Sentence, rules: &RuleSet) -> Verdict {
    rules
        .rules_for(&sentence.text)
        .iter()
        .map(|rule| rule.judge(sentence))
        .find(|verdict| verdict.gender.is_some())
        .unwrap_or_default()
}

impl Rule {
    /// What this rule alone says, which shows where the rules of a list disagree.
    pub fn judge(&self, sentence: &Sentence) -> Verdict {
        match self.apply(sentence) {
            Some(finding) => Verdict {
                gender: Some(finding.gender),
                rule: self.name,
                evidence: evidence(&finding, &sentence.text),
            },
            None => Verdict::unknown(),
        }
    }
}

/// Judges a translation: its first sentence and, where [`Scope`](super::Scope) kept more, the
/// next ones until one shows a gender. The evidence points into [`Translation::text`].
pub fn judge_translation(translation: &Translation, rules: &RuleSet) -> Verdict {
    for (sentence, offset) in translation.sentences_with_offsets() {
        let mut verdict = judge(sentence, rules);
        if verdict.gender.is_some() {
            for evidence in &mut verdict.evidence {
                evidence.start += offset;
                evidence.end += offset;
            }
            return verdict;
        }
    }
    Verdict::unknown()
}

fn evidence(finding: &Finding<'_>, text: &str) -> Vec<Evidence> {
    let evidence = finding.tokens.iter().map(|token| Evidence {
        text: text
            .chars()
            .skip(token.start)
            .take(token.end - token.start)
            .collect(),
        start: token.start,
        end: token.end,
    });
    evidence.collect()
}
