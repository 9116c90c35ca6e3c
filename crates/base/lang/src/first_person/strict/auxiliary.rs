//! The participle or adjective of a first-person auxiliary, where nobody else can claim it.
//!
//! Where `head` predicts what a parser would conclude, this refuses: a participle that another
//! auxiliary or an overt subject may take, or that stands behind another clause, is nobody's.

use std::ops::Range;

use super::clause::{has_third, is_noun, is_quotation, subject_of};
use super::predicates::sure;
use super::words::is_first;
use crate::first_person::head::{self, Auxiliary, AuxiliaryKind};
use crate::first_person::predicate::{Found, Predicate, adjective, predicate};
use crate::first_person::sentence::{Kind, Sentence};
use crate::first_person::tags::Tags;

/// Clauses looked at behind the one of an auxiliary that has found nothing yet.
pub(crate) const CLAUSES_AHEAD: usize = 2;

/// The gender of the first-person auxiliary at `anchor`.
pub(crate) fn of_auxiliary(
    sentence: &Sentence,
    anchor: usize,
    auxiliary: Auxiliary,
) -> Option<Found> {
    let phrase = sentence.phrase(anchor);
    let other = match auxiliary.kind {
        AuxiliaryKind::Plain | AuxiliaryKind::CopulaOnly | AuxiliaryKind::Homonym => false,
        AuxiliaryKind::LeaningHomonym => !leans(sentence, anchor),
        AuxiliaryKind::AnyPerson => !beside_pronoun(sentence, anchor),
    };
    if other {
        return None;
    }
    let homonym = matches!(
        auxiliary.kind,
        AuxiliaryKind::Homonym | AuxiliaryKind::LeaningHomonym
    );
    let takes_participle = auxiliary.kind != AuxiliaryKind::CopulaOnly;
    if takes_participle && let Some(found) = participle(sentence, anchor, phrase.clone()) {
        return (!homonym || !is_claimed(sentence, anchor, found.token)).then_some(found);
    }
    if homonym && has_third(sentence, phrase.clone()) {
        return None;
    }
    let after = match predicate(sentence, anchor + 1, phrase.end, Tags::ADJ_MF) {
        Predicate::Nothing => coordinated(sentence, phrase.end, Tags::ADJ_MF),
        found => found,
    };
    let after = sure(sentence, after);
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

/// The adjective that goes on after a conjunction: "jsem asertivní a silná".
fn coordinated(sentence: &Sentence, from: usize, forms: Tags) -> Predicate {
    let light = Tags::COORD | Tags::ADVERB;
    let first = (from..sentence.len()).find(|&index| !sentence.tags(index).any(light));
    match first {
        Some(first)
            if first > from
                && sentence.tokens[first].phrase == sentence.tokens[from].phrase
                && sentence.tags(first).any(forms) =>
        {
            adjective(sentence, first, forms)
        }
        _ => Predicate::Nothing,
    }
}

/// Whether another finite verb takes the participle at `token`: "se je peljala sem", "nije morao
/// raditi sam", but not "što sam želio nije bilo važno".
fn is_claimed(sentence: &Sentence, anchor: usize, token: usize) -> bool {
    let phrase = sentence.phrase(token);
    (phrase.start..token).any(|index| {
        let tags = sentence.tags(index);
        tags.any(Tags::THIRD) && !tags.any(Tags::CLITIC) && (anchor > token || index > anchor)
    })
}

/// Whether a word stands before the clitic that can carry it: no clitic opens a clause or follows
/// "i", "a" or a preposition.
fn leans(sentence: &Sentence, anchor: usize) -> bool {
    let phrase = sentence.phrase(anchor);
    // The auxiliary stands before the pronouns of its cluster: "se Ana sam predala" is "alone".
    let opener = (phrase.start..anchor)
        .rev()
        .find(|&index| sentence.tags(index).any(Tags::SUBORD));
    let mut cluster = opener.unwrap_or(phrase.start)..anchor;
    if cluster.any(|index| {
        matches!(
            sentence.word(index),
            "se" | "ga" | "mu" | "joj" | "ih" | "ju" | "je" | "si" | "ste" | "su"
        )
    }) {
        return false;
    }
    let mut before = (phrase.start..anchor).rev();
    let before = before.find(|&index| sentence.tokens[index].kind != Kind::Mark);
    before.is_some_and(|index| {
        let tags = sentence.tags(index);
        let proclitic = tags.any(Tags::COORD) && matches!(sentence.word(index), "i" | "a");
        !proclitic && !tags.any(Tags::PREPOSITION)
    })
}

/// Whether "sam" at `token` is "alone" beside another first-person auxiliary: "kad sam dugo sam".
pub(crate) fn is_alone(sentence: &Sentence, token: usize) -> bool {
    let auxiliary = |index: usize| {
        let tags = sentence.tags(index);
        tags.any(Tags::FIRST) && tags.any(Tags::AUX)
    };
    sentence.clause(token).start < token
        && (sentence.clause(token).start..token).any(auxiliary)
        && !has_third(sentence, sentence.phrase(token))
}

/// Whether an auxiliary that fits every person is the speaker's: beside the pronoun; or in a
/// clause without a subject, "da bi ..." before a first-person clause, or "rad bi" in a sentence
/// that has one.
fn beside_pronoun(sentence: &Sentence, anchor: usize) -> bool {
    let clause = sentence.clause(anchor);
    let has = |tags: Tags| clause.clone().any(|index| sentence.tags(index).any(tags));
    if has_third(sentence, clause.clone()) || has(Tags::OTHER_SUBJECT) {
        return false;
    }
    let mut phrase = sentence.phrase(anchor);
    if phrase.any(|index| sentence.tags(index).any(Tags::SPEAKER)) {
        return true;
    }
    let subject = (clause.start..anchor)
        .chain(anchor + 1..clause.end)
        .any(|index| {
            let tags = sentence.tags(index);
            let prepositional = index > 0 && sentence.tags(index - 1).any(Tags::PREPOSITION);
            tags.any(Tags::NOUN_M | Tags::NOUN_F) && !prepositional
        });
    if subject {
        return false;
    }
    let own = |range: Range<usize>| {
        let mut range = range;
        range.any(|index| is_first(sentence, index))
    };
    let purpose = clause.start == 0 && sentence.word(0) == "da" && clause.end < sentence.len();
    if purpose {
        return own(sentence.clause(clause.end));
    }
    let wish = clause
        .clone()
        .any(|index| matches!(sentence.word(index), "rad" | "rada"));
    // "Rad bi, da ona pride": nobody else is named.
    let opens = anchor == clause.start + 1
        && matches!(sentence.word(clause.start), "rad" | "rada")
        && !(0..clause.start)
            .any(|index| sentence.tags(index).any(Tags::OTHER_SUBJECT | Tags::THIRD));
    wish && (opens || own(0..clause.start) || own(clause.end..sentence.len()))
}

/// The participle of `range` nearest to `anchor`.
pub(crate) fn participle(sentence: &Sentence, anchor: usize, range: Range<usize>) -> Option<Found> {
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

/// Whether no other subject or auxiliary stands in the phrase of `token`.
fn unclaimed(sentence: &Sentence, token: usize) -> bool {
    let others = Tags::AUX | Tags::OTHER_SUBJECT | Tags::THIRD;
    let mut phrase = sentence.phrase(token);
    phrase.all(|index| !sentence.tags(index).any(others))
}

/// The participle behind an inserted clause: "ja som si v tichu, ktoré nastalo, pomyslel".
pub(crate) fn behind_insertion(sentence: &Sentence, anchor: usize) -> Option<Found> {
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
