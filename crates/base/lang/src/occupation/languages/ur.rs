//! Urdu: most occupations have one form for women and men; possessives, adjectives and verbs
//! agree.

use super::indic::agreeing_verb;
use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    fold,
    head_last: true,
    head_final: true,
    // The Urdu treebank gives them the masculine even after "میری".
    common_gender: CommonGender::Fixed(NounGender::Masculine),
    context: Some(agreeing_verb),
    ..Grammar::plain("ur", packed!("ur/occupations.txt"))
});

/// Drops vowel signs; Arabic code points of letters that Urdu writes with its own.
fn fold(letter: char) -> Option<char> {
    Some(match letter {
        '\u{64B}'..='\u{653}' | '\u{655}'..='\u{65F}' | '\u{670}' | '\u{640}' | '\u{200C}' => {
            return None;
        }
        'ي' | 'ى' => 'ی',
        'ك' => 'ک',
        'ه' | 'ۂ' | 'ۃ' => 'ہ',
        letter => letter,
    })
}
