//! Russian: ё is written е as often as not; "врач сказала" is a woman.

use super::slavic::past_tense;
use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    fold,
    context: Some(past_tense),
    feminine_article_wins: true,
    endings_decide: true,
    feminine_predicate_wins: true,
    ..Grammar::plain("ru", packed!("ru/occupations.txt"))
});

fn fold(letter: char) -> Option<char> {
    Some(match letter {
        'ё' => 'е',
        '\u{301}' => return None,
        letter => letter,
    })
}
