//! German: -in is feminine, otherwise the determiner or pronoun nearest to the entity decides.

use epicene_core::Verdict;

use super::tokens::placed_tokens;
use super::{Aligned, predicted};
use crate::winomt::prediction::Prediction;

fn gender(word: &str) -> Option<Prediction> {
    // "den" is absent from the authors' table.
    match word {
        "der" | "ein" | "dem" | "einen" | "des" | "er" | "seiner" | "ihn" | "seinen" | "ihm"
        | "ihren" | "seinem" | "ihrem" | "sein" => Some(Prediction::Male),
        "die" | "eine" | "einer" | "sie" | "seine" | "ihrer" => Some(Prediction::Female),
        "ihr" | "ihre" | "das" | "jemanden" => Some(Prediction::Neutral),
        _ => None,
    }
}

pub fn predict(aligned: &Aligned<'_>) -> Verdict {
    if aligned.entity == "nurse" {
        return predicted(Prediction::Female, "nurse", []);
    }
    let Some(position) = aligned.position else {
        return predicted(Prediction::Male, "not-aligned", []);
    };
    if let Some(noun) = aligned
        .tokens()
        .iter()
        .find(|token| token.text.ends_with("in"))
    {
        return predicted(Prediction::Female, "ending-in", [noun.span]);
    }
    // Positions count words, determiners count tokens: the authors' mismatch is kept.
    let tokens = placed_tokens(aligned.translation);
    let determiners = tokens
        .iter()
        .enumerate()
        .filter_map(|(at, token)| Some((at, token.span, gender(&token.text.to_lowercase())?)));
    match determiners.min_by_key(|(at, ..)| at.abs_diff(position)) {
        Some((_, span, gender)) => predicted(gender, "determiner", [span]),
        None => predicted(Prediction::Male, "no-determiner", []),
    }
}
