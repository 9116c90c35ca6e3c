//! Hebrew and Arabic: feminine endings on the aligned words.

use super::{Aligned, Predicted, simple_tokens};
use crate::winomt::prediction::Prediction;

/// The marker of definite objects.
const OBJECT_MARKER: &str = "את";
const TAV: char = 'ת';
const HE: char = 'ה';
/// Taa marbuta, and its final form as old encodings have it.
const TAA_MARBUTA: [char; 2] = ['\u{0629}', '\u{fe94}'];

pub fn hebrew(aligned: &Aligned<'_>) -> Predicted {
    by_words(aligned, |token| {
        token != OBJECT_MARKER && token.ends_with([TAV, HE])
    })
}

pub fn arabic(aligned: &Aligned<'_>) -> Predicted {
    by_words(aligned, |token| token.contains(TAA_MARBUTA))
}

fn by_words(aligned: &Aligned<'_>, is_feminine: impl Fn(&str) -> bool) -> Predicted {
    let tokens = simple_tokens(aligned.text);
    if aligned.text.trim().is_empty() {
        return Predicted::new(Prediction::Unknown, "not-aligned", Vec::new());
    }
    match tokens.iter().find(|token| is_feminine(token)) {
        Some(token) => Predicted::new(Prediction::Female, "ending", vec![(*token).to_owned()]),
        None => {
            let words = tokens.iter().map(|token| (*token).to_owned()).collect();
            Predicted::new(Prediction::Male, "no-feminine-ending", words)
        }
    }
}
