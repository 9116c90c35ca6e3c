//! WiBeMT's question in other languages than German, which the paper leaves to later work: the noun is
//! found by the occupation judge's lexicon, its gender read off the whole noun phrase.

use epicene_lang::occupation::{JudgeMode, NounGender, OccupationJudge};

use super::german::{self, Classified, Part};
use super::label::Label;
use crate::JudgeRules;

/// The paper's language first, then those of the occupation judge.
pub fn languages() -> Vec<&'static str> {
    let others = OccupationJudge::languages().into_iter();
    let mut languages = vec!["de"];
    languages.extend(others.filter(|code| *code != "de"));
    languages
}

/// The label of a translation into the language of a unit (`lang:es`). The authors' rules exist for
/// German alone; elsewhere both judges are ours.
pub fn classify(
    unit: &str,
    text: &str,
    occupation: &str,
    part: Part,
    judge: JudgeRules,
) -> Classified {
    let code = unit.trim_start_matches("lang:");
    match OccupationJudge::for_language(code).filter(|_| code != "de") {
        None => german::classify(text, occupation, part, judge),
        Some(judge) => by_lexicon(judge, text, occupation),
    }
}

fn by_lexicon(judge: &OccupationJudge, text: &str, occupation: &str) -> Classified {
    if text.trim().is_empty() {
        return Classified::new(Label::Wrong, "empty", Vec::new());
    }
    let tokens = judge.tokens(text);
    let found = judge.find(&tokens, occupation);
    if found.is_empty() {
        return Classified::unresolved("no-noun", Vec::new());
    }
    let verdict = judge.judge(text, &tokens, &found, occupation, JudgeMode::Default);
    let evidence = verdict.evidence.iter().map(|word| word.text.clone());
    let label = match verdict.gender {
        Some(NounGender::Feminine) => Label::Female,
        Some(NounGender::Masculine) => Label::Male,
        // One form for everybody and nothing beside it that tells.
        Some(NounGender::Common | NounGender::Neuter) | None => Label::Neutral,
    };
    Classified::new(label, verdict.rule, evidence.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spanish_catalan_and_galician_nouns_are_told_apart() {
        for (unit, text, occupation, label) in [
            (
                "lang:es",
                "La enfermera baila en el club.",
                "nurse",
                Label::Female,
            ),
            (
                "lang:es",
                "El enfermero baila en el club.",
                "nurse",
                Label::Male,
            ),
            (
                "lang:es",
                "La contable hornea un pastel.",
                "accountant",
                Label::Female,
            ),
            (
                "lang:ca",
                "L'advocada cus un vestit.",
                "lawyer",
                Label::Female,
            ),
            (
                "lang:gl",
                "O mestre constrúe unha casa.",
                "teacher",
                Label::Male,
            ),
            (
                "lang:de",
                "Die Krankenschwester tanzt.",
                "nurse",
                Label::Female,
            ),
        ] {
            let found = classify(unit, text, occupation, Part::Verb, JudgeRules::Default);
            assert_eq!(found.label, Some(label), "{unit} {text}: {found:?}");
        }
        let nothing = classify(
            "lang:es",
            "Baila.",
            "nurse",
            Part::Verb,
            JudgeRules::Default,
        );
        assert_eq!(nothing.label, None);
    }
}
