//! Greek: most occupation nouns serve both genders, the article decides; accents are ignored.

use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    fold,
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    feminine_article_wins: true,
    ..Grammar::plain("el", include_str!("../../../data/el/occupations.txt"))
});

fn fold(letter: char) -> Option<char> {
    Some(match letter {
        'ά' => 'α',
        'έ' => 'ε',
        'ή' => 'η',
        'ί' | 'ϊ' | 'ΐ' => 'ι',
        'ό' => 'ο',
        'ύ' | 'ϋ' | 'ΰ' => 'υ',
        'ώ' => 'ω',
        'ς' => 'σ',
        '\u{301}' | '\u{308}' => return None,
        letter => letter,
    })
}
