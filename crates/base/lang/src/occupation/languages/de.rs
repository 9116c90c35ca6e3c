//! German: compounds, and articles whose gender depends on case.

use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;
use crate::occupation::gender::Genders;
use crate::occupation::lexicon::Role;
use crate::occupation::sentence::Sentence;
use crate::person::{Cells, View};

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    head_last: true,
    compounds: true,
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    determiner: Some(determiner),
    person_determiner: Some(der),
    articles: true,
    ..Grammar::plain("de", packed!("de/occupations.txt"))
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

/// "der": a man in the nominative, a woman in the dative, several people in the genitive. An adjective
/// behind it tells ("der neue", "der neuen"), else a preposition or a noun before it.
fn der(view: &View, at: usize, noun: usize, cells: Cells) -> Cells {
    let next = view.word(at + 1);
    if !matches!(
        view.word(at),
        "der" | "dieser" | "jener" | "jeder" | "welcher"
    ) {
        // "die Angestellten": a woman would be "die Angestellte", but for the dative ("deiner Angestellten").
        let several = cells == Cells::F_SG.or(Cells::PLURALS)
            && view.word(noun).ends_with("en")
            && !view.word(at).ends_with('r');
        return if several { Cells::PLURALS } else { cells };
    }
    let oblique = Cells::F_SG.or(Cells::PLURALS);
    if at + 1 < noun {
        return match next {
            _ if next.ends_with("en") => oblique,
            _ if next.ends_with('e') => Cells::M_SG,
            _ => cells,
        };
    }
    let form = view.listed(noun).or_else(|| view.by_ending(noun));
    let form = form.map_or(Cells::ALL, |form| form.cells);
    if form.and(Cells::M_SG).is_empty() {
        return cells;
    }
    let both = !form.and(Cells::F_SG).is_empty();
    if both && next.ends_with("en") {
        return oblique;
    }
    let governed = at > 0
        && (view.sentence.role(at - 1) == Some(Role::Dative)
            || view.is_capital(at - 1) && view.is_open(at - 1) && view.listed(at - 1).is_some());
    if governed && !(both && next.ends_with('e')) {
        oblique
    } else {
        Cells::M_SG
    }
}
