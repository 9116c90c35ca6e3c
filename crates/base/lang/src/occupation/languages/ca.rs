//! Catalan: elided articles; taggers leave most common-gender nouns without gender.

use super::{CommonGender, Grammar, Language};
use crate::occupation::predicate::own_predicate;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    elision: true,
    common_gender: CommonGender::Unmarked,
    feminine_article_wins: true,
    context: Some(own_predicate),
    articles: true,
    ..Grammar::plain("ca", packed!("ca/occupations.txt"))
});
