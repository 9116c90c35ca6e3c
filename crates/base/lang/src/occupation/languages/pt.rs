//! Portuguese: taggers give common-gender nouns the gender of the article.

use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;
use crate::occupation::predicate::own_predicate;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    feminine_article_wins: true,
    context: Some(own_predicate),
    articles: true,
    ..Grammar::plain("pt", packed!("pt/occupations.txt"))
});
