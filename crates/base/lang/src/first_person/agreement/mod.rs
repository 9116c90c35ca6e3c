//! What agrees with "I" in languages without a published list: the complement of "am", a participle
//! that describes the subject, "alone" and "myself", the verb at the end.
//!
//! The anchors are classes of the data file, not single words: `speaker` is the pronoun, `finite`
//! any verb in the first person singular, `feel` one whose complement describes its subject ("am",
//! "became", "feel"). Every search stops at the first word that it does not understand: whatever
//! follows may belong to somebody else.

mod complement;
mod neighbours;

use std::ops::Range;

use self::complement::{complement, depictive, leads_to_person};
use self::neighbours::{
    agreeing, attributed_noun, following, gender_of, has_nominative, has_other, is_sign,
    is_under_preposition, names_subject, next_word, own_anchor, previous,
};
use super::predicate::Found;
use super::sentence::Sentence;
use super::tags::Tags;

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
                Agreement::Participle => {
                    participle(sentence, token).or_else(|| concession(sentence, token))
                }
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
    // "Mane matė kaip lyderę": what others see the speaker as.
    let seen = gender_of(sentence.tags(noun), Tags::NOUN_INS_M, Tags::NOUN_INS_F);
    if let Some(gender) = seen {
        let mut before = (clause.start..opener).rev().take(3);
        let me = before.find(|&index| sentence.tags(index).any(Tags::ME_STRONG))?;
        return Some(Found::new(gender, noun).at(me));
    }
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
    // A passive participle is an adjective: only before or behind the clause it describes.
    let passive = tags.any(Tags::ADJ_MF);
    if passive && token != clause.start {
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
    let anchor = nearest.filter(|_| !passive).or_else(|| {
        // A noun that could be the subject of the participle speaks against the speaker.
        let own = Tags::AUX | Tags::OTHER_SUBJECT;
        if (!converb && has_nominative(sentence, token + 1..phrase.end, gender))
            || has_nominative(sentence, phrase.start..token, gender)
            || names_subject(sentence, token + 1, gender)
            || clause.clone().any(|index| sentence.tags(index).any(own))
        {
            return None;
        }
        let within = own_anchor(sentence, clause.clone()).filter(|_| !passive);
        within.or_else(|| beside(sentence, clause, passive))
    })?;
    Some(Found::new(gender, token).at(anchor))
}

/// "Nors ir pavargusi, dirbau toliau": an adjective that opens a concession without a verb.
fn concession(sentence: &Sentence, opener: usize) -> Option<Found> {
    if !sentence.tags(opener).any(Tags::CONCESSION) {
        return None;
    }
    let end = sentence.clause(opener).end;
    let described = (opener + 1..end).find(|&index| !sentence.tags(index).any(Tags::ADVERB))?;
    let tags = sentence.tags(described);
    let gender = gender_of(tags, Tags::ADJ_M | Tags::PAST_M, Tags::ADJ_F | Tags::PAST_F)?;
    let verb = Tags::OWN | Tags::AUX | Tags::OTHER_SUBJECT | Tags::NOUN_M | Tags::NOUN_F;
    let bare = (described..end).all(|index| !sentence.tags(index).any(verb) || index == described);
    let next = following(sentence, end).filter(|_| bare)?;
    let anchor = own_anchor(sentence, next.clone())?;
    let other = Tags::AUX | Tags::PERSON_MF;
    let theirs = next
        .into_iter()
        .any(|index| sentence.tags(index).any(other));
    (!theirs).then(|| Found::new(gender, described).at(anchor))
}

/// The first person of the clause before or after one that has no verb of its own: "Pastebėjęs,
/// kad lyja, grįžau". Clauses that only depend on either are passed over.
fn beside(sentence: &Sentence, clause: Range<usize>, verb_only: bool) -> Option<usize> {
    if sentence.tags(clause.start).any(Tags::SUBORD) {
        return None;
    }
    let own = |range: &Range<usize>| {
        // "Manau" between commas is no clause that anything could belong to.
        let words = range.clone().filter(|&index| !is_sign(sentence, index));
        let anchor = own_anchor(sentence, range.clone())?;
        let verb = !verb_only || sentence.tags(anchor).any(Tags::OWN);
        // "Pavargusi laukti, išėjau": at the end of the sentence one word is a clause.
        let last = range.end == sentence.len() && !sentence.tags(anchor).any(Tags::SEES);
        (verb && (words.count() > 1 || last)).then_some(anchor)
    };
    let before = clause.start.checked_sub(1).map(|end| sentence.clause(end));
    let depends = |next: &Range<usize>| sentence.tags(next.start).any(Tags::SUBORD);
    let after = following(sentence, clause.end).and_then(|next| {
        if depends(&next) {
            following(sentence, next.end)
        } else {
            Some(next)
        }
    });
    // "Išėjo supykęs, o aš verkiu": the speaker is set against the one before.
    let opposed = |next: &&Range<usize>| {
        let joined = sentence.tags(next.start).any(Tags::COORD);
        !(joined && next.len() > 1 && sentence.tags(next.start + 1).any(Tags::SPEAKER))
    };
    let own_after = || after.as_ref().filter(opposed).and_then(own);
    before.as_ref().and_then(own).or_else(own_after)
}

/// "Gyvenu viena", "pats nusprendžiau": a word for "alone" or "myself" beside a first-person verb.
fn alone(sentence: &Sentence, token: usize) -> Option<Found> {
    let tags = sentence.tags(token);
    let gender = gender_of(tags, Tags::SELF_M, Tags::SELF_F)?;
    let phrase = sentence.phrase(token);
    let next = next_word(sentence, token);
    // "Јас самиот": nobody else can be meant.
    if let Some(before) = previous(sentence, token)
        && sentence.tags(before).any(Tags::SPEAKER)
        && next.is_some_and(|next| sentence.tags(next).any(Tags::CLITIC))
    {
        return Some(Found::new(gender, token).at(before));
    }
    let dative = tags & Tags::OBLIQUE;
    let nominal = agreeing(gender) | Tags::BINDS | Tags::ADJ_MF | dative;
    if next.is_some_and(|next| sentence.tags(next).any(nominal) || sentence.tags(next).is_empty())
        || is_under_preposition(sentence, token)
        || previous(sentence, token)
            .is_some_and(|before| sentence.tags(before).any(agreeing(gender)))
    {
        return None;
    }
    // "Verčiau gyvensiu su kitais nei viena": the same verb is meant.
    if let Some(than) = previous(sentence, token)
        && sentence.tags(than).any(Tags::COMPARISON)
    {
        let clause = sentence.clause(token);
        let rather = (clause.start..than).any(|index| sentence.tags(index).any(Tags::DEGREE));
        let anchor = own_anchor(sentence, clause.start..than).filter(|_| rather)?;
        return Some(Found::new(gender, token).at(anchor));
    }
    // "Man vienam": in the dative only beside "to me".
    let anchor = if tags.any(Tags::OBLIQUE) {
        let mut words = phrase.into_iter();
        // "Nevažiuočiau vienai į užsienį": a slip of case, but whose is clear.
        let away = next.is_some_and(|next| sentence.tags(next).any(Tags::PREPOSITION));
        words.find(|&index| {
            let tags = sentence.tags(index);
            tags.any(Tags::ME) || (away && tags.any(Tags::FINITE) && tags.any(Tags::LIVE))
        })
    } else {
        own_anchor(sentence, phrase)
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
