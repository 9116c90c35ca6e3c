//! Bulgarian: gender of a common-gender noun from a past verb.

use super::slavic::past_tense;
use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    context: Some(past_tense),
    feminine_article_wins: true,
    endings_decide: true,
    feminine_predicate_wins: true,
    ..Grammar::plain("bg", packed!("bg/occupations.txt"))
});
