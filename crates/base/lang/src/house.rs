//! Where this crate meets the rest of the house: judges by the registry's languages, verdicts in the words that everybody
//! shares.

use epicene_core::{Finding, Gender, Language, Span, Verdict};

use crate::occupation::OccupationJudge;

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

/// Nothing in the text shows a gender.
pub(crate) fn unmarked() -> Verdict {
    Verdict::new(Finding::Unmarked, "")
}

/// These words show this gender.
pub(crate) fn shown(
    gender: Gender,
    rule: &'static str,
    words: impl IntoIterator<Item = Span>,
) -> Verdict {
    Verdict::new(Finding::from(gender), rule).with_evidence(words)
}

/// These words name both genders.
pub(crate) fn both(rule: &'static str, words: impl IntoIterator<Item = Span>) -> Verdict {
    Verdict::new(Finding::Both, rule).with_evidence(words)
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
