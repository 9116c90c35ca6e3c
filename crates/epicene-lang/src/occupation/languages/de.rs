//! German: compounds, and articles whose gender depends on case.

use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;
use crate::occupation::gender::Genders;
use crate::occupation::lexicon::Role;
use crate::occupation::sentence::Sentence;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    head_last: true,
    compounds: true,
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    determiner: Some(determiner),
    articles: true,
    ..Grammar::plain("de", include_str!("../../../data/de/occupations.txt"))
});

/// "der Angestellte" is a man, "der Angestellten" a woman in the dative, "die Angestellten"
/// several people; "mit der CEO" is a woman, "der CEO" a man.
fn determiner(sentence: &Sentence, at: usize, noun: usize, genders: Genders) -> Genders {
    let weak = sentence.word(noun).ends_with("en")
        && sentence
            .noun(noun, None)
            .is_some_and(|noun| noun.genders == Genders::C);
    if genders == Genders::C {
        // Behind a preposition a dative, behind a noun a genitive ("das Büro der CEO").
        let oblique = at > 0
            && (sentence.role(at - 1) == Some(Role::Dative)
                || sentence.role(at - 1).is_none() && sentence.noun(at - 1, None).is_some());
        return if weak || oblique {
            Genders::F
        } else {
            Genders::M
        };
    }
    if weak && genders == Genders::F {
        return Genders::ANY;
    }
    genders
}
