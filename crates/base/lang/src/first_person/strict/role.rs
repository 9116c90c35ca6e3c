//! Nouns that say what the speaker is or works as: "Pracuju jako učitelka", "Работаю медсестрой", "بصفتي مديرة".
//!
//! Only nouns count whose other form is in everyday use, so that nobody of the other gender is called by them; the classes
//! `role_m` and `role_f` of `speaker.txt` list those.

use super::words::is_first;
use crate::Gender;
use crate::first_person::predicate::Found;
use crate::first_person::sentence::{Kind, Sentence};
use crate::first_person::tags::Tags;

/// Words between a role that opens the sentence and the verb of the speaker, at most.
const REACH: usize = 7;

/// Every role of the speaker.
pub(super) fn each(sentence: &Sentence, tell: &mut dyn FnMut(Found)) {
    for index in 0..sentence.len() {
        let tags = sentence.tags(index);
        let gender = match (
            tags.any(Tags::ROLE_M | Tags::PERSON_M | Tags::SEX_M),
            tags.any(Tags::ROLE_F | Tags::PERSON_F | Tags::SEX_F),
        ) {
            (true, false) => Gender::Masculine,
            (false, true) => Gender::Feminine,
            _ => continue,
        };
        if sentence.tokens[index].kind == Kind::Word
            && let Some(anchor) = anchor(sentence, index)
        {
            tell(Found::new(gender, index).at(anchor));
        }
    }
}

/// What ties the role at `index` to the speaker.
fn anchor(sentence: &Sentence, index: usize) -> Option<usize> {
    // Hebrew and Arabic write "as" and the noun as one word.
    let one = sentence.tags(index).any(Tags::ROLE_AS);
    let light = Tags::ADJ_MF
        | Tags::ADJ_X
        | Tags::INS_MF
        | Tags::ADVERB
        | Tags::DETERMINER
        | Tags::DEFINITE;
    let start = sentence.clause(index).start;
    let opener = if one {
        Some(index)
    } else {
        (start..index).rev().find(|&at| {
            let tags = sentence.tags(at);
            !tags.any(light) || tags.any(Tags::OWN | Tags::ROLE_AS | Tags::WORKS)
        })
    }?;
    let tags = sentence.tags(opener);
    let clause = sentence.clause(opener);
    let others = Tags::OTHER_SUBJECT | Tags::THIRD;
    let foreign =
        |at: usize| sentence.tags(at).any(others) || sentence.tokens[at].kind == Kind::Name;
    if tags.any(Tags::WORKS) && sentence.tags(index).any(Tags::ROLE_MF | Tags::PERSON_MF) {
        return (!(clause.start..opener).any(foreign)).then_some(opener);
    }
    let role = sentence.tags(index).any(Tags::ROLE_MF);
    if tags.any(Tags::ROLE_AS) {
        // "بصفتي": in my quality as.
        if tags.any(Tags::MY) {
            return Some(opener);
        }
        // "Jako matka dvou dětí vím": only in front, since behind its verb it is a simile ("cítím se jako žena").
        let sex = sentence.tags(index).any(Tags::SEX_MF)
            && !sentence.tags(index).any(Tags::STATE | Tags::ADJ_MF);
        let anchor = behind_as(sentence, opener, index)?;
        return (role || sex && anchor > index).then_some(anchor);
    }
    let phrase = sentence.phrase(index);
    let verb = Tags::FINITE | Tags::MAYBE_FINITE | Tags::PAST_MF | Tags::PAST_X | Tags::INFINITIVE;
    let lexical = phrase.clone().any(|at| {
        let tags = sentence.tags(at);
        // Slovenian "v šoli": a noun that ends like a participle.
        let governed = at > 0 && sentence.tags(at - 1).any(Tags::PREPOSITION);
        at != opener
            && at != index
            && !governed
            && tags.any(verb)
            && !tags.any(Tags::COPULA | Tags::ADJ_MF)
    });
    let unreal = Tags::NEGATION | Tags::IRREALIS;
    if !role
        || lexical
        || (clause.start..index).any(|at| foreign(at) || sentence.tags(at).any(unreal))
    {
        return None;
    }
    let am = tags.any(Tags::FIRST) && tags.any(Tags::AUX);
    let bare = tags.any(Tags::SPEAKER);
    let agrees = |at: usize| sentence.tags(at).any(Tags::AUX) && at != opener;
    (am || bare && !phrase.into_iter().any(agrees)).then_some(opener)
}

/// Whose role follows the "as" at `opener`: that of the first-person verb before it, or, where it opens the sentence, of the
/// first verb behind.
fn behind_as(sentence: &Sentence, opener: usize, noun: usize) -> Option<usize> {
    let mut clause = sentence.clause(opener);
    // Polish "jako" opens a clause though no comma stands before it.
    if clause.start == opener
        && let Some(before) = opener.checked_sub(1)
        && sentence.tokens[before].kind != Kind::Break
    {
        clause.start = sentence.clause(before).start;
    }
    let others = Tags::OTHER_SUBJECT | Tags::THIRD;
    // "Виждам го като учител": what somebody else is.
    let object = |at: usize| {
        let tags = sentence.tags(at);
        tags.any(Tags::CLITIC | Tags::PERSON)
            && !tags.any(Tags::REFLEXIVE | Tags::ADVERB | Tags::AUX)
    };
    let theirs =
        |at: usize| sentence.tags(at).any(others) || sentence.tokens[at].kind == Kind::Name;
    if (clause.start..opener).any(theirs) {
        return None;
    }
    let own = (clause.start..opener)
        .rev()
        .find(|&at| is_first(sentence, at));
    if let Some(own) = own {
        let free = !(own + 1..opener).any(object) && !(clause.start..own).any(object);
        return free.then_some(own);
    }
    let light = Tags::ADVERB | Tags::COORD;
    let opens = (clause.start..opener)
        .all(|at| sentence.tokens[at].kind == Kind::Mark || sentence.tags(at).any(light));
    if !opens {
        return None;
    }
    let end = sentence.len().min(noun + 1 + REACH);
    let mut behind = noun + 1..end;
    let verb = Tags::OWN | Tags::PAST_MF | Tags::PAST_X | others | Tags::SUBORD;
    // Arabic verbs of the first person begin with alif.
    let own = |at: usize| {
        let alif = sentence.word(at).starts_with('ا') && sentence.tags(at).any(Tags::AUX);
        is_first(sentence, at) || alif || is_unlisted_first(sentence, at)
    };
    behind
        .find(|&at| sentence.tags(at).any(verb) || own(at))
        .filter(|&at| own(at) && !theirs(at))
}

/// Whether a South Slavic verb that no list has ends as the first person does: "protivim se", "nasprotujem".
fn is_unlisted_first(sentence: &Sentence, index: usize) -> bool {
    let word = sentence.word(index);
    let reflexive = sentence
        .tokens
        .get(index + 1)
        .is_some_and(|next| next.tags.any(Tags::REFLEXIVE));
    sentence.tokens[index].kind == Kind::Word
        && (word.ends_with("ujem") || word.ends_with("im") && reflexive)
}
