//! Noun phrases that speak of the speaker: by their article, or by a noun with two forms.
//!
//! A noun says something of the speaker's gender only where the language gives women and men forms of
//! their own that both are called by; the data files list those. "Víctima", "médecin", "membru" say nothing.

use super::super::predicate::Found;
use super::super::sentence::{Kind, Sentence};
use super::super::tags::Tags;
use super::complement::Shows;
use super::{gendered, is_end, speaker, tags_at};
use crate::Gender;

/// The noun phrase that begins with the article at `article`.
pub(super) fn phrase(sentence: &Sentence, article: usize) -> Option<(Found, Shows)> {
    let tags = sentence.tags(article);
    let by_article = article_gender(tags);
    let definite = tags.any(Tags::THE_M | Tags::THE_F);
    let mut described = false;
    let mut degree = false;
    let mut adjective: Option<Found> = None;
    let mut index = article + 1;
    loop {
        let tags = tags_at(sentence, index);
        if tags.any(Tags::NOUN_M | Tags::NOUN_F) {
            let found = mobile(sentence, index)?;
            let agrees = by_article.is_none_or(|gender| gender == found.gender);
            return agrees.then_some((found, Shows::Noun));
        }
        if tags.any(Tags::COMMON) {
            break;
        }
        if tags.any(Tags::THING | Tags::GUESS) {
            return None;
        }
        if tags.any(Tags::ADJ_MF) && !(tags.any(Tags::ADVERB) && adjective.is_some()) {
            // A noun may end like an adjective: "une girouette".
            let listed = Tags::BEFORE | Tags::MIND | Tags::PARTICIPLE | Tags::ALONE;
            if !tags.any(listed) && !degree {
                return None;
            }
            adjective = gendered(sentence, index).or(adjective);
            described = true;
        } else if tags.any(Tags::ADJ_X) {
            described = true;
        } else if tags.any(Tags::ADVERB | Tags::DEGREE) {
            degree |= tags.any(Tags::DEGREE);
        } else if tags.any(Tags::COORD)
            && described
            && tags_at(sentence, index + 1).any(Tags::ADJ_MF | Tags::ADJ_X | Tags::ADVERB)
        {
        } else {
            // The end of the phrase: "la mejor de todas", "la que", "un apasionado del cine".
            let ends = is_end(sentence, index)
                || tags.any(
                    Tags::PREPOSITION | Tags::PURPOSE | Tags::SUBORD | Tags::RELATIVE | Tags::COORD,
                );
            if !ends {
                return None;
            }
            let the_one = definite && index == article + 1 && tags.any(Tags::RELATIVE);
            if !the_one && !described {
                return None;
            }
            if !definite && adjective.is_none() {
                return None;
            }
            break;
        }
        index += 1;
    }
    let found = match (by_article, adjective) {
        // "Essere il più educata possibile".
        (Some(gender), Some(found)) if found.gender != gender && degree => found,
        (Some(gender), Some(found)) if found.gender != gender => return None,
        (Some(gender), _) => Found::new(gender, article),
        (None, Some(found)) => found,
        (None, None) => return None,
    };
    Some((found, Shows::Article))
}

fn article_gender(tags: Tags) -> Option<Gender> {
    match (
        tags.any(Tags::THE_M | Tags::A_M),
        tags.any(Tags::THE_F | Tags::A_F),
    ) {
        (true, false) => Some(Gender::Masculine),
        (false, true) => Some(Gender::Feminine),
        _ => None,
    }
}

/// A noun with a form for each gender.
pub(super) fn mobile(sentence: &Sentence, index: usize) -> Option<Found> {
    let token = &sentence.tokens[index];
    if token.kind != Kind::Word {
        return None;
    }
    let gender = match (token.tags.any(Tags::NOUN_M), token.tags.any(Tags::NOUN_F)) {
        (true, false) => Gender::Masculine,
        (false, true) => Gender::Feminine,
        _ => return None,
    };
    Some(Found::new(gender, index))
}

/// "Trabajo como voluntaria": a noun without article behind "as".
pub(super) fn role(sentence: &Sentence, as_word: usize) -> Option<Found> {
    let mut index = as_word + 1;
    // Catalan "com a", French "en tant que".
    if tags_at(sentence, index).any(Tags::PREPOSITION | Tags::RELATIVE) {
        index += 1;
    }
    while tags_at(sentence, index).any(Tags::ADJ_MF | Tags::ADJ_X | Tags::AS)
        && !tags_at(sentence, index).any(Tags::NOUN_M | Tags::NOUN_F | Tags::COMMON)
    {
        index += 1;
    }
    if index + 1 > sentence.len() {
        return None;
    }
    // "Como una profesional": the article of a common noun; "como una niña" is a simile.
    let verb = Tags::FEEL | Tags::FINITE | Tags::COPULA | Tags::INFINITIVE | Tags::MAYBE_FINITE;
    if tags_at(sentence, index).any(Tags::A_M | Tags::A_F) {
        let plain = !tags_at(sentence, as_word).any(verb) && is_of_person(sentence, index);
        let gender = article_gender(sentence.tags(index)).filter(|_| plain)?;
        let anchor = speaker::of_role(sentence, as_word, index)?;
        return Some(Found::new(gender, index).at(anchor));
    }
    // Italian "faccio la cuoca": the article stands between.
    let trade = tags_at(sentence, as_word).any(Tags::LIVE)
        && tags_at(sentence, index).any(Tags::THE_M | Tags::THE_F)
        && tags_at(sentence, index + 1).any(Tags::NOUN_M | Tags::NOUN_F);
    index += usize::from(trade);
    // "Como analista financiera": a common noun, but its adjective agrees.
    let attribute = tags_at(sentence, index + 1);
    let described = tags_at(sentence, index).any(Tags::COMMON) && !attribute.any(Tags::GUESS);
    let found = if described {
        let follows = index + 1 < sentence.len() && attribute.any(Tags::ADJ_MF);
        follows.then(|| gendered(sentence, index + 1))??
    } else if let Some(gender) =
        sex_of(sentence, index).filter(|_| opens_sentence(sentence, as_word))
    {
        Found::new(gender, index)
    } else {
        mobile(sentence, index)?
    };
    // "Trabajo de camarera": the verb itself is the speaker's.
    let works = sentence.tags(as_word).any(Tags::LIVE) && sentence.tags(as_word).any(Tags::FINITE);
    let anchor = if works {
        as_word
    } else {
        speaker::of_role(sentence, as_word, index)?
    };
    Some(found.at(anchor))
}

/// The sex that the noun at `index` names.
pub(super) fn sex_of(sentence: &Sentence, index: usize) -> Option<Gender> {
    let tags = tags_at(sentence, index);
    match (tags.any(Tags::SEX_M), tags.any(Tags::SEX_F)) {
        (true, false) => Some(Gender::Masculine),
        (false, true) => Some(Gender::Feminine),
        _ => None,
    }
}

/// Whether "as" at `index` opens the sentence: behind its verb "como una madre" may be a simile.
fn opens_sentence(sentence: &Sentence, index: usize) -> bool {
    let light = Tags::ADVERB | Tags::COORD | Tags::PREPOSITION;
    (0..index).all(|at| tags_at(sentence, at).any(light))
}

/// Whether what is shown at `index` is a noun for a person, or the article of a common one.
pub(super) fn is_of_person(sentence: &Sentence, index: usize) -> bool {
    let light = Tags::ADJ_MF | Tags::ADJ_X | Tags::DEGREE | Tags::ADVERB;
    let mut end = index;
    let article = Tags::THE_M | Tags::THE_F | Tags::A_M | Tags::A_F;
    if tags_at(sentence, index).any(article) {
        end += 1;
    }
    while tags_at(sentence, end).any(light) && !tags_at(sentence, end).any(Tags::COMMON) {
        end += 1;
    }
    tags_at(sentence, end).any(Tags::COMMON)
        || tags_at(sentence, index).any(Tags::NOUN_M | Tags::NOUN_F)
}

/// "De niña, …": what the speaker was as a child.
pub(super) fn youth(sentence: &Sentence, index: usize) -> Option<Found> {
    let preposition = index.checked_sub(1)?;
    if !tags_at(sentence, preposition).any(Tags::YOUTH) {
        return None;
    }
    let tags = tags_at(sentence, index);
    let opens = match preposition.checked_sub(1) {
        None => true,
        Some(before) => {
            let before = tags_at(sentence, before);
            is_end(sentence, preposition - 1)
                || (before.any(Tags::ADVERB | Tags::COORD | Tags::SUBORD)
                    && !before.any(Tags::DEGREE))
        }
    };
    let closes = is_end(sentence, index + 1) && tags.any(Tags::NOUN_M | Tags::NOUN_F);
    if !opens && !closes {
        return None;
    }
    let gender = match tags_at(sentence, index).gender() {
        Some(gender) => Found::new(gender, index),
        None => mobile(sentence, index)?,
    };
    let own = (0..sentence.len())
        .find(|&other| tags_at(sentence, other).any(Tags::FINITE | Tags::SPEAKER | Tags::ME))?;
    let others = (0..sentence.len()).any(|other| {
        // "Da piccola vivevo a Bari".
        let place = other > 0 && tags_at(sentence, other - 1).any(Tags::PREPOSITION);
        sentence.tokens[other].kind == Kind::Name && !place
            || tags_at(sentence, other).any(Tags::OTHER_SUBJECT)
    });
    (!others).then(|| gender.at(own))
}
