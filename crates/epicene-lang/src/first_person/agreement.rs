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

/// A kind of agreement.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Agreement {
    /// The complement of a first-person verb or of the pronoun (`esu laiminga`, `אני עייפה`).
    Complement(Counted),
    /// An adjective behind any other first-person verb (`plaukiau nuogas`).
    Depictive,
    /// A participle that describes the speaker (`įėjusi pamačiau`).
    Participle,
    /// "Alone", "myself" beside a first-person verb (`gyvenu viena`).
    Alone,
    /// A noun for the speaker behind "as" (`kaip vadovė, ...`).
    Role(&'static str),
    /// The verb at the end of a clause about the speaker (Hindi).
    VerbFinal(Counted),
}

impl Agreement {
    /// Every gender of the speaker in `sentence`.
    pub(crate) fn each(self, sentence: &Sentence, tell: &mut dyn FnMut(Found)) {
        for token in 0..sentence.len() {
            let found = match self {
                Agreement::Complement(counted) => complement(sentence, token, counted),
                Agreement::Depictive => depictive(sentence, token),
                Agreement::Participle => participle(sentence, token),
                Agreement::Alone => alone(sentence, token),
                Agreement::Role(word) => role(sentence, token, word),
                Agreement::VerbFinal(counted) => verb_final(sentence, token, counted),
            };
            found.into_iter().for_each(&mut *tell);
        }
    }
}

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
fn complement(sentence: &Sentence, anchor: usize, counted: Counted) -> Option<Found> {
    let tags = sentence.tags(anchor);
    let verb = tags.any(Tags::FEEL) && !tags.any(Tags::INFINITIVE);
    let anchors = if tags.any(Tags::INFINITIVE) {
        tags.any(Tags::FEEL) && own_anchor(sentence, sentence.clause(anchor)).is_some()
    } else if tags.any(Tags::SPEAKER) {
        !is_compared(sentence, anchor)
    } else {
        // "Laikau save lyderiu": to consider has a complement only beside "myself".
        let myself = |next: usize| sentence.tags(next).any(Tags::REFLEXIVE);
        verb || (tags.any(Tags::GOVERNS) && next_word(sentence, anchor).is_some_and(myself))
    };
    if !anchors || others_before(sentence, anchor) {
        return None;
    }
    let found = after_anchor(sentence, anchor, counted);
    let before = || verb.then(|| before_anchor(sentence, anchor, counted))?;
    found.or_else(before).map(|found| found.at(anchor))
}

/// "Plaukiau nuogas": an adjective in the nominative behind any verb of the speaker's.
fn depictive(sentence: &Sentence, anchor: usize) -> Option<Found> {
    let tags = sentence.tags(anchor);
    let other = Tags::FEEL | Tags::INFINITIVE | Tags::GOVERNS | Tags::SPEAKER;
    if !tags.any(Tags::FINITE) || tags.any(other) || others_before(sentence, anchor) {
        return None;
    }
    let found = after_anchor(sentence, anchor, Counted::Forms)?;
    let end = sentence.clause(anchor).end;
    (!leads_to_noun(sentence, found.token, end)).then(|| found.at(anchor))
}

/// "Kaip vadovas, aš ...": a noun for the speaker behind "as".
fn role(sentence: &Sentence, opener: usize, word: &str) -> Option<Found> {
    if sentence.word(opener) != word {
        return None;
    }
    let clause = sentence.clause(opener);
    let noun = (opener + 1..clause.end).find(|&index| {
        let attribute = Tags::OBLIQUE | Tags::DETERMINER | Tags::ADJ_MF | Tags::ADJ_X;
        !sentence.tags(index).any(attribute) && !leads_to_person(sentence, index)
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
        let reached = (next..rest.end).find(|&index| !sentence.tags(index).any(light))?;
        sentence.tags(reached).any(Tags::OWN).then_some(reached)
    };
    Some(Found::new(gender, noun).at(anchor?))
}

/// "Įėjęs į kambarį, pamačiau": a participle that describes the subject of a first-person verb.
fn participle(sentence: &Sentence, token: usize) -> Option<Found> {
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
    // "Skaits ir sasniedzis": with somebody else's "is" beside it only a certain "I" counts.
    let theirs = phrase
        .clone()
        .any(|index| sentence.tags(index).any(Tags::AUX));
    let certain = Tags::SPEAKER | Tags::FEEL;
    let nearest = own_anchor(sentence, phrase.clone())
        .filter(|&anchor| converb || !theirs || sentence.tags(anchor).any(certain));
    let anchor = nearest.or_else(|| {
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
    let beyond = after
        .clone()
        .filter(|next| sentence.tags(next.start).any(Tags::SUBORD));
    let beyond = beyond.and_then(|next| following(sentence, next.end));
    let (before, after) = (before.as_ref(), after.as_ref());
    before
        .and_then(own)
        .or_else(|| after.and_then(own))
        .or_else(|| beyond.as_ref().and_then(own))
}

/// The clause that begins at `start`.
fn following(sentence: &Sentence, start: usize) -> Option<Range<usize>> {
    (start < sentence.len()).then(|| sentence.clause(start))
}

/// "Gyvenu viena", "pats nusprendžiau": a word for "alone" or "myself" beside a first-person verb.
fn alone(sentence: &Sentence, token: usize) -> Option<Found> {
    let tags = sentence.tags(token);
    let gender = gender_of(tags, Tags::SELF_M, Tags::SELF_F)?;
    let phrase = sentence.phrase(token);
    let next = next_word(sentence, token);
    let dative = tags & Tags::OBLIQUE;
    let nominal = agreeing(gender) | Tags::BINDS | Tags::ADJ_MF | dative;
    if next.is_some_and(|next| sentence.tags(next).any(nominal) || sentence.tags(next).is_empty())
        || is_under_preposition(sentence, token)
        || previous(sentence, token)
            .is_some_and(|before| sentence.tags(before).any(agreeing(gender)))
    {
        return None;
    }
    // "Man vienam": in the dative only beside "to me".
    let anchor = match tags.any(Tags::OBLIQUE) {
        true => phrase
            .into_iter()
            .find(|&index| sentence.tags(index).any(Tags::TO_ME)),
        false => own_anchor(sentence, phrase),
    };
    Some(Found::new(gender, token).at(anchor?))
}

/// Hindi: the verb ends its clause. "... जाती हूँ" says "I" by itself, "मैं ... गई" by its pronoun.
fn verb_final(sentence: &Sentence, anchor: usize, counted: Counted) -> Option<Found> {
    let tags = sentence.tags(anchor);
    let phrase = sentence.phrase(anchor);
    let end = if tags.any(Tags::FIRST) {
        anchor
    } else if tags.any(Tags::SPEAKER) && !has_other(sentence, phrase.clone()) {
        phrase.end
    } else {
        return None;
    };
    let particle = Tags::ADVERB | Tags::CLITIC;
    let last = (phrase.start..end)
        .rev()
        .find(|&index| !is_sign(sentence, index) && !sentence.tags(index).any(particle))?;
    let tags = sentence.tags(last);
    let gender = match counted {
        Counted::Forms if tags.any(Tags::PAST_X) => None,
        Counted::Forms if tags.any(Tags::PAST_MF) => gender_of(tags, Tags::PAST_M, Tags::PAST_F),
        // An adjective needs its "am": "मैं अकेली हूँ".
        Counted::Forms if end == anchor => gender_of(tags, Tags::ADJ_M, Tags::ADJ_F),
        Counted::Persons if end == anchor => gender_of(tags, Tags::PERSON_M, Tags::PERSON_F),
        Counted::Forms | Counted::Persons => None,
    }?;
    Some(Found::new(gender, last).at(anchor))
}

fn has_other(sentence: &Sentence, mut range: Range<usize>) -> bool {
    range.any(|index| sentence.tags(index).any(Tags::OTHER_SUBJECT))
}

/// The complement behind `anchor`.
fn after_anchor(sentence: &Sentence, anchor: usize, counted: Counted) -> Option<Found> {
    let range = anchor + 1..sentence.clause(anchor).end;
    let certain = sentence.tags(anchor).any(Tags::SPEAKER | Tags::COPULA);
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
            // "הרגשתי אשמה": felt guilty, or felt guilt.
            if tags.any(Tags::NOUN_M | Tags::NOUN_F) && !certain {
                return None;
            }
            return described(sentence, index, counted);
        } else if tags.any(Tags::PERSON_MF) {
            return person(sentence, index, counted);
        } else if tags.any(Tags::OBLIQUE | Tags::DETERMINER | Tags::ADJ_X | Tags::DEFINITE)
            || leads_to_person(sentence, index)
        {
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

/// Whether a noun stands right before one for a person: a genitive in all likelihood ("uzņēmuma
/// vadītāja"), which Latvian writes as other nouns' nominative.
fn leads_to_person(sentence: &Sentence, index: usize) -> bool {
    let noun = Tags::NOUN_M | Tags::NOUN_F;
    let tags = sentence.tags(index);
    tags.any(noun)
        && !tags.any(Tags::PERSON_MF)
        && next_word(sentence, index).is_some_and(|next| sentence.tags(next).any(Tags::PERSON_MF))
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

/// The word after, in the same phrase.
fn next_word(sentence: &Sentence, token: usize) -> Option<usize> {
    let end = sentence.phrase(token).end;
    (token + 1..end).find(|&index| !is_sign(sentence, index))
}

/// The word before, in the same phrase.
fn previous(sentence: &Sentence, token: usize) -> Option<usize> {
    let start = sentence.phrase(token).start;
    (start..token)
        .rev()
        .find(|&index| !is_sign(sentence, index))
}

/// Whether the pronoun at `anchor` only takes part in a comparison ("than I").
fn is_compared(sentence: &Sentence, anchor: usize) -> bool {
    let before = anchor.checked_sub(1);
    before.is_some_and(|before| sentence.tags(before).any(Tags::COMPARISON))
}

/// Whether somebody else is the subject before `anchor` in its phrase ("jis ir aš").
fn others_before(sentence: &Sentence, anchor: usize) -> bool {
    has_other(sentence, sentence.phrase(anchor).start..anchor)
}

/// The word that says "I" in `range`, if nobody else is its subject.
fn own_anchor(sentence: &Sentence, range: Range<usize>) -> Option<usize> {
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
    range.any(|index| {
        sentence.tags(index).any(agreeing(gender)) && !is_under_preposition(sentence, index)
    })
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
