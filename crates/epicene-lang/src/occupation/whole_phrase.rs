//! Mode default: what the whole noun phrase says about the person.

use super::both_forms;
use super::finding::{Finding, find, narrowed, other_word, translates};
use super::gender::{Genders, NounGender};
use super::lexicon::Role;
use super::phrase::agreement;
use super::published::invented;
use super::sentence::Sentence;

/// What the noun phrase says about the person.
pub(crate) fn whole_phrase(
    sentence: &Sentence,
    positions: &[usize],
    occupation: Option<u16>,
) -> Finding {
    let Some(at) = head(sentence, positions, occupation) else {
        return Finding::none("not aligned");
    };
    if both_forms::named(sentence, at, occupation) {
        return Finding::at(Some(NounGender::Common), "both forms", at);
    }
    let term = occupation.and_then(|id| sentence.term(at, Some(id)));
    let forms = match term.or_else(|| sentence.term(at, None)) {
        Some(term) => Some((term.genders, term.genders)),
        None => sentence
            .noun(at, occupation)
            .map(|noun| (noun.genders, noun.citation)),
    };
    let Some((genders, citation)) = forms else {
        return other_word(sentence, at);
    };
    if genders.is_epicene() {
        return Finding::at(Some(NounGender::Common), "epicene noun", at);
    }
    match genders.single() {
        Some(NounGender::Masculine) => woman(sentence, at)
            .unwrap_or_else(|| Finding::at(Some(NounGender::Masculine), "noun", at)),
        Some(gender) => Finding::at(Some(gender), "noun", at),
        None => match narrowed(sentence, at, genders, agreement(sentence, at)) {
            Some((gender, word)) => Finding::at(Some(gender), "agreement", at).with(word),
            None => match citation.single() {
                Some(gender) => Finding::at(Some(gender), "dictionary form", at),
                None => Finding::at(None, "common gender", at),
            },
        },
    }
}

/// A masculine noun that names a woman: "la médico", "врач сказала".
fn woman(sentence: &Sentence, at: usize) -> Option<Finding> {
    let finding = |rule| Finding::at(Some(NounGender::Feminine), rule, at);
    if let Some(noun) = sentence.noun(at, None)
        && sentence.grammar.endings_decide
        && noun.citation.is_empty()
    {
        // "справа лікаря": what stands before a genitive does not agree with it.
        return invented(sentence, at, noun);
    }
    if sentence.grammar.feminine_article_wins {
        let around = agreement(sentence, at);
        if around.genders == Genders::F {
            return Some(finding("feminine article").with(around.word));
        }
    }
    if sentence.grammar.feminine_predicate_wins {
        let (genders, word) = sentence
            .grammar
            .context
            .and_then(|read| read(sentence, at))?;
        if genders == Genders::F {
            return Some(finding("feminine predicate").with(Some(word)));
        }
    }
    None
}

/// The word to judge: an aligned translation of the occupation, else an aligned noun, else a
/// translation elsewhere in the sentence, else what an aligned article belongs to.
fn head(sentence: &Sentence, positions: &[usize], occupation: Option<u16>) -> Option<usize> {
    let aligned = || positions.iter().copied().filter(|&at| at < sentence.len());
    if let Some(id) = occupation {
        if let Some(at) = aligned().find(|&at| translates(sentence, at, id)) {
            return Some(at);
        }
        let found = find(sentence, id);
        let in_term = found.iter().copied().find(|&head| {
            sentence.term(head, Some(id)).is_some_and(|term| {
                let span = head - term.before.len()..=head + term.after.len();
                aligned().any(|at| span.contains(&at))
            })
        });
        if in_term.is_some() {
            return in_term;
        }
        if let Some(at) = person(sentence, positions) {
            return Some(at);
        }
        let near = |at: &usize| aligned().map(|to| to.abs_diff(*at)).min().unwrap_or(0);
        if let Some(at) = found.into_iter().min_by_key(near) {
            return Some(at);
        }
    }
    let is_noun = |&at: &usize| {
        sentence.role(at).is_none() && sentence.is_word(at) && sentence.noun(at, None).is_some()
    };
    if let Some(at) = aligned().find(is_noun) {
        return Some(at);
    }
    if let Some(at) = aligned().find(|&at| sentence.role(at).is_none() && sentence.is_word(at)) {
        return Some(at);
    }
    // Only function words are aligned: the noun an article stands before.
    let article = aligned().find(|&at| matches!(sentence.role(at), Some(Role::Determiner(_))));
    let noun =
        article.and_then(|from| (from + 1..sentence.len().min(from + 4)).find(|at| is_noun(at)));
    noun.or_else(|| aligned().next_back())
}

/// An aligned noun that is in the lexicon as no occupation at all ("mujer").
fn person(sentence: &Sentence, positions: &[usize]) -> Option<usize> {
    positions.iter().copied().find(|&at| {
        sentence.role(at).is_none()
            && sentence
                .lexicon
                .readings(sentence.word(at))
                .is_some_and(|readings| readings.iter().all(|reading| reading.occupation.is_none()))
    })
}
