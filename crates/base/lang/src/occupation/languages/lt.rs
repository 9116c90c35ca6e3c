//! Lithuanian.

use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    feminine_article_wins: true,
    endings_decide: true,
    ..Grammar::plain("lt", packed!("lt/occupations.txt"))
});
