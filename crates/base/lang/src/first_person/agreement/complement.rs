//! The complement of a verb or of the pronoun: what follows "am", "became", "feel".

use super::Counted;
use super::neighbours::{
    agreeing, attributed_noun, gender_of, is_sign, is_under_preposition, next_word, others_before,
    own_anchor,
};
use crate::first_person::predicate::Found;
use crate::first_person::sentence::{Kind, Sentence};
use crate::first_person::tags::Tags;

/// "Esu laimingas", "אני עייפה", "كنت سعيدة": the complement of a first-person verb, of an
/// infinitive "to be" under one, or of the pronoun alone (present tense without a copula).
pub(super) fn complement(sentence: &Sentence, anchor: usize, counted: Counted) -> Option<Found> {
    let tags = sentence.tags(anchor);
    let verb = tags.any(Tags::FEEL) && !tags.any(Tags::INFINITIVE);
    let anchors = if tags.any(Tags::INFINITIVE) {
        tags.any(Tags::FEEL) && own_anchor(sentence, sentence.clause(anchor)).is_some()
    } else if tags.any(Tags::SPEAKER) {
        !is_compared(sentence, anchor)
    } else {
        // "Laikau save lyderiu": to consider has a complement only beside "myself".
        let myself = |next: usize| sentence.tags(next).any(Tags::REFLEXIVE);
        verb || (tags.any(Tags::CONSIDER) && next_word(sentence, anchor).is_some_and(myself))
            || is_made_of_me(sentence, anchor)
    };
    if !anchors || (others_before(sentence, anchor) && !is_made_of_me(sentence, anchor)) {
        return None;
    }
    let found = after_anchor(sentence, anchor, counted)
        .or_else(|| dative(sentence, anchor).filter(|_| counted == Counted::Forms));
    // Arabic "كنت صديقة رائعة يا سارة": "was" fits "I" and "you", and somebody is called.
    let called = |found: &Found| {
        counted == Counted::Persons
            && !tags.any(Tags::SPEAKER)
            && (found.token..sentence.len()).any(|at| sentence.word(at) == "يا")
    };
    let found = found.filter(|found| !called(found));
    let before = || verb.then(|| before_anchor(sentence, anchor, counted))?;
    found.or_else(before).map(|found| found.at(anchor))
}

/// "Mane laiko keista", "laiko mane keistu": what others make of the speaker stands in the instrumental.
fn is_made_of_me(sentence: &Sentence, anchor: usize) -> bool {
    let me = |at: usize| at < sentence.len() && sentence.tags(at).any(Tags::ME_STRONG);
    sentence.tags(anchor).any(Tags::LEAVES) && (me(anchor + 1) || (anchor > 0 && me(anchor - 1)))
}

/// "Man patinka būti stipriam": the complement of an infinitive whose subject is "to me".
fn dative(sentence: &Sentence, anchor: usize) -> Option<Found> {
    let clause = sentence.clause(anchor);
    let end = clause.end;
    let own = own_anchor(sentence, clause)?;
    if !sentence.tags(anchor).any(Tags::INFINITIVE) || sentence.tags(own).any(Tags::OWN) {
        return None;
    }
    let light = |index: &usize| {
        let tags = sentence.tags(*index);
        tags.any(Tags::ADVERB) && !tags.any(Tags::INS_MF)
    };
    let found = (anchor + 1..end).find(|index| !light(index))?;
    let gender = gender_of(sentence.tags(found), Tags::INS_M, Tags::INS_F)?;
    Some(Found::new(gender, found))
}

/// "Plaukiau nuogas": an adjective in the nominative behind any verb of the speaker's.
pub(super) fn depictive(sentence: &Sentence, anchor: usize) -> Option<Found> {
    let tags = sentence.tags(anchor);
    let other = Tags::FEEL | Tags::INFINITIVE | Tags::CONSIDER | Tags::SPEAKER;
    if !tags.any(Tags::FINITE) || tags.any(other) || others_before(sentence, anchor) {
        return None;
    }
    let found = after_anchor(sentence, anchor, Counted::Forms)?;
    let end = sentence.clause(anchor).end;
    (!leads_to_noun(sentence, found.token, end)).then(|| found.at(anchor))
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
        let joins_others = tags.any(Tags::COORD) && !joins_obliques(sentence, index);
        if sentence.tokens[index].kind == Kind::Break || tags.any(stop) || joins_others {
            return None;
        } else if sign || tags.any(Tags::ADVERB | Tags::CLITIC | Tags::SPEAKER | Tags::COORD) {
            index += 1;
        } else if tags.any(Tags::PREPOSITION) {
            index = after_prepositional(sentence, index + 1, range.end);
            if index < range.end && is_attribute_behind(sentence, index) {
                return None;
            }
        } else if tags.any(Tags::ADJ_MF) && is_attribute_of_oblique(sentence, index) {
            return None;
        } else if tags.any(Tags::ADJ_MF | Tags::PAST_MF) && !tags.any(Tags::PAST_X) {
            // "הרגשתי אשמה": felt guilty, or felt guilt.
            if tags.any(Tags::NOUN_M | Tags::NOUN_F) && !certain {
                return None;
            }
            return described(sentence, index, counted);
        } else if tags.any(Tags::PERSON_MF) {
            return person(sentence, index, counted);
        } else if tags.any(Tags::OTHER) && is_joined(sentence, index + 1, range.end) {
            // Hebrew "אני גאה ושמחה": the first is alike in both genders, what "and" joins to it is not.
            return described(sentence, index + 1, counted);
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

/// Whether the form at `index` begins with the Hebrew "and".
fn is_joined(sentence: &Sentence, index: usize, end: usize) -> bool {
    index < end && sentence.word(index).starts_with('ו') && sentence.tags(index).any(Tags::ADJ_MF)
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
/// vadītāja"), which Latvian writes as other nouns' nominative, or a word of no language ("IT").
pub(super) fn leads_to_person(sentence: &Sentence, index: usize) -> bool {
    let noun = Tags::NOUN_M | Tags::NOUN_F;
    let tags = sentence.tags(index);
    (tags.any(noun) || tags.is_empty())
        && !tags.any(Tags::PERSON_MF)
        && next_word(sentence, index).is_some_and(|next| sentence.tags(next).any(Tags::PERSON_MF))
}

fn person(sentence: &Sentence, index: usize, counted: Counted) -> Option<Found> {
    let gender = gender_of(sentence.tags(index), Tags::PERSON_M, Tags::PERSON_F)?;
    (counted == Counted::Persons).then(|| Found::new(gender, index))
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

/// Whether the word at `index` describes the noun before it: in Hebrew and Arabic an adjective follows its noun and is definite
/// where that is ("في مدينة جميلة", but "في البيت سعيدة").
fn is_attribute_behind(sentence: &Sentence, index: usize) -> bool {
    let Some(noun) = index.checked_sub(1) else {
        return false;
    };
    let word = sentence.word(noun);
    let semitic = word.starts_with(|letter: char| ('\u{5d0}'..='\u{6ff}').contains(&letter));
    semitic && !word.starts_with("ال") && !sentence.tags(noun).any(Tags::CLITIC)
}

/// Whether the word at `index` describes a Hebrew noun that is written with its preposition, and ends as that does: "אני ממשפחה
/// גדולה".
fn is_attribute_of_oblique(sentence: &Sentence, index: usize) -> bool {
    let Some(noun) = index.checked_sub(1) else {
        return false;
    };
    let feminine = |at: usize| sentence.word(at).ends_with(['ה', 'ת']);
    let prefixed = sentence.word(noun).starts_with(['מ', 'ב', 'ל', 'כ']);
    sentence.tags(noun).any(Tags::OBLIQUE) && prefixed && feminine(noun) && feminine(index)
}

/// Whether the pronoun at `anchor` only takes part in a comparison ("than I").
fn is_compared(sentence: &Sentence, anchor: usize) -> bool {
    let before = anchor.checked_sub(1);
    before.is_some_and(|before| sentence.tags(before).any(Tags::COMPARISON))
}
