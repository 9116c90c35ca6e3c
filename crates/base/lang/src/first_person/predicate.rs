//! What a clause predicates: an adjective that shows a gender, something else, or nothing yet.
//!
//! The trap is the attributive adjective. In "som dobrý vyjednávač" (I am a good negotiator) the
//! adjective agrees with the noun, and in a dependency tree the copula hangs on the noun, so the
//! published rules see no gender there. An adjective therefore counts only if no noun that could
//! agree with it follows.

use super::sentence::{Kind, Sentence};
use super::tags::Tags;
use crate::Gender;

/// A gendered form and the token that carries it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) gender: Gender,
    pub(crate) token: usize,
    /// The word that ties it to the speaker, if that is another one.
    pub(crate) anchor: Option<usize>,
}

impl Found {
    pub(crate) fn new(gender: Gender, token: usize) -> Found {
        Found {
            gender,
            token,
            anchor: None,
        }
    }

    /// The same, tied to the speaker by the word at `anchor`.
    pub(crate) fn at(self, anchor: usize) -> Found {
        Found {
            anchor: Some(anchor),
            ..self
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Predicate {
    Gendered(Found),
    /// A noun or another verb, and its token: the clause is about that.
    Other(usize),
    Nothing,
}

/// Looks for the predicate in `from..end`, whose adjectives may take `forms`.
pub(crate) fn predicate(sentence: &Sentence, from: usize, end: usize, forms: Tags) -> Predicate {
    let mut index = from;
    while index < end {
        let tags = sentence.tags(index);
        let kind = sentence.tokens[index].kind;
        if kind == Kind::Break {
            return Predicate::Nothing;
        }
        if is_sign(kind)
            || tags.any(Tags::CLITIC | Tags::AUX | Tags::COPULA | Tags::COORD | Tags::OTHER_SUBJECT)
        {
            index += 1;
        } else if tags.any(Tags::PREPOSITION) {
            index = after_prepositional(sentence, index + 1, end);
        } else if tags.any(forms) {
            return adjective(sentence, index, forms);
        } else if tags.any(Tags::ADVERB | Tags::DETERMINER | Tags::OBLIQUE | Tags::DEFINITE) {
            index += 1;
        } else if tags.any(Tags::INFINITIVE | Tags::FINITE | Tags::MAYBE_FINITE) {
            return Predicate::Other(index);
        } else if tags.any(Tags::ADJ_X) {
            index = after_noun_phrase(sentence, index + 1, end);
        } else {
            return Predicate::Other(index);
        }
    }
    Predicate::Nothing
}

/// The gender of an adjective at `index`, unless it is the attribute of a noun after it.
pub(crate) fn adjective(sentence: &Sentence, index: usize, forms: Tags) -> Predicate {
    let shape = shape(sentence.tags(index), forms);
    let gender = gender_of(shape);
    let agreeing = agreeing_noun(shape);
    let mut last = index;
    let mut next = index + 1;
    while next < sentence.len() {
        let tags = sentence.tags(next);
        match sentence.tokens[next].kind {
            Kind::Mark => next += 1,
            Kind::Break => match chained(sentence, next + 1, shape) {
                Some(further) if sentence.word(next) == "," => {
                    last = further;
                    next = further + 1;
                }
                _ => break,
            },
            Kind::Number => break,
            Kind::Word if tags.any(shape) && !tags.any(Tags::ADVERB) => {
                last = next;
                next += 1;
            }
            // "odličen šolski kuhar": a definite adjective on the way to the noun.
            Kind::Word if shape == Tags::ADJ_M && tags.any(Tags::DEFINITE) => next += 1,
            Kind::Word if tags.any(Tags::COORD) => match chained(sentence, next + 1, shape) {
                Some(further) => {
                    last = further;
                    next = further + 1;
                }
                None => break,
            },
            Kind::Word | Kind::Name => {
                let attributive = tags.any(agreeing) && !sentence.tags(last).any(Tags::GOVERNS);
                if attributive {
                    return Predicate::Other(next);
                }
                break;
            }
        }
    }
    match gender {
        Some(gender) => Predicate::Gendered(Found::new(gender, index)),
        None => Predicate::Nothing,
    }
}

/// The adjective of the same shape that goes on a chain ("silná a veľmi nezávislá").
fn chained(sentence: &Sentence, from: usize, shape: Tags) -> Option<usize> {
    let mut index = from;
    while index < sentence.len() && sentence.tokens[index].kind == Kind::Word {
        let tags = sentence.tags(index);
        if tags.any(shape) {
            return Some(index);
        }
        if !tags.any(Tags::ADVERB | Tags::COORD) {
            return None;
        }
        index += 1;
    }
    None
}

fn is_sign(kind: Kind) -> bool {
    !matches!(kind, Kind::Word | Kind::Name)
}

/// Steps over the noun phrase of a preposition.
pub(crate) fn after_prepositional(sentence: &Sentence, from: usize, end: usize) -> usize {
    let mut index = from;
    // "v tom dobrá": a pronoun is a whole noun phrase, the adjective after it is the predicate.
    if index < end && sentence.tags(index).any(Tags::CLITIC) {
        return index + 1;
    }
    while index < end {
        let tags = sentence.tags(index);
        if sentence.tokens[index].kind == Kind::Break
            || tags.any(Tags::PREPOSITION | Tags::AUX | Tags::PAST_MF)
        {
            return index;
        }
        let modifier = Tags::ADJ_X | Tags::DETERMINER | Tags::ADVERB | Tags::ADJ_M | Tags::INS_MF;
        // A nominative feminine further on is no part of the phrase; right after the preposition
        // it can only be a look-alike.
        if tags.any(Tags::ADJ_F) && index > from {
            return index;
        }
        if !is_sign(sentence.tokens[index].kind) && !tags.any(modifier | Tags::ADJ_F) {
            return index + 1;
        }
        index += 1;
    }
    index
}

/// Steps over the noun of an oblique adjective.
fn after_noun_phrase(sentence: &Sentence, from: usize, end: usize) -> usize {
    let mut index = from;
    while index < end {
        let tags = sentence.tags(index);
        if tags.any(Tags::ADJ_X | Tags::DETERMINER) {
            index += 1;
            continue;
        }
        let other = Tags::PREPOSITION | Tags::ADVERB | Tags::CLITIC | Tags::COORD | Tags::AUX;
        let stop = other | Tags::ADJ_MF | Tags::INFINITIVE | Tags::FINITE;
        let noun = !is_sign(sentence.tokens[index].kind) && !tags.any(stop);
        return if noun { index + 1 } else { index };
    }
    index
}

/// The one reading of an adjective that counts: nominative before instrumental.
pub(crate) fn shape(tags: Tags, forms: Tags) -> Tags {
    for shape in [
        Tags::ADJ_M,
        Tags::ADJ_F,
        Tags::INS_M,
        Tags::INS_F,
        Tags::PLURAL_M,
    ] {
        if tags.any(shape) && forms.any(shape) {
            return shape;
        }
    }
    Tags::NONE
}

fn gender_of(shape: Tags) -> Option<Gender> {
    if shape.any(Tags::ADJ_M | Tags::INS_M | Tags::PLURAL_M) {
        Some(Gender::Masculine)
    } else if shape.any(Tags::ADJ_F | Tags::INS_F) {
        Some(Gender::Feminine)
    } else {
        None
    }
}

pub(crate) fn agreeing_noun(shape: Tags) -> Tags {
    if shape == Tags::ADJ_M {
        Tags::NOUN_M
    } else if shape == Tags::ADJ_F {
        Tags::NOUN_F
    } else if shape == Tags::INS_M {
        Tags::NOUN_INS_M
    } else if shape == Tags::PLURAL_M {
        Tags::OBLIQUE
    } else {
        Tags::NOUN_INS_F
    }
}
