//! The word an auxiliary, a pronoun or an infinitive depends on, found without a parser.
//!
//! In Universal Dependencies the auxiliary of a past tense hangs on the participle, a copula on
//! its predicate, a subject on its verb. Each function here answers, for one such word, "would its
//! head show a gender, and which?".

use std::ops::Range;

use super::predicate::{Found, Predicate, adjective, agreeing_noun, predicate, shape};
use super::sentence::{Kind, Sentence};
use super::tags::Tags;
use crate::Gender;

/// How an auxiliary behaves in its language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Auxiliary {
    pub(crate) word: &'static str,
    /// The form is first person singular; if not (Slovene `bi`), any participle is its head.
    pub(crate) first_person: bool,
    /// What only the strict mode asks.
    pub(crate) kind: AuxiliaryKind,
}

/// What the strict mode knows of an auxiliary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AuxiliaryKind {
    /// Takes a participle or an adjective.
    Plain,
    /// Takes adjectives only (Polish `jestem`).
    CopulaOnly,
    /// Is another word too (Slovenian `sem` hither).
    Homonym,
    /// The same, and leans on the word before it (Croatian `sam`, else "alone").
    LeaningHomonym,
    /// Fits every person, so that the pronoun must stand beside it (Slovenian `bi`).
    AnyPerson,
}

/// The gender a past-tense form shows.
fn past_gender(tags: Tags) -> Option<Gender> {
    if tags.any(Tags::PAST_M) {
        Some(Gender::Masculine)
    } else if tags.any(Tags::PAST_F) {
        Some(Gender::Feminine)
    } else {
        None
    }
}

/// A past-tense form at `index` that could be the speaker's.
pub(crate) fn own_past(sentence: &Sentence, index: usize) -> Option<Found> {
    let tags = sentence.tags(index);
    if !tags.is_own_past() {
        return None;
    }
    past_gender(tags).map(|gender| Found::new(gender, index))
}

/// Head of the auxiliary at `anchor`: its participle, else its predicate adjective.
pub(crate) fn of_auxiliary(
    sentence: &Sentence,
    anchor: usize,
    auxiliary: Auxiliary,
) -> Option<Found> {
    let phrase = sentence.phrase(anchor);
    let clause = sentence.clause(anchor);
    let nearest = nearest_past(sentence, anchor, phrase.clone(), auxiliary.first_person);
    let (sure, doubtful) = match nearest {
        Some(past) if looks_like_noun(sentence, past) => (None, nearest),
        _ => (nearest, None),
    };
    if let Some(past) = sure {
        return resolve_past(sentence, anchor, past);
    }
    if auxiliary.first_person {
        let after = predicate(sentence, anchor + 1, phrase.end, Tags::ADJ_MF);
        let before = adjective_before(sentence, anchor, phrase.start);
        match (before, after) {
            // "Dober sem kuhar": one noun phrase around the copula.
            (Some(found), Predicate::Other(noun)) if agree(sentence, found.token, noun) => {}
            (Some(found), _) | (None, Predicate::Gendered(found)) => return Some(found),
            (None, _) => {}
        }
    }
    if let Some(past) = doubtful {
        return resolve_past(sentence, anchor, past);
    }
    let past = nearest_past(sentence, anchor, clause, auxiliary.first_person)?;
    let others = Tags::AUX | Tags::OTHER_SUBJECT;
    if sentence
        .phrase(past)
        .any(|index| sentence.tags(index).any(others))
    {
        return None;
    }
    resolve_past(sentence, anchor, past)
}

/// The past-tense form closest to `anchor` inside `range`.
fn nearest_past(
    sentence: &Sentence,
    anchor: usize,
    range: Range<usize>,
    first_person: bool,
) -> Option<usize> {
    let wanted = |tags: Tags| tags.is_own_past() || (!first_person && tags.any(Tags::PAST_X));
    range
        .filter(|&index| index != anchor && wanted(sentence.tags(index)))
        .min_by_key(|&index| {
            let doubt = looks_like_noun(sentence, index)
                || (index < anchor && !opens_phrase(sentence, index));
            (
                sentence.crossings(index, anchor),
                doubt,
                index.abs_diff(anchor),
            )
        })
}

/// A noun in -la after its preposition or attribute ("iz našega vozila").
pub(crate) fn looks_like_noun(sentence: &Sentence, index: usize) -> bool {
    let Some(before) = index.checked_sub(1) else {
        return false;
    };
    sentence
        .tags(before)
        .any(Tags::PREPOSITION | Tags::GENITIVE)
}

/// Whether a participle before its clitic stands where participles stand: first in its phrase, or
/// after words that carry no phrase of their own. "Zaradi vozila sem ..." has a noun there.
pub(crate) fn opens_phrase(sentence: &Sentence, index: usize) -> bool {
    let Some(before) = index.checked_sub(1) else {
        return true;
    };
    if sentence.tokens[before].phrase != sentence.tokens[index].phrase {
        return true;
    }
    let light =
        Tags::ADVERB | Tags::COORD | Tags::SUBORD | Tags::CLITIC | Tags::AUX | Tags::OTHER_SUBJECT;
    sentence.tags(before).any(light)
}

/// The participle found, or for a past copula its predicate.
fn resolve_past(sentence: &Sentence, anchor: usize, past: usize) -> Option<Found> {
    let gender = past_gender(sentence.tags(past))?;
    let own = Found::new(gender, past);
    if !sentence.tags(past).any(Tags::COPULA) {
        return Some(own);
    }
    let end = sentence.phrase(past).end;
    match predicate(sentence, past.max(anchor) + 1, end, Tags::ADJ_MF) {
        Predicate::Gendered(found) if found.gender == gender => Some(found),
        Predicate::Gendered(_) => Some(own),
        // With a noun predicate the copula is left to a sibling rule, or to none.
        Predicate::Other(token) if !sentence.tags(token).any(Tags::INFINITIVE) => {
            adjective_before(sentence, past.min(anchor), sentence.phrase(anchor).start)
        }
        Predicate::Other(_) | Predicate::Nothing => Some(own),
    }
}

/// Whether an adjective could be the attribute of a noun on the other side of the auxiliary. A noun
/// behind a preposition belongs to that.
pub(crate) fn agree(sentence: &Sentence, adjective: usize, noun: usize) -> bool {
    let tags = sentence.tags(adjective);
    let agreeing = agreeing_noun(shape(tags, Tags::ADJ_MF));
    sentence.tags(noun).any(agreeing)
        && !tags.any(Tags::GOVERNS)
        && (adjective..noun).all(|index| !sentence.tags(index).any(Tags::PREPOSITION))
}

/// A predicate adjective right before the auxiliary ("Unavená som").
pub(crate) fn adjective_before(sentence: &Sentence, anchor: usize, start: usize) -> Option<Found> {
    let mut index = anchor;
    while index > start {
        index -= 1;
        let tags = sentence.tags(index);
        if tags.any(Tags::ADJ_MF) && !tags.any(Tags::ADVERB) {
            if under_preposition(sentence, index, start) {
                return None;
            }
            return match adjective(sentence, index, Tags::ADJ_MF) {
                Predicate::Gendered(found) => Some(found),
                _ => None,
            };
        }
        let word = matches!(sentence.tokens[index].kind, Kind::Word | Kind::Name);
        if word && !tags.any(Tags::ADVERB | Tags::CLITIC | Tags::AUX | Tags::COPULA) {
            return None;
        }
    }
    None
}

/// Whether a word belongs to a prepositional phrase: "na zemlji", "u velikoj kući".
pub(crate) fn under_preposition(sentence: &Sentence, index: usize, start: usize) -> bool {
    let attribute = Tags::ADJ_X | Tags::DETERMINER | Tags::ADJ_MF | Tags::INS_MF;
    let before = (start..index)
        .rev()
        .find(|&other| !sentence.tags(other).any(attribute));
    before.is_some_and(|other| sentence.tags(other).any(Tags::PREPOSITION))
}

/// Head of a subject pronoun "I" at `anchor`.
pub(crate) fn of_subject(sentence: &Sentence, anchor: usize) -> Option<Found> {
    let phrase = sentence.phrase(anchor);
    let after = verb_after(sentence, anchor + 1, phrase.end);
    if let Predicate::Gendered(found) = after {
        return Some(found);
    }
    // "Попытался я его успокоить", "Хотела бы я знать": the verb before its subject.
    if let Some(found) = past_before(sentence, anchor, phrase.start) {
        return Some(found);
    }
    if let Predicate::Other(_) = after {
        return None;
    }
    if let Some(found) = verb_before(sentence, anchor, phrase.start) {
        return Some(found);
    }
    // Nothing said yet: the predicate comes after an insertion ("Я, конечно, устала").
    if !stands_bare(sentence, anchor, phrase.clone()) {
        return verb_after_nouns(sentence, anchor);
    }
    let comma = sentence.word(phrase.end - 1) == ",";
    let mut next = phrase.end;
    while next < sentence.len() {
        let range = sentence.phrase(next);
        if range
            .clone()
            .any(|index| sentence.tags(index).any(Tags::OTHER_SUBJECT))
        {
            return None;
        }
        let inserted = sentence
            .tags(range.start)
            .any(Tags::SUBORD | Tags::PREPOSITION);
        if !inserted {
            match verb_after(sentence, range.start, range.end) {
                Predicate::Gendered(found) => return Some(found),
                Predicate::Other(token)
                    if !comma || sentence.tags(token).any(Tags::FINITE | Tags::MAYBE_FINITE) =>
                {
                    return None;
                }
                Predicate::Other(_) | Predicate::Nothing => {}
            }
        }
        next = range.end;
    }
    None
}

/// The verb behind coordinated nouns: "Я с радостью и гордостью несла флаг". A verb right
/// after the conjunction would be another predicate, not this one's.
fn verb_after_nouns(sentence: &Sentence, anchor: usize) -> Option<Found> {
    let end = sentence.clause(anchor).end;
    let mut next = sentence.phrase(anchor).end;
    while next < end {
        let range = sentence.phrase(next);
        let first = range
            .clone()
            .find(|&index| !sentence.tags(index).any(Tags::COORD))?;
        let verb = Tags::PAST_MF | Tags::PAST_X | Tags::FINITE | Tags::MAYBE_FINITE | Tags::ADVERB;
        let other = Tags::OTHER_SUBJECT | Tags::SPEAKER;
        if sentence.tags(first).any(verb)
            || range.clone().any(|index| sentence.tags(index).any(other))
        {
            return None;
        }
        if let Predicate::Gendered(found) = verb_after(sentence, first, range.end) {
            return Some(found);
        }
        next = range.end;
    }
    None
}

/// A past tense before `anchor` with nothing but particles between.
fn past_before(sentence: &Sentence, anchor: usize, start: usize) -> Option<Found> {
    let light = Tags::ADVERB | Tags::CLITIC;
    let before = (start..anchor)
        .rev()
        .find(|&index| !sentence.tags(index).any(light));
    before.and_then(|index| own_past(sentence, index))
}

/// Whether a pronoun's phrase holds nothing but the pronoun and light words, and is no comparison.
fn stands_bare(sentence: &Sentence, anchor: usize, phrase: Range<usize>) -> bool {
    let light = Tags::ADVERB | Tags::COORD | Tags::SUBORD | Tags::CLITIC;
    let compared = anchor > phrase.start && sentence.tags(anchor - 1).any(Tags::COMPARISON);
    !compared
        && phrase.filter(|&index| index != anchor).all(|index| {
            let token = &sentence.tokens[index];
            token.kind == Kind::Break || token.tags.any(light)
        })
}

/// The first verb or predicate of `from..end`. A past tense beats what only looks like a predicate,
/// since objects and time phrases may stand before the verb; a listed finite verb ends the search.
fn verb_after(sentence: &Sentence, from: usize, end: usize) -> Predicate {
    for index in from..end {
        let tags = sentence.tags(index);
        if let Some(found) = own_past(sentence, index).filter(|_| !looks_like_noun(sentence, index))
        {
            return past_of_subject(sentence, found, end);
        }
        if tags.any(Tags::FINITE) {
            return Predicate::Other(index);
        }
    }
    let future = (from..end).any(|index| sentence.tags(index).any(Tags::AUX));
    let forms = if future {
        Tags::ADJ_MF | Tags::INS_MF
    } else {
        Tags::ADJ_MF
    };
    predicate(sentence, from, end, forms)
}

/// A past copula gives way to its noun: "я была учительницей" is left to the sibling rule.
fn past_of_subject(sentence: &Sentence, found: Found, end: usize) -> Predicate {
    if !sentence.tags(found.token).any(Tags::COPULA) {
        return Predicate::Gendered(found);
    }
    let verb = Tags::INFINITIVE | Tags::FINITE | Tags::MAYBE_FINITE | Tags::PAST_MF;
    match predicate(sentence, found.token + 1, end, Tags::ADJ_MF | Tags::INS_MF) {
        Predicate::Other(noun) if !sentence.tags(noun).any(verb) => Predicate::Other(noun),
        _ => Predicate::Gendered(found),
    }
}

/// A verb or short adjective before its subject ("Устала я").
fn verb_before(sentence: &Sentence, anchor: usize, start: usize) -> Option<Found> {
    for index in (start..anchor).rev() {
        let tags = sentence.tags(index);
        if let Some(found) = own_past(sentence, index) {
            return Some(found);
        }
        if tags.any(Tags::FINITE | Tags::MAYBE_FINITE) {
            return None;
        }
    }
    adjective_before(sentence, anchor, start)
}

/// Head of an infinitive copula at `anchor`: the adjective after it.
pub(crate) fn of_infinitive(sentence: &Sentence, anchor: usize, forms: Tags) -> Option<Found> {
    let end = sentence.clause(anchor).end;
    // "Biti moram pozoren": the verb that governs the infinitive may stand between.
    let from = (anchor + 1..end).find(|&index| !sentence.tags(index).any(Tags::FINITE));
    match predicate(sentence, from.unwrap_or(end), end, forms) {
        Predicate::Gendered(found) => Some(found),
        Predicate::Other(_) | Predicate::Nothing => None,
    }
}
