//! Latvian.

use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    feminine_article_wins: true,
    endings_decide: true,
    ..Grammar::plain("lv", packed!("lv/occupations.txt"))
});
