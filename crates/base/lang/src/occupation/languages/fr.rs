//! French: elided articles; taggers give common-gender nouns the gender of the article, and
//! masculine where it is elided.

use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;
use crate::occupation::gender::Genders;
use crate::occupation::predicate::own_predicate;
use crate::occupation::sentence::Sentence;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    elision: true,
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    feminine_article_wins: true,
    context: Some(own_predicate),
    determiner: Some(determiner),
    articles: true,
    ..Grammar::plain("fr", packed!("fr/occupations.txt"))
});

/// "mon", "ton", "son" stand before feminine nouns too where a vowel follows ("son analyste").
fn determiner(sentence: &Sentence, at: usize, _noun: usize, genders: Genders) -> Genders {
    let vowel = |letter: char| "aeiouyhéèêàâîïôöûùœæ".contains(letter);
    let possessive = matches!(sentence.word(at), "mon" | "ton" | "son");
    if possessive && sentence.word(at + 1).starts_with(vowel) {
        return Genders::C;
    }
    genders
}
