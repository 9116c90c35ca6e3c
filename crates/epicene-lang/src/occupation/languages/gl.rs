//! Galician.

use super::{CommonGender, Grammar, Language};

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    common_gender: CommonGender::Unmarked,
    feminine_article_wins: true,
    ..Grammar::plain("gl", include_str!("../../../data/gl/occupations.txt"))
});
