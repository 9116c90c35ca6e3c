//! Mode published: what a morphological tagger would say of the aligned word (Unambiguous
//! specification, section 5.4).

use super::finding::{Finding, NOT_ALIGNED, narrowed, other_word, translates};
use super::gender::{Genders, NounGender};
use super::languages::CommonGender;
use super::lexicon::Role;
use super::phrase::agreement;
use super::sentence::{Noun, Sentence};

/// The tag a morphological tagger would give to the last aligned word (spec 5.4).
pub(crate) fn published(
    sentence: &Sentence,
    positions: &[usize],
    occupation: Option<u16>,
) -> Finding {
    let Some(at) = last_noun(sentence, positions, occupation) else {
        return Finding::none(NOT_ALIGNED);
    };
    if let Some(noun) = sentence.noun(at, occupation) {
        if let Some(gender) = noun.genders.single() {
            return invented(sentence, at, noun)
                .unwrap_or_else(|| Finding::at(Some(gender), "noun", at));
        }
        if noun.genders.is_epicene() {
            return Finding::at(None, "common gender", at);
        }
        let fallback = match sentence.grammar.common_gender {
            CommonGender::Unmarked | CommonGender::Fixed(_) if noun.genders.is_loan() => {
                Some(NounGender::Masculine)
            }
            CommonGender::Unmarked => return Finding::at(None, "common gender", at),
            CommonGender::Fixed(gender) => return Finding::at(Some(gender), "common gender", at),
            CommonGender::Agreement { otherwise } => otherwise,
        };
        let around = agreement(sentence, at);
        return match narrowed(sentence, at, noun.genders, around) {
            Some((gender, word)) => Finding::at(Some(gender), "agreement", at).with(word),
            None => match noun.citation.single() {
                Some(gender) => Finding::at(Some(gender), "dictionary form", at),
                None => Finding::at(fallback, "common gender", at),
            },
        };
    }
    other_word(sentence, at)
}

/// "эта повара": an oblique form of a masculine noun that looks like a feminine one, after a
/// feminine article, is a feminine noun that dictionaries do not have.
pub(crate) fn invented(sentence: &Sentence, at: usize, noun: Noun) -> Option<Finding> {
    if !noun.citation.is_empty()
        || noun.genders.single() != Some(NounGender::Masculine)
        || !sentence.word(at).ends_with(['а', 'я', 'a'])
    {
        return None;
    }
    let around = agreement(sentence, at);
    let article = around
        .word
        .is_some_and(|word| matches!(sentence.role(word), Some(Role::Determiner(_))));
    (article && around.genders == Genders::F)
        .then(|| Finding::at(Some(NounGender::Feminine), "feminine article", at).with(around.word))
}

/// The head of an aligned term ("femme de ménage"), else the last aligned noun, else the last word
/// that translates the occupation or can be a noun, else the noun
/// nearest to the aligned function words, else the last word.
fn last_noun(sentence: &Sentence, positions: &[usize], occupation: Option<u16>) -> Option<usize> {
    let aligned = || positions.iter().copied().filter(|&at| at < sentence.len());
    let fits = |&at: &usize| occupation.is_some_and(|id| translates(sentence, at, id));
    let can_be_noun =
        |&at: &usize| sentence.is_word(at) && sentence.role(at).is_none() || agent(sentence, at);
    let listed = |at: &usize| can_be_noun(at) && sentence.noun(*at, None).is_some();
    let term = |&at: &usize| occupation.is_some_and(|id| sentence.term(at, Some(id)).is_some());
    aligned()
        .rfind(term)
        .or_else(|| aligned().rfind(|at| !sentence.grammar.head_final && listed(at)))
        .or_else(|| aligned().rfind(fits))
        .or_else(|| Some(modified(sentence, positions, aligned().rfind(can_be_noun)?)))
        .or_else(|| neighbour(sentence, aligned().next_back()?))
        .or_else(|| aligned().next_back())
}

/// Where modifiers stand before their noun, the noun behind aligned modifiers.
fn modified(sentence: &Sentence, positions: &[usize], at: usize) -> usize {
    if !sentence.grammar.head_final {
        return at;
    }
    let is_noun = |at: usize| sentence.role(at).is_none() && sentence.noun(at, None).is_some();
    // "बालों वाली बहन"
    let agreeing = matches!(sentence.role(at + 1), Some(Role::Adjective(_)));
    if agreeing && positions.contains(&(at + 1)) && is_noun(at + 2) {
        return at + 2;
    }
    let modifier = agent(sentence, at) || sentence.noun(at, None).is_none();
    // A verb ends the sentence, a head does not.
    if modifier && is_noun(at + 1) && sentence.is_word(at + 2) {
        at + 1
    } else {
        at
    }
}

/// "बेचने वाला": an agreeing word that makes a noun of the verb before it.
fn agent(sentence: &Sentence, at: usize) -> bool {
    matches!(sentence.role(at), Some(Role::Adjective(_)))
        && at > 0
        && sentence.role(at - 1) == Some(Role::Stop)
}

/// The noun that belongs to an aligned dash, article or particle: behind an article, else right
/// before, else the nearest. No noun near: a pronoun or "one of them".
fn neighbour(sentence: &Sentence, at: usize) -> Option<usize> {
    const REACH: usize = 3;
    let open = |at: usize| sentence.is_word(at) && sentence.role(at).is_none();
    let is_noun = |&at: &usize| open(at) && sentence.noun(at, None).is_some();
    let shows_gender = |&at: &usize| match sentence.role(at) {
        Some(Role::Determiner(genders) | Role::Adjective(genders)) => genders.single().is_some(),
        _ => false,
    };
    let before = at.checked_sub(1).filter(|&at| open(at));
    let mut behind = None;
    match sentence.role(at) {
        // "बालों वाली बहन", "बालों वाली": else an agreeing word speaks for itself.
        Some(Role::Adjective(_)) => {
            let head = Some(at + 1).filter(|_| sentence.grammar.head_final);
            return head.filter(is_noun).or(before.filter(is_noun));
        }
        Some(Role::Determiner(_)) if before.is_none_or(|at| !is_noun(&at)) => {
            let phrase = || (at + 1..=at + REACH).take_while(|&at| open(at));
            if let Some(noun) = phrase().find(is_noun) {
                return Some(noun);
            }
            behind = phrase().next();
        }
        _ => {}
    }
    let nearest = |fits: &dyn Fn(&usize) -> bool| {
        (1..=REACH).find_map(|distance| {
            let left = at.checked_sub(distance).filter(fits);
            left.or_else(|| Some(at + distance).filter(fits))
        })
    };
    before
        .or(behind)
        .or_else(|| nearest(&is_noun))
        .or_else(|| nearest(&shows_gender))
}
