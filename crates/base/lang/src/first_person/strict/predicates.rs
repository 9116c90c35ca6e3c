//! Adjectives of infinitives, of futures and of verbs of feeling, where they are the speaker's.

use super::clause::{gendered, has_third};
use super::words::{is_experiencer, is_first};
use crate::Gender;
use crate::first_person::head;
use crate::first_person::predicate::{Found, Predicate, adjective, predicate};
use crate::first_person::sentence::{Kind, Sentence};
use crate::first_person::tags::Tags;

/// An adjective right behind an oblique one is its noun ("velikih elektrana"), no predicate.
pub(crate) fn sure(sentence: &Sentence, predicate: Predicate) -> Predicate {
    let Predicate::Gendered(found) = predicate else {
        return predicate;
    };
    let tags = sentence.tags(found.token);
    if tags.is_own_past() {
        return predicate;
    }
    let next = sentence.tokens.get(found.token + 1);
    // "Jsem ta, která", "я такой", "я такой усталый", but not "ten nejlepší šéf", "такой ерунды".
    let pointing = tags.any(Tags::DETERMINER)
        && next.is_some_and(|next| {
            let goes_on = Tags::ADJ_MF | Tags::INS_MF | Tags::SUBORD;
            next.kind != Kind::Break && !next.tags.any(goes_on)
        });
    let light = Tags::DETERMINER | Tags::CLITIC | Tags::ADVERB | Tags::ADJ_MF;
    let before = found.token.checked_sub(1).map(|index| sentence.tags(index));
    let governed = before.is_some_and(|before| before.any(Tags::ADJ_X) && !before.any(light));
    // An instrumental behind a noun is its attribute: "w związku poligamicznym".
    let nouns = Tags::OBLIQUE | Tags::NOUN_M | Tags::NOUN_F;
    let postposed = !tags.any(Tags::ADJ_MF)
        && before.is_some_and(|before| before.any(nouns) && !before.any(light | Tags::INS_MF));
    if pointing || governed || postposed {
        Predicate::Other(found.token)
    } else {
        predicate
    }
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
    let after = predicate(sentence, anchor + 1, phrase.end, forms);
    if let Predicate::Gendered(found) = sure(sentence, after) {
        // "чувствую себя слепой" is an instrumental.
        let tags = sentence.tags(found.token);
        let instrumental = forms.any(Tags::INS_MF) && tags.any(Tags::INS_F);
        return Some(if instrumental {
            Found::new(Gender::Feminine, found.token)
        } else {
            found
        });
    }
    // "Смятам се за умна".
    if tags.any(Tags::CONSIDER)
        && let Some(as_what) = phrase.clone().find(|&index| sentence.word(index) == "за")
    {
        let light = Tags::ADVERB;
        let first = (as_what + 1..phrase.end).find(|&at| !sentence.tags(at).any(light))?;
        return if sentence.tags(first).any(forms) {
            gendered(adjective(sentence, first, forms))
        } else {
            None
        };
    }
    // "Sama se cítím", "Silná zostanem".
    let before = (phrase.start..anchor).rev().find(|&index| {
        let light = Tags::CLITIC | Tags::ADVERB | Tags::AUX | Tags::SPEAKER;
        !sentence.tags(index).any(light)
    })?;
    let described = sentence.tags(before).any(Tags::ADJ_MF)
        && !head::under_preposition(sentence, before, phrase.start);
    if described {
        gendered(adjective(sentence, before, Tags::ADJ_MF))
    } else {
        None
    }
}

/// The adjective of an infinitive "to be" at `anchor` whose subject is the speaker.
pub(crate) fn of_copula(sentence: &Sentence, anchor: usize, forms: Tags) -> Option<Found> {
    let phrase = sentence.phrase(anchor);
    // "Хочу любить и быть любимым": the verb may stand before a conjunction.
    let verb = Tags::PAST_MF | Tags::PAST_X | Tags::OTHER_SUBJECT;
    let start = if phrase.clone().any(|index| sentence.tags(index).any(verb)) {
        phrase.start
    } else {
        sentence.clause(anchor).start
    };
    let own = (start..phrase.end).any(|index| {
        let tags = sentence.tags(index);
        tags.any(Tags::OWN) || sentence.word(index) == "mogu" && is_first(sentence, index)
    });
    if !(own || is_experiencer(sentence, anchor)) || has_third(sentence, phrase.clone()) && own {
        return None;
    }
    // "nikomu nedovolím byť dominantný": somebody else's infinitive.
    let another = (phrase.start..anchor).any(|index| {
        let tags = sentence.tags(index);
        let speakers = Tags::ME | Tags::REFLEXIVE | Tags::AUX | Tags::ADVERB;
        tags.any(Tags::OTHER_SUBJECT) || tags.any(Tags::PERSON) && !tags.any(speakers)
    });
    if another {
        return None;
    }
    own_predicate(sentence, anchor, forms)
}

/// The adjective of a future "to be" at `anchor`, which is in the first person.
pub(crate) fn own_predicate(sentence: &Sentence, anchor: usize, forms: Tags) -> Option<Found> {
    let found = head::of_infinitive(sentence, anchor, forms)?;
    // "Буду слепой": a masculine nominative or a feminine instrumental.
    let tags = sentence.tags(found.token);
    let open = forms.any(Tags::INS_MF) && tags.any(Tags::ADJ_M) && tags.any(Tags::INS_F);
    let next = sentence.tokens.get(found.token + 1);
    match open {
        // "быть такой решительной"
        true if next.is_some_and(|next| next.tags.any(Tags::INS_F)) => {
            Some(Found::new(Gender::Feminine, found.token + 1))
        }
        true => None,
        false => gendered(sure(sentence, Predicate::Gendered(found))),
    }
}

/// An adjective that opens the sentence before a first-person clause: "Облечена в кожа, излязох".
pub(crate) fn adjunct(sentence: &Sentence) -> Option<Found> {
    let first = (0..sentence.len()).find(|&index| sentence.tokens[index].kind != Kind::Mark)?;
    // "Iako umorna, idem": a concession needs no verb.
    let light = Tags::CONCESSION | Tags::ADVERB | Tags::COORD | Tags::SUBORD | Tags::ADJ_X;
    let conceded = sentence.tags(first).any(Tags::CONCESSION);
    let first = if conceded {
        (first..sentence.len()).find(|&index| !sentence.tags(index).any(light))?
    } else {
        first
    };
    let clause = sentence.clause(first);
    let verb = Tags::OWN | Tags::AUX | Tags::THIRD | Tags::PAST_MF;
    if clause.end == sentence.len() || clause.clone().any(|at| sentence.tags(at).any(verb)) {
        return None;
    }
    let next = sentence.clause(clause.end);
    let has = |tags: Tags| next.clone().any(|at| sentence.tags(at).any(tags));
    // "Ďalší, prosím!" is a call, "Казват, че съм" no adjunct.
    let words = next
        .clone()
        .filter(|&at| sentence.tokens[at].kind == Kind::Word);
    // „Unavený?“ zeptala jsem: what is asked ends with another sign.
    let asked = sentence.word(clause.end - 1) != ",";
    let called =
        asked || words.count() < 2 && !conceded || sentence.tags(next.start).any(Tags::SUBORD);
    let own = !called && next.clone().any(|at| is_first(sentence, at));
    let tags = sentence.tags(first);
    if !own || has(Tags::OTHER_SUBJECT | Tags::THIRD) || !tags.any(Tags::ADJ_MF) {
        return None;
    }
    // "Milá, píšu ti" speaks to somebody; "Кълна се, че": pronouns lean on verbs.
    let behind = &sentence.tokens[first + 1];
    let ends = behind.kind == Kind::Break;
    let goes_on = Tags::PREPOSITION
        | Tags::COORD
        | Tags::ADVERB
        | Tags::INS_MF
        | Tags::NOUN_INS_M
        | Tags::NOUN_INS_F
        | Tags::OBLIQUE;
    if tags.any(Tags::ADDRESS)
        || behind.tags.any(Tags::CLITIC)
        || !ends && !behind.tags.any(goes_on)
    {
        return None;
    }
    gendered(adjective(sentence, first, Tags::ADJ_MF))
}
