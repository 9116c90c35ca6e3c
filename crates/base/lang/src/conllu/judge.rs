//! From a parse to a verdict: the first rule of the list that finds a gender
//! (GEST, arXiv 2311.18711; rules of section 4).

use epicene_core::{Span, Verdict};

use super::primitives::Finding;
use super::rules::{Rule, RuleSet};
use super::sentence::Sentence;
use super::translation::Translation;
use crate::house::{shown, unmarked};

/// Judges one sentence. The evidence points into [`Sentence::text`]: the gendered word first, then
/// the word that ties it to the speaker where the rule needs one.
pub fn judge(sentence: &Sentence, rules: &RuleSet) -> Verdict {
    rules
        .rules_for(&sentence.text)
        .iter()
        .map(|rule| rule.judge(sentence))
        .find(|verdict| verdict.gender().is_some())
        .unwrap_or_else(unmarked)
}

impl Rule {
    /// What this rule alone says, which shows where the rules of a list disagree.
    pub fn judge(&self, sentence: &Sentence) -> Verdict {
        match self.apply(sentence) {
            Some(finding) => shown(finding.gender, self.name, evidence(&finding)),
            None => unmarked(),
        }
    }
}

/// Judges a translation: its first sentence and, where [`Scope`](super::Scope) kept more, the
/// next ones until one shows a gender. The evidence points into [`Translation::text`].
pub fn judge_translation(translation: &Translation, rules: &RuleSet) -> Verdict {
    for (sentence, offset) in translation.sentences_with_offsets() {
        let mut verdict = judge(sentence, rules);
        if verdict.gender().is_some() {
            for span in &mut verdict.evidence {
                *span = span.behind(offset);
            }
            return verdict;
        }
    }
    unmarked()
}

fn evidence(finding: &Finding<'_>) -> impl Iterator<Item = Span> {
    let tokens = finding.tokens.iter();
    tokens.map(|token| Span::new(token.start, token.end))
}
