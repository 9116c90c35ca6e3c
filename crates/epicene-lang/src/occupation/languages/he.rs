//! Hebrew: articles, conjunctions and prepositions are written with the noun, gershayim in many
//! ways; past verbs show the gender of their subject.

use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;
use crate::occupation::gender::Genders;
use crate::occupation::sentence::Sentence;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    fold,
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    context: Some(predicate),
    ..Grammar::plain("he", include_str!("../../../data/he/occupations.txt"))
});

/// Drops vowel points; one sign for gershayim and one for geresh.
fn fold(letter: char) -> Option<char> {
    Some(match letter {
        '\u{591}'..='\u{5BD}' | '\u{5BF}' | '\u{5C1}'..='\u{5C7}' => return None,
        '״' | '”' | '“' => '"',
        '׳' | '’' | '‘' => '\'',
        letter => letter,
    })
}

/// The word after a noun that serves both genders ("המורה אמרה"): a verb in the feminine ends in
/// he or tav.
fn predicate(sentence: &Sentence, noun: usize) -> Option<(Genders, usize)> {
    let at = noun + 1;
    if !sentence.is_word(at) || sentence.role(at).is_some() {
        return None;
    }
    let (genders, _) = sentence
        .lexicon
        .predicate_suffixes
        .find(sentence.word(at))?;
    Some((genders, at))
}
