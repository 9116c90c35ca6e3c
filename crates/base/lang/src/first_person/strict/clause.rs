//! Small questions about a clause that several strict rules ask.

use std::ops::Range;

use crate::Gender;
use crate::first_person::predicate::{Found, Predicate, agreeing_noun};
use crate::first_person::sentence::{Kind, Sentence};
use crate::first_person::tags::Tags;

pub(crate) fn has_third(sentence: &Sentence, mut range: Range<usize>) -> bool {
    range.any(|index| {
        let tags = sentence.tags(index);
        tags.any(Tags::THIRD) && !tags.any(Tags::CLITIC)
    })
}

/// A noun that ends like a participle: after a preposition, or in -la after its attribute ("mého
/// anděla", "тази раздяла", but "co vtipného řekl").
pub(crate) fn is_noun(sentence: &Sentence, index: usize) -> bool {
    let tags = sentence.tags(index);
    let Some(before) = index.checked_sub(1).map(|before| sentence.tags(before)) else {
        return false;
    };
    if !tags.any(Tags::PAST_MF | Tags::FIRST_M) {
        return false;
    }
    let pronoun = Tags::ADVERB | Tags::CLITIC;
    let determined = before.any(Tags::DETERMINER)
        && !before.any(pronoun)
        && sentence.tokens[index - 1].kind == Kind::Word;
    let negated = sentence.word(index).starts_with("ne");
    before.any(Tags::PREPOSITION) && !before.any(pronoun)
        || (before.any(Tags::GENITIVE) || determined) && tags.any(Tags::PAST_F) && !negated
}

pub(crate) fn is_quotation(sentence: &Sentence, index: usize) -> bool {
    sentence.tokens[index].kind == Kind::Mark
        && matches!(
            sentence.word(index),
            "\"" | "„" | "“" | "”" | "«" | "»" | "‚" | "‘" | "’" | "›" | "‹"
        )
}

pub(crate) fn subject_of(gender: Gender) -> Tags {
    match gender {
        Gender::Masculine => agreeing_noun(Tags::ADJ_M),
        Gender::Feminine => agreeing_noun(Tags::ADJ_F),
    }
}

pub(crate) fn gendered(predicate: Predicate) -> Option<Found> {
    match predicate {
        Predicate::Gendered(found) => Some(found),
        Predicate::Other(_) | Predicate::Nothing => None,
    }
}
