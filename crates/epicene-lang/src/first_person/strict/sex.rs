//! Words that name a sex, as what the speaker is: "I am a woman", "I am pregnant". They count whatever their form is, unless
//! they are denied, wished or compared.

use super::ownership::is_unreal;
use crate::Gender;
use crate::first_person::predicate::Found;
use crate::first_person::sentence::{Kind, Sentence};
use crate::first_person::tags::Tags;

/// Every word that names the sex of the speaker.
pub(super) fn each(sentence: &Sentence, tell: &mut dyn FnMut(Found)) {
    for index in 0..sentence.len() {
        let tags = sentence.tags(index);
        let gender = match (tags.any(Tags::SEX_M), tags.any(Tags::SEX_F)) {
            (true, false) => Gender::Masculine,
            (false, true) => Gender::Feminine,
            _ => continue,
        };
        if sentence.tokens[index].kind != Kind::Word || is_unreal(sentence, index) {
            continue;
        }
        // "Jsem muž/žena" names both.
        let opposite = match gender {
            Gender::Masculine => Tags::SEX_F,
            Gender::Feminine => Tags::SEX_M,
        };
        let near = index.saturating_sub(2)..sentence.len().min(index + 3);
        if near.into_iter().any(|at| sentence.tags(at).any(opposite)) {
            continue;
        }
        if let Some(anchor) = anchor(sentence, index) {
            tell(Found::new(gender, index).at(anchor));
        }
    }
}

/// The "I am" that the word at `index` is said of: right before it, behind articles, adjectives and adverbs only, or right behind.
fn anchor(sentence: &Sentence, index: usize) -> Option<usize> {
    let clause = sentence.clause(index);
    let has = |tags: Tags| {
        clause
            .clone()
            .any(|at| at != index && sentence.tags(at).any(tags))
    };
    if has(Tags::OTHER_SUBJECT | Tags::COMPARISON | Tags::AS | Tags::THIRD) {
        return None;
    }
    let light = Tags::ADVERB
        | Tags::DEGREE
        | Tags::DETERMINER
        | Tags::A_M
        | Tags::A_F
        | Tags::ADJ_MF
        | Tags::ADJ_X
        | Tags::DEFINITE
        | Tags::INS_MF
        | Tags::COPULA;
    let state = sentence.tags(index).any(Tags::STATE);
    let before = (clause.start..index).rev().find(|&at| {
        let tags = sentence.tags(at);
        let under = state && at + 1 == index && tags.any(Tags::PREPOSITION);
        let passes = tags.any(light) && !tags.any(Tags::OWN | Tags::PREPOSITION);
        sentence.tokens[at].kind != Kind::Mark && !passes && !under
    });
    let own = |at: usize| {
        let tags = sentence.tags(at);
        let am = Tags::FIRST | Tags::FEEL | Tags::COPULA;
        let verb =
            tags.any(am) && tags.any(Tags::OWN) && !tags.any(Tags::INFINITIVE | Tags::CONSIDER);
        let others =
            Tags::FINITE | Tags::MAYBE_FINITE | Tags::PAST_MF | Tags::INFINITIVE | Tags::THIRD;
        // Hindi "मैं माँ के साथ हूँ": where "am" closes the clause, the noun stands right before it.
        let closed = (index + 1..clause.end)
            .find(|&at| sentence.tags(at).any(Tags::FIRST))
            .is_none_or(|am| am == index + 1);
        let bare = tags.any(Tags::SPEAKER)
            && closed
            && !clause.clone().any(|at| {
                let tags = sentence.tags(at);
                tags.any(others) && !tags.any(Tags::COPULA | Tags::SEX_MF)
            });
        // "Помолил съм сестра си": beside another verb a noun is an object.
        let lexical = clause.clone().any(|at| {
            let tags = sentence.tags(at);
            tags.any(Tags::PAST_MF) && !tags.any(Tags::COPULA | Tags::SEX_MF | Tags::ADJ_MF)
        });
        ((verb || bare) && !lexical).then_some(at)
    };
    let after = || {
        let next = index + 1;
        let fits = next < clause.end && sentence.tags(next).any(Tags::FIRST);
        (fits && index == clause.start).then_some(next)
    };
    before.and_then(own).or_else(after)
}
