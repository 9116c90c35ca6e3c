//! French: elided articles; taggers give common-gender nouns the gender of the article, and
//! masculine where it is elided.

use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    elision: true,
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    feminine_article_wins: true,
    ..Grammar::plain("fr", include_str!("../../../data/fr/occupations.txt"))
});
