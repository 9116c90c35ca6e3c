//! Words that name a sex, as what the speaker is: "I am a woman", "I am pregnant". They count whatever their form is, unless
//! they are denied, wished or compared.

use super::ownership::is_unreal;
use crate::Gender;
use crate::first_person::predicate::Found;
use crate::first_person::sentence::{Kind, Sentence};
use crate::first_person::tags::Tags;

/// Every word that names the sex of the speaker.
pub(super) fn each(sentence: &Sentence, tell: &mut dyn FnMut(Found)) {
    among_women(sentence).into_iter().for_each(&mut *tell);
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
        // "Aš ir sesuo": my sister and I.
        let beside_me = index > 1
            && sentence.tags(index - 1).any(Tags::COORD)
            && sentence.tags(index - 2).any(Tags::SPEAKER);
        if beside_me {
            continue;
        }
        if let Some(anchor) = anchor(sentence, index) {
            tell(Found::new(gender, index).at(anchor));
        }
    }
}

/// "Mi hermana y yo estamos agotadas": a feminine plural speaks of women only; a masculine one of anybody.
fn among_women(sentence: &Sentence) -> Option<Found> {
    const WE_ARE: [&str; 19] = [
        "estamos",
        "estábamos",
        "somos",
        "éramos",
        "quedamos",
        "ficamos",
        "fomos",
        "fuimos",
        "estem",
        "estàvem",
        "som",
        "érem",
        "siamo",
        "eravamo",
        "sommes",
        "étions",
        "suntem",
        "είμαστε",
        "ήμασταν",
    ];
    const ENDINGS: [&str; 17] = [
        "adas",
        "idas",
        "tas",
        "osas",
        "untas",
        "ades",
        "ides",
        "udes",
        "ate",
        "ite",
        "ute",
        "che",
        "ées",
        "ies",
        "ues",
        "euses",
        "μένες",
    ];
    let verb = (0..sentence.len()).find(|&at| WE_ARE.contains(&sentence.word(at)))?;
    let start = sentence.clause(verb).start;
    let me = (start..verb).find(|&at| sentence.tags(at).any(Tags::SPEAKER | Tags::ME_STRONG))?;
    let joined = (start..verb).any(|at| sentence.tags(at).any(Tags::COORD));
    let she = (start..verb).any(|at| sentence.tags(at).any(Tags::SEX_F));
    let he = (start..verb).any(|at| sentence.tags(at).any(Tags::SEX_M));
    let light = Tags::ADVERB | Tags::DEGREE;
    let index = (verb + 1..sentence.len()).find(|&at| !sentence.tags(at).any(light))?;
    let feminine = ENDINGS
        .iter()
        .any(|ending| sentence.word(index).ends_with(ending));
    (joined && she && !he && feminine).then(|| Found::new(Gender::Feminine, index).at(me))
}

/// The "I am" that the word at `index` is said of: right before it, behind articles, adjectives and adverbs only, or right behind.
fn anchor(sentence: &Sentence, index: usize) -> Option<usize> {
    let clause = sentence.clause(index);
    let has = |tags: Tags| {
        clause
            .clone()
            // Arabic "أنا ابنك يا أمي": a call is no subject.
            .any(|at| at != index && sentence.tags(at).any(tags) && sentence.word(at) != "يا")
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
        // Portuguese "a" is an article and a preposition.
        let article = tags.any(Tags::THE_M | Tags::THE_F) && sentence.word(at) == "a";
        let passes = article || tags.any(light) && !tags.any(Tags::OWN | Tags::PREPOSITION);
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
            && !(clause.start..sentence.phrase(index).end.max(index)).any(|at| {
                let tags = sentence.tags(at);
                // Belarusian "сталага веку": a noun that ends like a verb.
                let noun = at > index
                    && tags.any(Tags::MAYBE_FINITE)
                    && sentence.tags(at - 1).any(Tags::ADJ_X | Tags::DETERMINER);
                tags.any(others) && !noun && !tags.any(Tags::COPULA | Tags::SEX_MF)
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
