//! The strict mode's "whose form is this?": what certainly belongs to a first-person word.
//!
//! Where `head` predicts what a parser would conclude, this refuses: a participle that another
//! auxiliary or an overt subject may claim, or that stands behind another clause, is nobody's.

use std::ops::Range;

use super::head::{self, Auxiliary, AuxiliaryKind};
use super::predicate::{Found, Predicate, adjective, agreeing_noun, predicate};
use super::sentence::{Kind, Sentence};
use super::tags::Tags;
use crate::Gender;

/// Clauses looked at behind the one of an auxiliary that has found nothing yet.
const CLAUSES_AHEAD: usize = 2;

/// The gender of the first-person auxiliary at `anchor`.
pub(crate) fn of_auxiliary(
    sentence: &Sentence,
    anchor: usize,
    auxiliary: Auxiliary,
) -> Option<Found> {
    let phrase = sentence.phrase(anchor);
    let other = match auxiliary.kind {
        AuxiliaryKind::Plain | AuxiliaryKind::CopulaOnly => false,
        AuxiliaryKind::Homonym => is_claimed(sentence, anchor),
        AuxiliaryKind::LeaningHomonym => is_claimed(sentence, anchor) || !leans(sentence, anchor),
        AuxiliaryKind::AnyPerson => !beside_pronoun(sentence, anchor),
    };
    if other {
        return None;
    }
    let takes_participle = auxiliary.kind != AuxiliaryKind::CopulaOnly;
    if takes_participle && let Some(found) = participle(sentence, anchor, phrase.clone()) {
        return Some(found);
    }
    let after = predicate(sentence, anchor + 1, phrase.end, Tags::ADJ_MF);
    let before = head::adjective_before(sentence, anchor, phrase.start);
    match (before, after) {
        // "Dober sem kuhar": one noun phrase around the copula.
        (Some(found), Predicate::Other(noun)) if head::agree(sentence, found.token, noun) => {
            return None;
        }
        (Some(found), _) | (None, Predicate::Gendered(found)) => return Some(found),
        (None, _) => {}
    }
    // "Som v práci a doma varila": the participle behind a conjunction.
    if !takes_participle {
        return None;
    }
    let clause = sentence.clause(anchor);
    let further = participle(sentence, anchor, phrase.end..clause.end);
    if let Some(found) = further {
        return unclaimed(sentence, found.token).then_some(found);
    }
    match after {
        Predicate::Nothing => behind_insertion(sentence, anchor),
        _ => None,
    }
}

/// Whether another finite verb stands in the phrase: "se je peljala sem" is no "sem peljala".
fn is_claimed(sentence: &Sentence, anchor: usize) -> bool {
    sentence.phrase(anchor).any(|index| {
        let tags = sentence.tags(index);
        tags.any(Tags::THIRD) && !tags.any(Tags::CLITIC)
    })
}

/// Whether a word stands before the clitic that can carry it: no clitic opens a clause or follows
/// "i", "a" or a preposition.
fn leans(sentence: &Sentence, anchor: usize) -> bool {
    let mut before = (sentence.phrase(anchor).start..anchor).rev();
    let before = before.find(|&index| sentence.tokens[index].kind != Kind::Mark);
    before.is_some_and(|index| {
        let tags = sentence.tags(index);
        !(tags.any(Tags::COORD) && matches!(sentence.word(index), "i" | "a"))
            && !tags.any(Tags::PREPOSITION)
    })
}

fn beside_pronoun(sentence: &Sentence, anchor: usize) -> bool {
    let mut phrase = sentence.phrase(anchor);
    phrase.any(|index| sentence.tags(index).any(Tags::SPEAKER)) && !is_claimed(sentence, anchor)
}

/// The participle of `range` nearest to `anchor`.
fn participle(sentence: &Sentence, anchor: usize, range: Range<usize>) -> Option<Found> {
    let token = range
        .filter(|&index| index != anchor && sentence.tags(index).is_own_past())
        .filter(|&index| !is_noun(sentence, index))
        .min_by_key(|&index| {
            let doubt = index < anchor && !head::opens_phrase(sentence, index);
            (
                sentence.crossings(index, anchor),
                doubt,
                index.abs_diff(anchor),
            )
        })?;
    head::own_past(sentence, token)
}

/// A noun that ends like a participle: after a preposition, or a genitive after its attribute
/// ("mého anděla", but "co vtipného řekl").
fn is_noun(sentence: &Sentence, index: usize) -> bool {
    let Some(before) = index.checked_sub(1).map(|before| sentence.tags(before)) else {
        return false;
    };
    before.any(Tags::PREPOSITION)
        || (before.any(Tags::GENITIVE) && sentence.tags(index).any(Tags::PAST_F))
}

/// Whether no other subject or auxiliary stands in the phrase of `token`.
fn unclaimed(sentence: &Sentence, token: usize) -> bool {
    let others = Tags::AUX | Tags::OTHER_SUBJECT | Tags::THIRD;
    let mut phrase = sentence.phrase(token);
    phrase.all(|index| !sentence.tags(index).any(others))
}

/// The participle behind an inserted clause: "ja som si v tichu, ktoré nastalo, pomyslel".
fn behind_insertion(sentence: &Sentence, anchor: usize) -> Option<Found> {
    let clause = sentence.clause(anchor);
    if sentence.tags(clause.start).any(Tags::SUBORD) {
        return None;
    }
    let mut end = clause.end;
    for _ in 0..CLAUSES_AHEAD {
        if end >= sentence.len() || sentence.word(end - 1) != "," {
            return None;
        }
        let clause = sentence.clause(end);
        if clause.clone().any(|index| is_quotation(sentence, index)) {
            return None;
        }
        let opens = sentence.tags(clause.start);
        if !opens.any(Tags::SUBORD | Tags::PREPOSITION | Tags::COORD) {
            let subject = Tags::AUX | Tags::OTHER_SUBJECT | Tags::THIRD | Tags::SPEAKER;
            if clause
                .clone()
                .any(|index| sentence.tags(index).any(subject))
            {
                return None;
            }
            let own = |index| head::own_past(sentence, index);
            let Some(found) = clause.clone().find_map(own) else {
                end = clause.end;
                continue;
            };
            // A noun that could be the subject of this verb.
            let nouns = subject_of(found.gender);
            let named = clause
                .clone()
                .any(|index| index != found.token && sentence.tags(index).any(nouns));
            return (!named).then_some(found);
        }
        if clause
            .clone()
            .any(|index| sentence.tags(index).any(Tags::OWN))
        {
            return None;
        }
        end = clause.end;
    }
    None
}

fn is_quotation(sentence: &Sentence, index: usize) -> bool {
    sentence.tokens[index].kind == Kind::Mark
        && matches!(
            sentence.word(index),
            "\"" | "„" | "“" | "”" | "«" | "»" | "‚" | "‘" | "’" | "›" | "‹"
        )
}

fn subject_of(gender: Gender) -> Tags {
    match gender {
        Gender::Masculine => agreeing_noun(Tags::ADJ_M),
        Gender::Feminine => agreeing_noun(Tags::ADJ_F),
    }
}

/// The gender of the pronoun "I" at `anchor`.
pub(crate) fn of_subject(sentence: &Sentence, anchor: usize) -> Option<Found> {
    let clause = sentence.clause(anchor);
    // "как и я": somebody is like the speaker.
    let before = (clause.start..anchor)
        .rev()
        .find(|&index| !sentence.tags(index).any(Tags::COORD));
    if before.is_some_and(|index| sentence.tags(index).any(Tags::COMPARISON)) {
        return None;
    }
    let found = head::of_subject(sentence, anchor)?;
    if clause.contains(&found.token) {
        return Some(found);
    }
    // Behind an insertion that has no verb of its own in the first person.
    let near = sentence.tokens[found.token].clause - sentence.tokens[anchor].clause;
    let between = clause.end..sentence.clause(found.token).start;
    let verb = Tags::OWN | Tags::MAYBE_FINITE;
    let bare = between.clone().all(|index| !sentence.tags(index).any(verb));
    let quoted = (anchor..found.token).any(|index| is_quotation(sentence, index));
    let nouns = subject_of(found.gender);
    let named = sentence
        .clause(found.token)
        .any(|index| index < found.token && sentence.tags(index).any(nouns | Tags::SUBORD));
    (usize::from(near) <= CLAUSES_AHEAD && bare && !named && !quoted).then_some(found)
}

/// Whether the word at `index` puts its phrase in the first person: listed, or ending so and not
/// standing where a noun would.
fn is_first(sentence: &Sentence, index: usize) -> bool {
    let tags = sentence.tags(index);
    if tags.any(Tags::OWN) {
        return true;
    }
    let nominal =
        Tags::PREPOSITION | Tags::ADJ_X | Tags::DETERMINER | Tags::GENITIVE | Tags::INS_MF;
    tags.any(Tags::MAYBE_FINITE)
        && !(index > 0 && sentence.tags(index - 1).any(nominal))
        && sentence.tokens[index].kind == Kind::Word
}

/// Whether the phrase of `index`, or the rest of its clause where the phrase has no verb, is in
/// the first person singular and has no other subject.
pub(crate) fn is_own(sentence: &Sentence, index: usize) -> bool {
    let other = |index: usize| {
        let tags = sentence.tags(index);
        tags.any(Tags::OTHER_SUBJECT) || (tags.any(Tags::THIRD) && !tags.any(Tags::CLITIC))
    };
    let phrase = sentence.phrase(index);
    if phrase.clone().any(other) {
        return false;
    }
    if phrase
        .clone()
        .any(|place| place != index && is_first(sentence, place))
    {
        return true;
    }
    let clause = sentence.clause(index);
    let verb = Tags::PAST_MF | Tags::PAST_X | Tags::AUX;
    !phrase.clone().any(|index| sentence.tags(index).any(verb))
        && !clause.clone().any(other)
        && clause
            .clone()
            .any(|place| place != index && sentence.tags(place).any(Tags::OWN))
}

/// "Sám", "rád", "один" of the speaker: in an own phrase, and no attribute of a noun after it.
pub(crate) fn own_word(sentence: &Sentence, token: usize, gender: Gender) -> Option<Found> {
    if !is_own(sentence, token) {
        return None;
    }
    let next = token + 1;
    let noun = next < sentence.clause(token).end && {
        let tags = sentence.tags(next);
        let verb = Tags::OWN | Tags::PAST_MF | Tags::MAYBE_FINITE | Tags::INFINITIVE | Tags::CLITIC;
        let other = Tags::PREPOSITION | Tags::ADVERB | Tags::AUX | Tags::COORD | Tags::SUBORD;
        tags.any(subject_of(gender)) && !tags.any(verb | other | Tags::ADJ_MF)
    };
    (!noun).then(|| Found::new(gender, token))
}

/// The adjective of a first-person verb of feeling at `anchor`.
pub(crate) fn of_feeling(sentence: &Sentence, anchor: usize, forms: Tags) -> Option<Found> {
    let phrase = sentence.phrase(anchor);
    let tags = sentence.tags(anchor);
    let reflexive = phrase
        .clone()
        .any(|index| sentence.tags(index).any(Tags::REFLEXIVE));
    if tags.any(Tags::CONSIDER) && !reflexive {
        return None;
    }
    if phrase
        .clone()
        .any(|index| sentence.tags(index).any(Tags::OTHER_SUBJECT))
    {
        return None;
    }
    if let Predicate::Gendered(found) = predicate(sentence, anchor + 1, phrase.end, forms) {
        return Some(found);
    }
    // "Sama se cítím", "Silná zostanem".
    let before = (phrase.start..anchor).rev().find(|&index| {
        let light = Tags::CLITIC | Tags::ADVERB | Tags::AUX | Tags::SPEAKER;
        !sentence.tags(index).any(light)
    })?;
    match sentence.tags(before).any(forms) {
        true => match adjective(sentence, before, forms) {
            Predicate::Gendered(found) => Some(found),
            _ => None,
        },
        false => None,
    }
}

/// The participle of a word with a first-person ending at `anchor`: behind it, else before it.
pub(crate) fn of_carrier(sentence: &Sentence, anchor: usize) -> Option<Found> {
    let clause = sentence.clause(anchor);
    let behind = (anchor + 1..clause.end).find_map(|index| head::own_past(sentence, index));
    behind.or_else(|| {
        let phrase = sentence.phrase(anchor);
        let mut before = (phrase.start..anchor).rev();
        before.find_map(|index| head::own_past(sentence, index))
    })
}
