//! Italian: elided articles; taggers leave common-gender nouns without gender.

use super::{CommonGender, Grammar, Language};

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    elision: true,
    common_gender: CommonGender::Unmarked,
    feminine_article_wins: true,
    ..Grammar::plain("it", include_str!("../../../data/it/occupations.txt"))
});
