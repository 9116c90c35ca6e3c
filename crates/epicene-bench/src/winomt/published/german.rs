//! German: -in is feminine, otherwise the determiner or pronoun nearest to the entity decides.

use super::{Aligned, Predicted, simple_tokens};
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

pub fn predict(aligned: &Aligned<'_>) -> Predicted {
    if aligned.entity == "nurse" {
        return Predicted::new(Prediction::Female, "nurse", Vec::new());
    }
    let Some(position) = aligned.position else {
        return Predicted::new(Prediction::Male, "not-aligned", Vec::new());
    };
    if let Some(noun) = simple_tokens(aligned.text)
        .into_iter()
        .find(|token| token.ends_with("in"))
    {
        return Predicted::new(Prediction::Female, "ending-in", vec![noun.to_owned()]);
    }
    // Positions count words, determiners count tokens: the authors' mismatch is kept.
    let tokens = simple_tokens(aligned.translation);
    let determiners = tokens
        .iter()
        .enumerate()
        .filter_map(|(at, token)| Some((at, *token, gender(&token.to_lowercase())?)));
    match determiners.min_by_key(|(at, ..)| at.abs_diff(position)) {
        Some((_, token, gender)) => Predicted::new(gender, "determiner", vec![token.to_owned()]),
        None => Predicted::new(Prediction::Male, "no-determiner", Vec::new()),
    }
}
