//! East Slavic sentences that leave the pronoun out: "Никогда не плакала."
//!
//! The past tense there shows gender but no person, so the published rules, which look for `я`,
//! see nothing. A verb that opens its clause, with no noun that could be its subject, is taken to
//! speak of the speaker. A doubtful case stays unknown.

use super::head::own_past;
use super::predicate::{Found, after_prepositional};
use super::sentence::{Kind, Sentence};
use super::strict::is_noun;
use super::tags::Tags;
use crate::Gender;

/// The gender of a subject that is left out of the first clause.
pub(crate) fn subject(sentence: &Sentence) -> Option<Found> {
    if sentence.len() == 0 {
        return None;
    }
    let end = sentence.clause(0).end;
    let mut index = 0;
    while index < end {
        let token = &sentence.tokens[index];
        if token.tags.any(Tags::OTHER_SUBJECT) {
            return None;
        }
        if let Some(found) = own_past(sentence, index).or_else(|| short_adjective(sentence, index))
        {
            return (!has_subject(sentence, found)).then_some(found);
        }
        // No pronoun: "мне нравился футбол" has its subject at the end.
        let light = Tags::ADVERB | Tags::SUBORD | Tags::COORD;
        if token.tags.any(Tags::PREPOSITION) {
            index = after_prepositional(sentence, index + 1, end).max(index + 1);
        } else if matches!(token.kind, Kind::Break | Kind::Mark | Kind::Number)
            || token.tags.any(light)
        {
            index += 1;
        } else {
            return None;
        }
    }
    None
}

/// The same where another clause of the sentence has a first-person verb: "Устала, хочу домой".
pub(crate) fn beside_own(sentence: &Sentence) -> Option<Found> {
    let found = subject(sentence)?;
    if is_noun(sentence, found.token) || !sentence.tags(found.token).is_own_past() {
        return None;
    }
    let clause = sentence.clause(found.token);
    // "У меня болела голова": what happens to "me" has another subject.
    let of_me = |index: usize| {
        sentence.tags(index).any(Tags::ME)
            || matches!(
                sentence.word(index),
                "меня" | "мне" | "мной" | "мене" | "мені" | "мною" | "мяне"
            )
    };
    if clause.clone().any(of_me) {
        return None;
    }
    let verb = Tags::FINITE | Tags::FEEL | Tags::FIRST;
    let own = |index: usize| sentence.tags(index).any(verb) && !clause.contains(&index);
    (!changes_subject(sentence, clause.end) && (0..sentence.len()).any(own)).then_some(found)
}

/// Whether the clause at `start` sets "I" against the one before: "Ушла, а я плачу".
fn changes_subject(sentence: &Sentence, start: usize) -> bool {
    if start >= sentence.len() {
        return false;
    }
    let mut opening = sentence.clause(start).take(3);
    let joined = sentence.tags(start).any(Tags::COORD);
    // "Пришла вчера, я вижу": what the speaker notices is somebody else's.
    let sees = sentence
        .clause(start)
        .any(|index| sentence.tags(index).any(Tags::SEES));
    (joined || sees) && opening.any(|index| sentence.tags(index).any(Tags::SPEAKER))
}

/// A short adjective, which only a predicate can be.
fn short_adjective(sentence: &Sentence, token: usize) -> Option<Found> {
    let tags = sentence.tags(token);
    if !tags.any(Tags::GOVERNS) {
        None
    } else if tags.any(Tags::ADJ_M) {
        Some(Found::new(Gender::Masculine, token))
    } else if tags.any(Tags::ADJ_F) {
        Some(Found::new(Gender::Feminine, token))
    } else {
        None
    }
}

/// Whether the clause names a subject that agrees with what was found.
fn has_subject(sentence: &Sentence, found: Found) -> bool {
    let agreeing = match found.gender {
        Gender::Masculine => Tags::NOUN_M,
        Gender::Feminine => Tags::NOUN_F,
    };
    let clause = sentence.clause(found.token);
    let mut index = found.token + 1;
    while index < clause.end {
        let tags = sentence.tags(index);
        if tags.any(Tags::PREPOSITION) {
            index = after_prepositional(sentence, index + 1, clause.end).max(index + 1);
            continue;
        }
        if tags.any(agreeing | Tags::OTHER_SUBJECT) {
            return true;
        }
        index += 1;
    }
    false
}
