//! What Hindi and Urdu share: the verb at the end agrees with a subject that has no postposition.

use crate::occupation::gender::Genders;
use crate::occupation::sentence::Sentence;

/// Gender of the verb that ends the clause, where the noun can be its subject: nothing that
/// belongs to another noun stands between ("डॉक्टर जल्दी आती है").
pub(crate) fn agreeing_verb(sentence: &Sentence, noun: usize) -> Option<(Genders, usize)> {
    for at in noun + 1..sentence.len() {
        let word = sentence.word(at);
        if !sentence.is_word(at) || is_postposition(word) || sentence.noun(at, None).is_some() {
            return None;
        }
        if let Some(genders) = sentence.lexicon.predicate_suffixes.find_word(word) {
            return Some((genders, at));
        }
    }
    None
}

fn is_postposition(word: &str) -> bool {
    matches!(
        word,
        "ने" | "को" | "का" | "की" | "के" | "نے" | "کو" | "کا" | "کی" | "کے"
    )
}
