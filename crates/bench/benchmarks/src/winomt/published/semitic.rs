//! Hebrew and Arabic: feminine endings on the aligned words.

use epicene_core::Verdict;

use super::{Aligned, predicted};
use crate::winomt::prediction::Prediction;

/// The marker of definite objects.
const OBJECT_MARKER: &str = "את";
const TAV: char = 'ת';
const HE: char = 'ה';
/// Taa marbuta, and its final form as old encodings have it.
const TAA_MARBUTA: [char; 2] = ['\u{0629}', '\u{fe94}'];

pub fn hebrew(aligned: &Aligned<'_>) -> Verdict {
    by_words(aligned, |token| {
        token != OBJECT_MARKER && token.ends_with([TAV, HE])
    })
}

pub fn arabic(aligned: &Aligned<'_>) -> Verdict {
    by_words(aligned, |token| token.contains(TAA_MARBUTA))
}

fn by_words(aligned: &Aligned<'_>, is_feminine: impl Fn(&str) -> bool) -> Verdict {
    let tokens = aligned.tokens();
    if tokens.is_empty() {
        return predicted(Prediction::Unknown, "not-aligned", []);
    }
    match tokens.iter().find(|token| is_feminine(token.text)) {
        Some(token) => predicted(Prediction::Female, "ending", [token.span]),
        None => {
            let words = tokens.iter().map(|token| token.span);
            predicted(Prediction::Male, "no-feminine-ending", words)
        }
    }
}
