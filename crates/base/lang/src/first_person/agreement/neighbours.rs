//! What stands around a word: whose clause it is, what it agrees with, what governs it.

use std::ops::Range;

use crate::Gender;
use crate::first_person::predicate::agreeing_noun;
use crate::first_person::sentence::{Kind, Sentence};
use crate::first_person::tags::Tags;

/// The clause that begins at `start`.
pub(super) fn following(sentence: &Sentence, start: usize) -> Option<Range<usize>> {
    (start < sentence.len()).then(|| sentence.clause(start))
}

pub(super) fn has_other(sentence: &Sentence, mut range: Range<usize>) -> bool {
    range.any(|index| sentence.tags(index).any(Tags::OTHER_SUBJECT))
}

/// The noun that the adjective at `index` is the attribute of.
pub(super) fn attributed_noun(sentence: &Sentence, index: usize, gender: Gender) -> Option<usize> {
    let shape = match gender {
        Gender::Masculine => Tags::ADJ_M | Tags::PAST_M,
        Gender::Feminine => Tags::ADJ_F | Tags::PAST_F,
    };
    let end = sentence.phrase(index).end;
    let mut governs = sentence.tags(index).any(Tags::GOVERNS);
    for next in index + 1..end {
        let tags = sentence.tags(next);
        if is_sign(sentence, next) {
            if sentence.tokens[next].kind == Kind::Break {
                return None;
            }
        } else if tags.any(shape) && !tags.any(agreeing(gender)) {
            governs = tags.any(Tags::GOVERNS);
        } else {
            let noun = sentence.tokens[next].kind == Kind::Word && tags.any(agreeing(gender));
            return (noun && !governs).then_some(next);
        }
    }
    None
}

/// Nouns that an adjective of this gender could belong to.
pub(super) fn agreeing(gender: Gender) -> Tags {
    match gender {
        Gender::Masculine => agreeing_noun(Tags::ADJ_M) | Tags::PERSON_M,
        Gender::Feminine => agreeing_noun(Tags::ADJ_F) | Tags::PERSON_F,
    }
}

/// Whether a word stands right behind a preposition, or behind its attributes.
pub(super) fn is_under_preposition(sentence: &Sentence, token: usize) -> bool {
    let mut index = token;
    while let Some(before) = previous(sentence, index) {
        let tags = sentence.tags(before);
        if tags.any(Tags::PREPOSITION) {
            return true;
        }
        if !tags.any(Tags::ADJ_X | Tags::DETERMINER) {
            return false;
        }
        index = before;
    }
    false
}

/// The word after, in the same phrase.
pub(super) fn next_word(sentence: &Sentence, token: usize) -> Option<usize> {
    let end = sentence.phrase(token).end;
    (token + 1..end).find(|&index| !is_sign(sentence, index))
}

/// The word before, in the same phrase.
pub(super) fn previous(sentence: &Sentence, token: usize) -> Option<usize> {
    let start = sentence.phrase(token).start;
    (start..token)
        .rev()
        .find(|&index| !is_sign(sentence, index))
}

/// Whether somebody else is the subject before `anchor` in its phrase ("jis ir aš").
pub(super) fn others_before(sentence: &Sentence, anchor: usize) -> bool {
    let before = sentence.phrase(anchor).start..anchor;
    // Arabic "هل أنا", "يا رب أنا": beside the pronoun a question or a call says nothing of the subject.
    if sentence.tags(anchor).any(Tags::SPEAKER) {
        let called = |index: &usize| !matches!(sentence.word(*index), "هل" | "يا");
        return before
            .filter(called)
            .any(|index| sentence.tags(index).any(Tags::OTHER_SUBJECT));
    }
    has_other(sentence, before)
}

/// The word that says "I" in `range`, if nobody else is its subject.
pub(super) fn own_anchor(sentence: &Sentence, range: Range<usize>) -> Option<usize> {
    if has_other(sentence, range.clone()) {
        return None;
    }
    let own = range.clone().find(|&index| {
        let tags = sentence.tags(index);
        tags.any(Tags::OWN) && !tags.any(Tags::INFINITIVE)
    });
    // "Man patinka": the speaker is whom it pleases.
    let find = |wanted: Tags| {
        range
            .clone()
            .find(|&index| sentence.tags(index).any(wanted))
    };
    own.or_else(|| find(Tags::IMPERSONAL).and_then(|_| find(Tags::ME)))
}

/// Whether a person is named right behind a participle: "kirpdamas tėvas".
pub(super) fn names_subject(sentence: &Sentence, next: usize, gender: Gender) -> bool {
    let person = match gender {
        Gender::Masculine => Tags::PERSON_M,
        Gender::Feminine => Tags::PERSON_F,
    };
    next < sentence.len() && sentence.tags(next).any(person)
}

pub(super) fn has_nominative(sentence: &Sentence, mut range: Range<usize>, gender: Gender) -> bool {
    range.any(|index| {
        sentence.tags(index).any(agreeing(gender)) && !is_under_preposition(sentence, index)
    })
}

pub(super) fn gender_of(tags: Tags, masculine: Tags, feminine: Tags) -> Option<Gender> {
    match (tags.any(masculine), tags.any(feminine)) {
        (true, false) => Some(Gender::Masculine),
        (false, true) => Some(Gender::Feminine),
        _ => None,
    }
}

pub(super) fn is_sign(sentence: &Sentence, index: usize) -> bool {
    matches!(sentence.tokens[index].kind, Kind::Break | Kind::Mark)
}
