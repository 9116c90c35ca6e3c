//! Arabic: the article and some particles are written with the noun; taa marbuta marks women.

use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    fold,
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    ..Grammar::plain("ar", packed!("ar/occupations.txt"))
});

/// Drops vowel signs; one alif, one yaa, taa marbuta without its presentation forms.
fn fold(letter: char) -> Option<char> {
    Some(match letter {
        '\u{640}' | '\u{64B}'..='\u{65F}' | '\u{670}' | '\u{610}'..='\u{61A}' => return None,
        'أ' | 'إ' | 'آ' | 'ٱ' => 'ا',
        'ى' | 'ی' => 'ي',
        'ک' => 'ك',
        '\u{FE93}' | '\u{FE94}' => 'ة',
        letter => letter,
    })
}
