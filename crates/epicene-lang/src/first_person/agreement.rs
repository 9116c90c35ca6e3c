//! What agrees with "I" in languages without a published list: the complement of "am", a participle
//! that describes the subject, "alone" and "myself", the verb at the end.
//!
//! The anchors are classes of the data file, not single words: `speaker` is the pronoun, `finite`
//! any verb in the first person singular, `feel` one whose complement describes its subject ("am",
//! "became", "feel"). Every search stops at the first word that it does not understand: whatever
//! follows may belong to somebody else.

use std::ops::Range;

use super::predicate::{Found, agreeing_noun};
use super::sentence::{Kind, Sentence};
use super::tags::Tags;
use crate::Gender;

/// Which words a rule counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// Adjectives and participles.
    Forms,
    /// Nouns for persons that show a gender.
    Persons,
}

/// "Esu laimingas", "אני עייפה", "كنت سعيدة": the complement of a first-person verb, of an
/// infinitive "to be" under one, or of the pronoun alone (present tense without a copula).
pub(crate) fn complement(sentence: &Sentence, counted: Counted) -> Option<Found> {
    (0..sentence.len()).find_map(|anchor| {
        let tags = sentence.tags(anchor);
        let infinitive = tags.any(Tags::INFINITIVE);
        let anchors = if infinitive {
            tags.any(Tags::FEEL) && own_anchor(sentence, sentence.clause(anchor)).is_some()
        } else if tags.any(Tags::SPEAKER) {
            !is_compared(sentence, anchor)
        } else {
            // "Plaukiau nuogas": any verb of the speaker's may have an adjective, but not a noun;
            // "laikau" (consider) has one only beside "myself".
            let considers = tags.any(Tags::GOVERNS);
            let myself = anchor + 1 < sentence.len()
                && sentence.tags(anchor + 1).any(Tags::REFLEXIVE);
            let finite = counted == Counted::Forms && tags.any(Tags::FINITE) && !considers;
            tags.any(Tags::FEEL) || finite || (considers && myself)
        };
        if !anchors || others_before(sentence, anchor) {
            return None;
        }
        let after = anchor + 1..sentence.clause(anchor).end;
        let copular = tags.any(Tags::FEEL | Tags::SPEAKER);
        let found = after_anchor(sentence, after, counted, copular);
        let verb = tags.any(Tags::FEEL) && !tags.any(Tags::INFINITIVE);
        let before = || match verb {
            true => before_anchor(sentence, anchor, counted),
            false => None,
        };
        found.or_else(before).map(|found| found.at(anchor))
    })
}

/// "Kaip vadovas, aš ...": a noun for the speaker behind "as".
pub(crate) fn role(sentence: &Sentence, word: &str) -> Option<Found> {
    sentence.all(word).find_map(|opener| {
        let clause = sentence.clause(opener);
        let noun = (opener + 1..clause.end).find(|&index| {
            !sentence
                .tags(index)
                .any(Tags::OBLIQUE | Tags::DETERMINER | Tags::ADJ_MF | Tags::ADJ_X)
        })?;
        let gender = gender_of(sentence.tags(noun), Tags::PERSON_M, Tags::PERSON_F)?;
        let own = |range: Range<usize>| own_anchor(sentence, range);
        let rest = noun + 1..clause.end;
        let closed = rest.clone().all(|index| is_sign(sentence, index));
        let anchor = if closed {
            own(clause.start..opener).or_else(|| following(sentence, clause.end).and_then(own))
        } else {
            let next = rest.clone().find(|&index| !is_sign(sentence, index))?;
            let light = Tags::ADVERB | Tags::CLITIC;
            let reached =
                (next..rest.end).find(|&index| !sentence.tags(index).any(light))?;
            sentence.tags(reached).any(Tags::OWN).then_some(reached)
        };
        Some(Found::new(gender, noun).at(anchor?))
    })
}

/// "Įėjęs į kambarį, pamačiau": a participle that describes the subject of a first-person verb.
pub(crate) fn participle(sentence: &Sentence) -> Option<Found> {
    (0..sentence.len()).find_map(|token| {
        let tags = sentence.tags(token);
        let converb = tags.any(Tags::CONVERB);
        // "Prieš eidamas": only half-participles stand behind a conjunction that is a preposition too.
        if !tags.is_own_past() || (!converb && is_under_preposition(sentence, token)) {
            return None;
        }
        let gender = gender_of(tags, Tags::PAST_M, Tags::PAST_F)?;
        let clause = sentence.clause(token);
        if !converb && attributed_noun(sentence, token, gender).is_some() {
            return None;
        }
        let phrase = sentence.phrase(token);
        let anchor = own_anchor(sentence, phrase.clone()).or_else(|| {
            // A noun that could be the subject of the participle speaks against the speaker.
            let own = Tags::AUX | Tags::OTHER_SUBJECT;
            if (!converb && has_nominative(sentence, phrase.clone(), gender))
                || has_nominative(sentence, phrase.start..token, gender)
                || names_subject(sentence, token + 1, gender)
                || clause.clone().any(|index| sentence.tags(index).any(own))
            {
                return None;
            }
            own_anchor(sentence, clause.clone()).or_else(|| beside(sentence, clause))
        })?;
        Some(Found::new(gender, token).at(anchor))
    })
}

/// The first person of the clause before or after one that has no verb of its own: "Pastebėjęs,
/// kad lyja, grįžau". Clauses that only depend on either are passed over.
fn beside(sentence: &Sentence, clause: Range<usize>) -> Option<usize> {
    if sentence.tags(clause.start).any(Tags::SUBORD) {
        return None;
    }
    let own = |range: &Range<usize>| {
        // "Manau" between commas is no clause that anything could belong to.
        let words = range.clone().filter(|&index| !is_sign(sentence, index));
        let anchor = own_anchor(sentence, range.clone())?;
        (words.count() > 1).then_some(anchor)
    };
    let before = clause.start.checked_sub(1).map(|end| sentence.clause(end));
    let after = following(sentence, clause.end);
    let beyond = after.clone().filter(|next| sentence.tags(next.start).any(Tags::SUBORD));
    let beyond = beyond.and_then(|next| following(sentence, next.end));
    let (before, after) = (before.as_ref(), after.as_ref());
    before.and_then(own).or_else(|| after.and_then(own)).or_else(|| beyond.as_ref().and_then(own))
}

/// The clause that begins at `start`.
fn following(sentence: &Sentence, start: usize) -> Option<Range<usize>> {
    (start < sentence.len()).then(|| sentence.clause(start))
}

/// "Gyvenu viena", "pats nusprendžiau": a word for "alone" or "myself" beside a first-person verb.
pub(crate) fn alone(sentence: &Sentence) -> Option<Found> {
    (0..sentence.len()).find_map(|token| {
        let tags = sentence.tags(token);
        let gender = gender_of(tags, Tags::SELF_M, Tags::SELF_F)?;
        let phrase = sentence.phrase(token);
        let next = (token + 1..phrase.end).find(|&index| !is_sign(sentence, index));
        let dative = tags & Tags::OBLIQUE;
        let nominal = agreeing(gender) | Tags::BINDS | Tags::ADJ_MF | dative;
        if next.is_some_and(|next| sentence.tags(next).any(nominal) || sentence.tags(next).is_empty())
            || is_under_preposition(sentence, token)
            || previous(sentence, token).is_some_and(|before| sentence.tags(before).any(agreeing(gender)))
        {
            return None;
        }
        // "Man vienam": in the dative only beside "to me".
        let anchor = match tags.any(Tags::OBLIQUE) {
            true => phrase.into_iter().find(|&index| sentence.tags(index).any(Tags::TO_ME)),
            false => own_anchor(sentence, phrase),
        };
        Some(Found::new(gender, token).at(anchor?))
    })
}

/// Hindi: the verb ends its clause. "... जाती हूँ" says "I" by itself; "मैं ... गई" by its pronoun.
pub(crate) fn verb_final(sentence: &Sentence, counted: Counted) -> Option<Found> {
    let mut start = 0;
    while start < sentence.len() {
        let phrase = sentence.phrase(start);
        start = phrase.end;
        if phrase.clone().any(|index| sentence.tags(index).any(Tags::OTHER_SUBJECT)) {
            continue;
        }
        if let Some(found) = last_verb(sentence, phrase, counted) {
            return Some(found);
        }
    }
    None
}

/// The gendered word at the end of a phrase that speaks of the speaker.
fn last_verb(sentence: &Sentence, phrase: Range<usize>, counted: Counted) -> Option<Found> {
    let mut anchor = None;
    let mut last = None;
    for index in phrase.clone().rev() {
        let tags = sentence.tags(index);
        if tags.any(Tags::FIRST) {
            anchor = Some(index);
        } else if !is_sign(sentence, index) && !tags.any(Tags::ADVERB | Tags::CLITIC) {
            last = Some(index);
            break;
        }
    }
    let last = last?;
    let pronoun = || phrase.clone().take_while(|&index| index < last).find(|&index| sentence.tags(index).any(Tags::SPEAKER));
    let anchor = anchor.or_else(pronoun)?;
    let tags = sentence.tags(last);
    let gender = match counted {
        Counted::Forms => gender_of(tags, Tags::PAST_M, Tags::PAST_F)
            .filter(|_| !tags.any(Tags::PAST_X))
            .or_else(|| gender_of(tags, Tags::ADJ_M, Tags::ADJ_F)),
        Counted::Persons => gender_of(tags, Tags::PERSON_M, Tags::PERSON_F),
    }?;
    Some(Found::new(gender, last).at(anchor))
}

/// The complement in `range`, which begins behind its anchor.
fn after_anchor(
    sentence: &Sentence,
    range: Range<usize>,
    counted: Counted,
    copular: bool,
) -> Option<Found> {
    let mut index = range.start;
    while index < range.end {
        let tags = sentence.tags(index);
        // Another verb is an anchor of its own: "Aš esu", "אני הייתי".
        let stop = Tags::OTHER_SUBJECT | Tags::COMPARISON | Tags::FEEL | Tags::FINITE | Tags::AUX;
        let sign = is_sign(sentence, index);
        if sentence.tokens[index].kind == Kind::Break || tags.any(stop) {
            return None;
        } else if tags.any(Tags::COORD) && !joins_obliques(sentence, index) {
            return None;
        } else if sign || tags.any(Tags::ADVERB | Tags::CLITIC | Tags::SPEAKER | Tags::COORD) {
            index += 1;
        } else if tags.any(Tags::PREPOSITION) {
            index = after_prepositional(sentence, index + 1, range.end);
        } else if tags.any(Tags::ADJ_MF | Tags::PAST_MF) && !tags.any(Tags::PAST_X) {
            if !copular && leads_to_noun(sentence, index, range.end) {
                return None;
            }
            return described(sentence, index, counted);
        } else if tags.any(Tags::PERSON_MF) {
            return person(sentence, index, counted);
        } else if tags.any(Tags::OBLIQUE | Tags::DETERMINER | Tags::ADJ_X | Tags::DEFINITE) {
            index += 1;
        } else {
            return None;
        }
    }
    None
}

/// The complement right before its verb: "Pavargęs esu", "Koks laimingas buvau".
fn before_anchor(sentence: &Sentence, anchor: usize, counted: Counted) -> Option<Found> {
    let start = sentence.phrase(anchor).start;
    let light = Tags::ADVERB | Tags::CLITIC | Tags::SPEAKER;
    let index = (start..anchor)
        .rev()
        .find(|&index| !is_sign(sentence, index) && !sentence.tags(index).any(light))?;
    let tags = sentence.tags(index);
    if tags.any(Tags::ADVERB) || is_under_preposition(sentence, index) {
        None
    } else if tags.any(Tags::ADJ_MF | Tags::PAST_MF) && !tags.any(Tags::PAST_X) {
        described(sentence, index, counted)
    } else {
        person(sentence, index, counted)
    }
}

/// An adjective that describes the speaker, or the noun it belongs to if that is a person.
fn described(sentence: &Sentence, index: usize, counted: Counted) -> Option<Found> {
    let tags = sentence.tags(index);
    let gender = gender_of(tags, Tags::ADJ_M | Tags::PAST_M, Tags::ADJ_F | Tags::PAST_F)?;
    match (attributed_noun(sentence, index, gender), counted) {
        (Some(noun), _) => person(sentence, noun, counted),
        (None, Counted::Forms) => Some(Found::new(gender, index)),
        (None, Counted::Persons) => None,
    }
}

/// Whether an adjective behind a verb with an object may belong to a noun further on ("kūriau
/// pritaikytas investavimo strategijas").
fn leads_to_noun(sentence: &Sentence, index: usize, end: usize) -> bool {
    let Some(gender) = sentence.tags(index).gender() else {
        return true;
    };
    let inner = Tags::OBLIQUE | Tags::DETERMINER | Tags::ADJ_X;
    let noun = (index + 1..end).find(|&next| !sentence.tags(next).any(inner));
    noun.is_some_and(|noun| noun > index + 1 && sentence.tags(noun).any(agreeing(gender)))
}

fn person(sentence: &Sentence, index: usize, counted: Counted) -> Option<Found> {
    let gender = gender_of(sentence.tags(index), Tags::PERSON_M, Tags::PERSON_F)?;
    (counted == Counted::Persons).then(|| Found::new(gender, index))
}

/// The noun that the adjective at `index` is the attribute of.
fn attributed_noun(sentence: &Sentence, index: usize, gender: Gender) -> Option<usize> {
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
        } else if tags.any(shape) {
            governs = tags.any(Tags::GOVERNS);
        } else {
            let noun = sentence.tokens[next].kind == Kind::Word && tags.any(agreeing(gender));
            return (noun && !governs).then_some(next);
        }
    }
    None
}

/// Nouns that an adjective of this gender could belong to.
fn agreeing(gender: Gender) -> Tags {
    match gender {
        Gender::Masculine => agreeing_noun(Tags::ADJ_M) | Tags::PERSON_M,
        Gender::Feminine => agreeing_noun(Tags::ADJ_F) | Tags::PERSON_F,
    }
}

/// Whether a conjunction stands between two nouns that only lead to the complement ("verslo ir
/// mokslo ekspertas") or at the very start ("esu ir laiminga").
fn joins_obliques(sentence: &Sentence, index: usize) -> bool {
    let inner = Tags::OBLIQUE | Tags::ADJ_X;
    let (before, after) = (index.checked_sub(1), index + 1);
    let first = before.is_some_and(|before| sentence.tags(before).any(Tags::FEEL | Tags::ADVERB));
    let between = before.is_some_and(|before| sentence.tags(before).any(inner))
        && after < sentence.len()
        && sentence.tags(after).any(inner);
    first || between
}

/// Steps over the noun phrase of a preposition: its first word whatever it is, then what can only
/// belong to it.
fn after_prepositional(sentence: &Sentence, from: usize, end: usize) -> usize {
    let inner = Tags::OBLIQUE | Tags::DETERMINER | Tags::ADJ_X;
    let mut index = from;
    while index < end && sentence.tags(index).any(Tags::DETERMINER) {
        index += 1;
    }
    // "Nuo to priklausomas": a pronoun may be all there is.
    let pronoun = index > from && sentence.tags(index - 1).any(Tags::CLITIC);
    let nominative = Tags::ADJ_MF | Tags::PAST_MF | Tags::PERSON_MF;
    if !(pronoun && index < end && sentence.tags(index).any(nominative)) {
        index = (index + 1).min(end);
    }
    while index < end && sentence.tags(index).any(inner) {
        index += 1;
    }
    index
}

/// Whether a word stands right behind a preposition, or behind its attributes.
fn is_under_preposition(sentence: &Sentence, token: usize) -> bool {
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

/// The word before, in the same phrase.
fn previous(sentence: &Sentence, token: usize) -> Option<usize> {
    let start = sentence.phrase(token).start;
    (start..token).rev().find(|&index| !is_sign(sentence, index))
}

/// Whether the pronoun at `anchor` only takes part in a comparison ("than I").
fn is_compared(sentence: &Sentence, anchor: usize) -> bool {
    let before = anchor.checked_sub(1);
    before.is_some_and(|before| sentence.tags(before).any(Tags::COMPARISON))
}

/// Whether somebody else is the subject before `anchor` in its phrase ("jis ir aš").
fn others_before(sentence: &Sentence, anchor: usize) -> bool {
    (sentence.phrase(anchor).start..anchor).any(|index| sentence.tags(index).any(Tags::OTHER_SUBJECT))
}

/// The word that says "I" in `range`, if nobody else is its subject.
fn own_anchor(sentence: &Sentence, range: Range<usize>) -> Option<usize> {
    if range.clone().any(|index| sentence.tags(index).any(Tags::OTHER_SUBJECT)) {
        return None;
    }
    let own = range.clone().find(|&index| {
        let tags = sentence.tags(index);
        tags.any(Tags::OWN) && !tags.any(Tags::INFINITIVE)
    });
    // "Man patinka": the speaker is whom it pleases.
    let find = |wanted: Tags| range.clone().find(|&index| sentence.tags(index).any(wanted));
    own.or_else(|| find(Tags::IMPERSONAL).and_then(|_| find(Tags::TO_ME)))
}

/// Whether a person is named right behind a participle: "kirpdamas tėvas".
fn names_subject(sentence: &Sentence, next: usize, gender: Gender) -> bool {
    let person = match gender {
        Gender::Masculine => Tags::PERSON_M,
        Gender::Feminine => Tags::PERSON_F,
    };
    next < sentence.len() && sentence.tags(next).any(person)
}

fn has_nominative(sentence: &Sentence, mut range: Range<usize>, gender: Gender) -> bool {
    range.any(|index| sentence.tags(index).any(agreeing(gender)) && !is_under_preposition(sentence, index))
}

fn gender_of(tags: Tags, masculine: Tags, feminine: Tags) -> Option<Gender> {
    match (tags.any(masculine), tags.any(feminine)) {
        (true, false) => Some(Gender::Masculine),
        (false, true) => Some(Gender::Feminine),
        _ => None,
    }
}

fn is_sign(sentence: &Sentence, index: usize) -> bool {
    matches!(sentence.tokens[index].kind, Kind::Break | Kind::Mark)
}
