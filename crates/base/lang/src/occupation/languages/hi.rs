//! Hindi: most occupations have one form for women and men; possessives, adjectives and verbs
//! agree.

use super::indic::agreeing_verb;
use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    fold,
    head_last: true,
    head_final: true,
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    context: Some(agreeing_verb),
    ..Grammar::plain("hi", packed!("hi/occupations.txt"))
});

/// Nukta is written or not; candrabindu and anusvara are one.
fn fold(letter: char) -> Option<char> {
    Some(match letter {
        '\u{93C}' | '\u{200C}' | '\u{200D}' => return None,
        '\u{901}' => '\u{902}',
        '\u{958}' => 'क',
        '\u{959}' => 'ख',
        '\u{95A}' => 'ग',
        '\u{95B}' => 'ज',
        '\u{95C}' => 'ड',
        '\u{95D}' => 'ढ',
        '\u{95E}' => 'फ',
        '\u{95F}' => 'य',
        letter => letter,
    })
}
