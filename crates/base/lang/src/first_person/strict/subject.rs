//! The verb or predicate of the pronoun "I".

use super::auxiliary::{CLAUSES_AHEAD, behind_insertion};
use super::clause::{gendered, is_noun, is_quotation, subject_of};
use super::predicates::sure;
use crate::first_person::head;
use crate::first_person::predicate::{Found, Predicate};
use crate::first_person::sentence::{Kind, Sentence};
use crate::first_person::tags::Tags;

/// The gender of the pronoun "I" at `anchor`.
pub(crate) fn of_subject(sentence: &Sentence, anchor: usize) -> Option<Found> {
    let clause = sentence.clause(anchor);
    // "как и я": somebody is like the speaker.
    let before = (clause.start..anchor)
        .rev()
        .find(|&index| !sentence.tags(index).any(Tags::COORD));
    let compared = before.is_some_and(|index| sentence.tags(index).any(Tags::COMPARISON));
    let Some(found) = head::of_subject(sentence, anchor).filter(|&found| {
        !is_noun(sentence, found.token)
            && gendered(sure(sentence, Predicate::Gendered(found))).is_some()
    }) else {
        let verb = Tags::PAST_MF | Tags::PAST_X | Tags::OWN | Tags::MAYBE_FINITE | Tags::INFINITIVE;
        let said = clause
            .clone()
            .any(|index| index != anchor && sentence.tags(index).any(verb | Tags::ADJ_MF));
        return if said || compared {
            None
        } else {
            behind_insertion(sentence, anchor)
        };
    };
    if compared && sentence.tokens[found.token].phrase != sentence.tokens[anchor].phrase {
        return None;
    }
    if clause.contains(&found.token) {
        return Some(found);
    }
    // Behind an insertion that has no verb of its own in the first person.
    let near = sentence.tokens[found.token].clause - sentence.tokens[anchor].clause;
    let between = clause.end..sentence.clause(found.token).start;
    let verb = Tags::OWN | Tags::MAYBE_FINITE;
    let bare = between.clone().all(|index| !sentence.tags(index).any(verb));
    // A quotation ends there, with its speaker behind: "— Это ты и я, — прошептала Анна".
    let quoted = (anchor + 2..found.token).any(|index| {
        is_quotation(sentence, index) || matches!(sentence.word(index), "—" | "–" | "-")
    });
    let nouns = subject_of(found.gender);
    let named = sentence.clause(found.token).any(|index| {
        let tags = sentence.tags(index);
        index < found.token && tags.any(nouns | Tags::SUBORD)
            || index == found.token + 1 && sentence.tokens[index].kind == Kind::Name
    });
    (usize::from(near) <= CLAUSES_AHEAD && bare && !named && !quoted).then_some(found)
}
