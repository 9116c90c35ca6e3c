//! How the speaker was meanwhile, said behind an object, a time or a place: "subí la caja sola", "pasé horas tumbada".
//!
//! The word agrees with the speaker only if it cannot agree with what stands between it and the verb. So it closes
//! its clause, no other person stands there, and the verb is none whose object may be alone ("dejé la casa sola").

use super::super::predicate::Found;
use super::super::sentence::{Kind, Sentence};
use super::super::tags::Tags;
use super::complement::opens_place;
use super::open_form::is_clitic;
use super::speaker::{Tie, controller};
use super::{gendered, is_end, tags_at};

/// "Alone" at `index`, behind a noun.
pub(super) fn alone(sentence: &Sentence, index: usize, found: Found) -> Option<Found> {
    let next = tags_at(sentence, index + 1);
    let joins = next.any(Tags::SUBORD | Tags::COORD) && !next.any(Tags::RELATIVE);
    // "Un mes solo en la selva", but "compré pan solo en la panadería".
    let meanwhile =
        tags_at(sentence, index - 1).any(Tags::TIME) && opens_place(sentence, index + 1);
    // Greek "μόνος" is never "only".
    let certain = sentence.tags(index).any(Tags::MIND) && next.any(Tags::PREPOSITION);
    if !(is_end(sentence, index + 1) || joins || meanwhile || certain) {
        return None;
    }
    Some(found.at(across(sentence, index)?))
}

/// Participles and adjectives that describe the subject at the end of its clause.
pub(super) fn states(sentence: &Sentence, tell: &mut dyn FnMut(Found)) {
    for index in 1..sentence.len() {
        if let Some(found) = state(sentence, index) {
            tell(found);
        }
    }
}

fn state(sentence: &Sentence, index: usize) -> Option<Found> {
    let tags = tags_at(sentence, index);
    let other =
        Tags::BEFORE | Tags::ADVERB | Tags::GUESS | Tags::COMMON | Tags::ALONE | Tags::FINITE;
    let word = sentence.word(index);
    let participle =
        tags.any(Tags::PARTICIPLE) || PARTICIPLES.iter().any(|end| word.ends_with(end));
    let person = tags.any(Tags::STATE | Tags::MIND);
    if !tags.any(Tags::ADJ_MF) || !(person || participle) || tags.any(other) {
        return None;
    }
    let before = (0..index).rev().find(|&before| {
        !tags_at(sentence, before).any(Tags::ADVERB | Tags::DEGREE)
            || tags_at(sentence, before).any(Tags::TIME)
    })?;
    let verb = Tags::FINITE | Tags::MAYBE_FINITE | Tags::INFINITIVE;
    // "La tarde entera tumbada".
    let timed = before > 0
        && tags_at(sentence, before).any(Tags::ADJ_MF)
        && tags_at(sentence, before - 1).any(Tags::TIME);
    let previous = tags_at(sentence, before - usize::from(timed));
    let described = previous.any(Tags::ADJ_MF) && !previous.any(Tags::GUESS | Tags::THING);
    // "Una historia divertida" would agree; "horas divertida" does not.
    let placed = if tags.any(Tags::STATE) {
        // "He vestido a la niña": right behind its verb a participle makes a tense.
        let light = Tags::DETERMINER | Tags::PREPOSITION | Tags::COORD | Tags::COPULA;
        !described && !previous.any(light | verb | Tags::AUX)
    } else {
        previous.any(Tags::TIME) && !previous.any(verb) && person
    };
    let placed = placed || !timed && is_elsewhere(sentence, before, tags);
    let next = tags_at(sentence, index + 1);
    let closes = is_end(sentence, index + 1)
        || next.any(Tags::PREPOSITION | Tags::ADVERB | Tags::SUBORD | Tags::COORD);
    if !placed || !closes || next.any(Tags::RELATIVE) && !next.any(Tags::PREPOSITION) {
        return None;
    }
    let anchor = across(sentence, index)?;
    // "Esperábame sentada": whoever did that to "me" sat.
    let tie = tags_at(sentence, anchor);
    if tie.any(Tags::ME) && !tie.any(Tags::FINITE | Tags::INFINITIVE) {
        return None;
    }
    // "La pinté desnuda".
    let start = sentence.clause(index).start;
    let object = (start..index).any(|other| {
        let tags = tags_at(sentence, other);
        tags.any(Tags::CLITIC)
            && !tags.any(Tags::ME | Tags::PREPOSITION)
            && (!tags.any(Tags::DETERMINER) || is_clitic(sentence, other))
    });
    let found = gendered(sentence, index)?;
    (!object).then(|| found.at(anchor))
}

/// Whether an adjective of the class `tags` cannot belong to the noun at `noun`, since that is where one only comes to ("llegué a
/// casa cansada"), or is under a preposition and has the other gender ("salí del trabajo agotada").
fn is_elsewhere(sentence: &Sentence, noun: usize, tags: Tags) -> bool {
    let Some(before) = noun
        .checked_sub(1)
        .filter(|_| sentence.tokens[noun].kind == Kind::Word)
    else {
        return false;
    };
    let nominal = Tags::DETERMINER | Tags::MY | Tags::ADJ_MF | Tags::ADVERB | Tags::PREPOSITION;
    if tags_at(sentence, noun).any(nominal)
        && !tags_at(sentence, noun).any(Tags::HOME | Tags::THING)
    {
        return false;
    }
    let article = tags_at(sentence, before);
    let word = sentence.word(before);
    let masculine = article.any(Tags::THE_M | Tags::A_M) || CONTRACTED_M.contains(&word);
    let feminine = article.any(Tags::THE_F | Tags::A_F) || CONTRACTED_F.contains(&word);
    let under = CONTRACTED_M.contains(&word)
        || CONTRACTED_F.contains(&word)
        || article.any(Tags::PREPOSITION)
        || before > 0 && tags_at(sentence, before - 1).any(Tags::PREPOSITION);
    let home = tags_at(sentence, noun).any(Tags::HOME);
    let differs = match (tags.any(Tags::ADJ_M), tags.any(Tags::ADJ_F)) {
        (true, false) => feminine && !masculine,
        (false, true) => masculine && !feminine,
        _ => false,
    };
    home || under && differs
}

/// Endings of participles.
const PARTICIPLES: [&str; 20] = [
    "ado", "ada", "ido", "ida", "ato", "ata", "uto", "uta", "ito", "ita", "ată", "ită", "ută",
    "uda", "ïda", "ït", "ído", "ída", "oso", "osa",
];

/// Prepositions written with a masculine article.
const CONTRACTED_M: [&str; 21] = [
    "del", "al", "do", "ao", "pelo", "polo", "num", "nun", "dum", "dun", "pel", "dal", "nel",
    "sul", "col", "au", "du", "στον", "dello", "allo", "nello",
];

/// Prepositions written with a feminine article.
const CONTRACTED_F: [&str; 13] = [
    "na", "pela", "pola", "numa", "nunha", "duma", "dunha", "della", "alla", "nella", "dalla",
    "sulla", "στη",
];

/// The word that makes the clause before `index` the speaker's, over its object and its adjuncts.
fn across(sentence: &Sentence, index: usize) -> Option<usize> {
    let anchor = match controller(sentence, index)? {
        Tie::Sure(anchor) | Tie::Likely { anchor, .. } | Tie::Open(anchor) => anchor,
    };
    if anchor >= index || anchor < sentence.clause(index).start {
        return None;
    }
    let verb = Tags::FINITE | Tags::MAYBE_FINITE | Tags::INFINITIVE | Tags::AUX;
    let governor = (anchor..index)
        .rev()
        .find(|&other| tags_at(sentence, other).any(verb));
    let frees =
        governor.is_none_or(|governor| !tags_at(sentence, governor).any(Tags::LEAVES | Tags::SEES));
    let others = (anchor..index).any(|other| {
        sentence.tokens[other].kind == Kind::Name || tags_at(sentence, other).any(Tags::KIN)
    });
    (frees && !others).then_some(anchor)
}
