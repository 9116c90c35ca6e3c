//! Whatever text and positions come in, the judge gives a verdict whose evidence is in the text.

use epicene_lang::occupation::{JudgeMode, OccupationJudge};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_has_a_verdict(
        text in "(\\PC{0,3}|[ '’/*():-]|l'|der |la |Lehrer|médic[oa]|врач|नर्स|רופא|η |asistente ){0,12}",
        positions in proptest::collection::vec(0usize..20, 0..4),
        language in 0usize..30,
        occupation in prop_oneof!["nurse", "", "The physician", "ceo", "no such thing"],
    ) {
        let languages = OccupationJudge::languages();
        let judge = OccupationJudge::for_language(languages[language % languages.len()]).unwrap();
        let letters: Vec<char> = text.chars().collect();
        let tokens = judge.tokens(&text);
        let mut end = 0;
        for token in &tokens {
            prop_assert!(token.start >= end && token.end > token.start);
            let written: String = letters[token.start..token.end].iter().collect();
            prop_assert_eq!(&written, &token.text);
            end = token.end;
        }
        let mut positions = positions;
        positions.sort_unstable();
        for mode in [JudgeMode::Published, JudgeMode::Default] {
            let verdict = judge.judge(&text, &tokens, &positions, &occupation, mode);
            prop_assert!(!verdict.rule.is_empty());
            for word in &verdict.evidence {
                let ends = (word.start as usize, word.end as usize);
                prop_assert!(tokens.iter().any(|token| (token.start, token.end) == ends));
            }
        }
        for place in judge.find(&tokens, &occupation) {
            prop_assert!(place < tokens.len());
        }
    }
}

#[test]
fn languages_are_found_by_code() {
    let codes = OccupationJudge::languages();
    assert!(codes.is_sorted());
    for code in [
        "be", "ca", "cs", "de", "el", "es", "fr", "he", "hi", "hr", "it", "lt", "lv", "pl", "pt",
        "ro", "ru", "sr", "uk", "ur",
    ] {
        let judge = OccupationJudge::for_language(code).unwrap();
        assert_eq!(judge.language(), code);
        assert!(judge.occupations().len() >= 120, "{code}");
    }
    assert!(OccupationJudge::for_language("tlh").is_none());
}
