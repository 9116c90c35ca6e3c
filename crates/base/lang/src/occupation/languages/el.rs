//! Greek: most occupation nouns serve both genders, the article decides; accents are ignored.

use super::{CommonGender, Grammar, Language};
use crate::occupation::gender::Genders;
use crate::occupation::sentence::Sentence;
use crate::occupation::{JudgeMode, NounGender};

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    fold,
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    feminine_article_wins: true,
    determiner: Some(determiner),
    articles: true,
    ..Grammar::plain("el", packed!("el/occupations.txt"))
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

/// Taggers do not know the capital article "Η" that opens a sentence: nouns of common gender
/// stay masculine behind it, while "Αυτή η γραμματέας" is feminine.
fn determiner(sentence: &Sentence, at: usize, _noun: usize, genders: Genders) -> Genders {
    if sentence.mode == JudgeMode::Published && at == 0 && sentence.word(at) == "η" {
        return Genders::ANY;
    }
    genders
}
