//! Where this crate meets the rest of the house: judges by the registry's languages, verdicts in the words that everybody
//! shares.

use epicene_core::{Finding, Language, Span, Verdict};

use crate::Evidence;
use crate::occupation::{NounGender, OccupationJudge, OccupationVerdict};

pub(crate) fn registered(code: &str) -> Language {
    let language = Language::find(code);
    language.expect("every judge's language is in the registry")
}

impl OccupationJudge {
    /// The judge of a language's occupations, where there is one.
    pub fn of(language: Language) -> Option<&'static OccupationJudge> {
        OccupationJudge::for_language(language.code())
    }

    /// The languages whose occupations can be judged.
    pub fn known() -> Vec<Language> {
        let codes = OccupationJudge::languages().into_iter();
        codes.map(registered).collect()
    }
}

fn spans(evidence: &[Evidence]) -> impl Iterator<Item = Span> {
    evidence.iter().map(|word| Span::new(word.start, word.end))
}

impl From<crate::Verdict> for Verdict {
    fn from(found: crate::Verdict) -> Verdict {
        let finding = found.gender.map_or(Finding::Unmarked, Finding::from);
        Verdict::new(finding, found.rule).with_evidence(spans(&found.evidence))
    }
}

impl From<OccupationVerdict> for Verdict {
    fn from(found: OccupationVerdict) -> Verdict {
        let finding = match found.gender {
            Some(NounGender::Masculine) => Finding::Masculine,
            Some(NounGender::Feminine) => Finding::Feminine,
            Some(NounGender::Neuter) => Finding::Neuter,
            Some(NounGender::Common) => Finding::Common,
            None if found.rule == "not aligned" => Finding::NotFound,
            None => Finding::Unmarked,
        };
        Verdict::new(finding, found.rule).with_evidence(spans(&found.evidence))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::first_person::{Detector, Mode};

    #[test]
    fn every_judge_is_found_by_the_registry() {
        for language in Detector::languages() {
            assert!(
                Detector::of(language, Mode::Published).is_some(),
                "{language}"
            );
        }
        for language in OccupationJudge::known() {
            assert!(OccupationJudge::of(language).is_some(), "{language}");
        }
    }
}
