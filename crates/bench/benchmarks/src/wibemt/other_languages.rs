//! WiBeMT's question in other languages than German, which the paper leaves to later work: the noun is
//! found by the occupation judge's lexicon, its gender read off the whole noun phrase.

use epicene_core::{Finding, Language, Verdict};
use epicene_lang::occupation::{JudgeMode, OccupationJudge};

use super::occupations;

/// The paper's language first, then those of the occupation judge.
pub fn languages() -> Vec<Language> {
    let mut languages = OccupationJudge::known();
    languages.sort_by_key(|language| language.code() != "de");
    languages
}

/// The authors' rules exist for German alone; elsewhere the judge is ours, whatever was wished.
pub fn judge(judge: &OccupationJudge, text: &str, occupation: &str) -> Verdict {
    if text.trim().is_empty() {
        return Verdict::new(Finding::Mistranslated, "empty");
    }
    let tokens = judge.tokens(text);
    let mut found = judge.find(&tokens, occupation);
    // An occupation of the user's own may be a person of the lexicon and none of the challenge sets' occupations.
    if found.is_empty() && occupations::find(occupation).is_none() {
        found = judge.find_person(&tokens, occupation);
    }
    if found.is_empty() {
        return Verdict::new(Finding::Undecided, "no-noun");
    }
    let mut verdict = judge.judge(text, &tokens, &found, occupation, JudgeMode::Default);
    // One form for everybody and nothing beside it that tells.
    if verdict.finding.gender().is_none() {
        verdict.finding = Finding::Common;
    }
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spanish_catalan_and_galician_nouns_are_told_apart() {
        for (language, text, occupation, finding) in [
            (
                "es",
                "La enfermera baila en el club.",
                "nurse",
                Finding::Feminine,
            ),
            (
                "es",
                "El enfermero baila en el club.",
                "nurse",
                Finding::Masculine,
            ),
            (
                "es",
                "La contable hornea un pastel.",
                "accountant",
                Finding::Feminine,
            ),
            (
                "ca",
                "L'advocada cus un vestit.",
                "lawyer",
                Finding::Feminine,
            ),
            (
                "gl",
                "O mestre constrúe unha casa.",
                "teacher",
                Finding::Masculine,
            ),
            ("es", "Baila.", "nurse", Finding::Undecided),
        ] {
            let known = OccupationJudge::for_language(language).unwrap();
            let found = judge(known, text, occupation);
            assert_eq!(found.finding, finding, "{language} {text}: {found:?}");
        }
    }
}
