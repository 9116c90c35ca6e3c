//! Romanian: the article is written at the end of the noun; cedilla and comma letters are one.

use super::{Grammar, Language};
use crate::occupation::predicate::own_predicate;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    fold,
    feminine_article_wins: true,
    context: Some(own_predicate),
    articles: true,
    ..Grammar::plain("ro", packed!("ro/occupations.txt"))
});

fn fold(letter: char) -> Option<char> {
    Some(match letter {
        'ş' => 'ș',
        'ţ' => 'ț',
        letter => letter,
    })
}
