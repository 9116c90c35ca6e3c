//! Galician.

use super::{CommonGender, Grammar, Language};
use crate::occupation::predicate::own_predicate;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    common_gender: CommonGender::Unmarked,
    feminine_article_wins: true,
    context: Some(own_predicate),
    articles: true,
    ..Grammar::plain("gl", packed!("gl/occupations.txt"))
});
