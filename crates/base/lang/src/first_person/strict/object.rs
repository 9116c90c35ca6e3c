//! The speaker as an object or beside the clause, in Bulgarian: "ме направи щастлива", "смятат ме за глупав",
//! "правя се на болен", "коя съм", "от малка", "…, убедена, че".
//!
//! Bulgarian has no cases, so what is said of "me" has the form it would have of "I".

use super::clause::{gendered, has_third};
use super::predicates::sure;
use crate::Gender;
use crate::first_person::predicate::{Found, adjective};
use crate::first_person::sentence::{Kind, Sentence};
use crate::first_person::tags::Tags;

/// Every gender of the speaker that stands outside the predicate of "I".
pub(crate) fn each(sentence: &Sentence, tell: &mut dyn FnMut(Found)) {
    for index in 0..sentence.len() {
        let found = made(sentence, index)
            .or_else(|| taken_for(sentence, index))
            .or_else(|| pretended(sentence, index))
            .or_else(|| identity(sentence, index))
            .or_else(|| youth(sentence, index))
            .or_else(|| closing(sentence, index));
        found.into_iter().for_each(&mut *tell);
    }
}

/// The adjective behind `index`, past adverbs, if it belongs to no noun.
fn adjective_behind(sentence: &Sentence, index: usize, light: Tags) -> Option<Found> {
    let end = sentence.clause(index).end;
    let first = (index + 1..end).find(|&at| !sentence.tags(at).any(light))?;
    let fits = sentence.tags(first).any(Tags::ADJ_MF) && sentence.tokens[first].kind == Kind::Word;
    fits.then(|| gendered(sure(sentence, adjective(sentence, first, Tags::ADJ_MF))))?
}

/// "Това ме прави щастлив", "остави ме сама".
fn made(sentence: &Sentence, verb: usize) -> Option<Found> {
    let me = |at: usize| at < sentence.len() && sentence.word(at) == "ме";
    let object = me(verb + 1) || (verb > 0 && me(verb - 1));
    if !sentence.tags(verb).any(Tags::LEAVES) || !object {
        return None;
    }
    let found = adjective_behind(sentence, verb, Tags::ADVERB | Tags::CLITIC)?;
    Some(found.at(if me(verb + 1) { verb + 1 } else { verb - 1 }))
}

/// "Смятат ме за глупав".
fn taken_for(sentence: &Sentence, as_what: usize) -> Option<Found> {
    if sentence.word(as_what) != "за" {
        return None;
    }
    let start = sentence.clause(as_what).start;
    let near = as_what.saturating_sub(3).max(start);
    let me = (near..as_what).find(|&at| sentence.word(at) == "ме")?;
    Some(adjective_behind(sentence, as_what, Tags::ADVERB)?.at(me))
}

/// "Правя се на умна", at the end of a clause.
fn pretended(sentence: &Sentence, at: usize) -> Option<Found> {
    let verb = at.checked_sub(2)?;
    let before = at.checked_sub(1)?;
    if sentence.word(at) != "на" || sentence.word(before) != "се" {
        return None;
    }
    let own = [verb, before.checked_sub(2).unwrap_or(verb)];
    let anchor = own
        .into_iter()
        .find(|&place| sentence.tags(place).any(Tags::OWN))?;
    let found = adjective_behind(sentence, at, Tags::ADVERB)?;
    let last = sentence.tokens.get(found.token + 1);
    let closes = last.is_none_or(|token| matches!(token.kind, Kind::Break | Kind::Mark));
    closes.then(|| found.at(anchor))
}

/// "Коя съм", "кой бях".
fn identity(sentence: &Sentence, index: usize) -> Option<Found> {
    let gender = match sentence.word(index) {
        "кой" => Gender::Masculine,
        "коя" => Gender::Feminine,
        _ => return None,
    };
    let own = index + 1 < sentence.len() && matches!(sentence.word(index + 1), "съм" | "бях");
    own.then(|| Found::new(gender, index).at(index + 1))
}

/// "От малка ми казваха": the speaker as a child, in a sentence that names nobody else.
fn youth(sentence: &Sentence, index: usize) -> Option<Found> {
    if !sentence.tags(index).any(Tags::YOUTH) || index == 0 || sentence.word(index - 1) != "от" {
        return None;
    }
    let gender = sentence.tags(index).gender()?;
    let clause = sentence.clause(index);
    let mut own = clause
        .clone()
        .filter(|&at| sentence.tags(at).any(Tags::OWN | Tags::ME));
    let other = clause.clone().any(|at| {
        let token = &sentence.tokens[at];
        token.kind == Kind::Name || token.tags.any(Tags::OTHER_SUBJECT)
    });
    own.next()
        .filter(|_| !other)
        .map(|anchor| Found::new(gender, index).at(anchor))
}

/// "Носих същите чорапи, убедена, че": a state of mind behind the clause of the speaker.
fn closing(sentence: &Sentence, index: usize) -> Option<Found> {
    let before = index.checked_sub(1)?;
    if !sentence.tags(index).any(Tags::MIND) || sentence.word(before) != "," {
        return None;
    }
    let next = sentence.tokens.get(index + 1);
    let goes_on = next.is_none_or(|token| {
        token.kind == Kind::Break || token.tags.any(Tags::SUBORD | Tags::PREPOSITION)
    });
    let main = sentence.clause(before);
    let has = |tags: Tags| main.clone().any(|at| sentence.tags(at).any(tags));
    let named = main
        .clone()
        .any(|at| sentence.tokens[at].kind == Kind::Name);
    let anchor = main.clone().find(|&at| sentence.tags(at).any(Tags::OWN))?;
    let other = has(Tags::OTHER_SUBJECT) || has_third(sentence, main.clone()) || named;
    let found = Found::new(sentence.tags(index).gender()?, index);
    (goes_on && !other).then(|| found.at(anchor))
}
