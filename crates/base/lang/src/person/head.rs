//! Which word to judge: links lead to the noun, beside it, or astray.

use super::cells::Cells;
use super::context::{is_article, is_preposition};
use super::phrase::agreeing_before;
use super::view::{Kind, View};
use crate::occupation::Role;

/// How far from a linked word that cannot be a person its noun is looked for.
const NEAR: usize = 3;

/// The word to judge: a linked translation of the English noun, a linked noun for a person, a
/// translation nearby, a linked word that may be one, else what stands beside it.
pub(crate) fn head(view: &View, positions: &[usize]) -> Option<usize> {
    let linked = || {
        let inside = positions.iter().copied().filter(|&at| at < view.len());
        inside.filter(|&at| view.is_word(at))
    };
    if let Some(at) = linked().find(|&at| view.translates(at)) {
        return Some(at);
    }
    let found = view.translations();
    let in_term = found.iter().copied().find(|&head| {
        let span = view.term(head).filter(|(noun, _)| noun.translates);
        span.is_some_and(|(_, span)| linked().any(|at| span.contains(&at)))
    });
    if in_term.is_some() {
        return in_term;
    }
    let person = |at: &usize| {
        view.is_open(*at)
            && view
                .listed(*at)
                .is_some_and(|noun| noun.kind == Kind::Person)
    };
    let distance = |at: &usize| linked().map(|to| to.abs_diff(*at)).min();
    let nearest = found
        .iter()
        .copied()
        .min_by_key(|at| distance(at).unwrap_or(0));
    let certain = linked().find(person);
    // "Специалистке по статистике": what the linked person is expert in.
    let field = |at: usize| {
        certain.is_some_and(|person| person + 2 == at) && is_preposition(view.word(at - 1))
    };
    if let Some(at) = nearest.filter(|&at| !field(at)) {
        // A person noun is linked, and a translation of the English noun stands elsewhere: the
        // links went astray, unless they lead far away from it.
        let near = distance(&at).is_none_or(|distance| distance <= 2 * NEAR);
        if certain.is_none() || near {
            return Some(at);
        }
    }
    certain
        .or_else(|| {
            let at = linked().find(|&at| view.is_person(at))?;
            // "зубной врач": an adjective is linked, its noun stands behind it.
            let adjective = agreeing_before(view, at).is_some() && person(&(at + 1));
            Some(if adjective { at + 1 } else { at })
        })
        .or_else(|| linked().find(|&at| view.is_open(at) && !view.is_vetoed(at)))
        .or_else(|| linked().find(|&at| agent(view, at)))
        .or_else(|| beside(view, positions))
}

/// "बेचने वाला": where nothing follows a noun, a linked agreeing word is one.
fn agent(view: &View, at: usize) -> bool {
    view.sentence.grammar.head_final && matches!(view.sentence.role(at), Some(Role::Adjective(_)))
}

/// The noun a linked article stands before, else the nearest noun for a person.
fn beside(view: &View, positions: &[usize]) -> Option<usize> {
    let last = view.len().checked_sub(1)?;
    positions
        .iter()
        .copied()
        .filter(|&at| at <= last)
        .find_map(|at| {
            let article = is_article(view, at);
            // By its ending alone only what an article stands before: a verb may end like a noun.
            let certain = |at: &usize| {
                let noun = view.listed(*at).or_else(|| view.by_ending(*at));
                view.is_open(*at)
                    && match noun.map(|noun| noun.kind) {
                        Some(Kind::Person) => true,
                        Some(Kind::Ending(3..)) => *at > 0 && is_article(view, at - 1),
                        _ => false,
                    }
            };
            let right = (at + 1..=last.min(at + NEAR)).find(certain);
            if article {
                return right;
            }
            (1..=NEAR).find_map(|distance| {
                let left = at.checked_sub(distance).filter(certain);
                left.or_else(|| Some(at + distance).filter(certain))
            })
        })
}

/// "La persona vendedora", "Το εργαζόμενο άτομο": a noun for people of any gender beside the linked word, which agrees with
/// it as an adjective does.
pub(crate) fn neutral_head(view: &View, at: usize) -> Option<usize> {
    let grammar = view.sentence.grammar;
    if grammar.head_final || view.term(at).is_some_and(|(noun, _)| noun.translates) {
        return None;
    }
    let noun = |at: usize| view.listed(at).or_else(|| view.by_ending(at));
    if noun(at).is_some_and(|noun| noun.epicene) {
        // "Las personas menores": the article is the head's.
        let head = at.checked_sub(1).filter(|&head| {
            let noun = view.listed(head).filter(|noun| noun.kind == Kind::Person);
            noun.is_some_and(|noun| noun.epicene) && !grammar.endings_decide
        });
        return head;
    }
    if let Some(head) = led_by_neutral(view, at) {
        return Some(head);
    }
    let adjective = if grammar.compounds {
        (!view.is_capital(at)).then_some(Cells::ALL)
    } else {
        agreeing_before(view, at)
    };
    let own = noun(at).map(|noun| noun.cells);
    let agrees = |head: usize, cells: Option<Cells>| {
        let neutral = noun(head).filter(|noun| noun.epicene && noun.kind != Kind::Thing);
        let fits = cells
            .zip(neutral)
            .is_some_and(|(cells, noun)| !cells.and(noun.cells).is_empty());
        (fits && view.is_word(head) && !is_article(view, head)).then_some(head)
    };
    // With cases a noun behind another is its genitive ("жертва учительницы").
    let behind = if grammar.endings_decide || grammar.compounds {
        adjective
    } else {
        own.or(adjective)
    };
    let before = at.checked_sub(1).and_then(|head| agrees(head, behind));
    before.or_else(|| agrees(at + 1, adjective))
}

/// "A pessoa ao volante", "osoba za volantom": a noun for people of any gender before a preposition whose noun was taken for a
/// person by its ending alone.
fn led_by_neutral(view: &View, at: usize) -> Option<usize> {
    let grammar = view.sentence.grammar;
    if view.listed(at).is_some() || grammar.compounds {
        return None;
    }
    let (preposition, head) = (at.checked_sub(1)?, at.checked_sub(2)?);
    let rules = &view.words.rules;
    let word = view.word(preposition);
    // "Être un thésauriseur", "osoba je vozačica".
    let joins = view.is_word(preposition)
        && rules.ones.word(word).is_none()
        && rules.copulas.word(word).is_none()
        && rules.predicates.find(word).is_none()
        && (!grammar.endings_decide || is_preposition(word));
    let noun = view.listed(head).filter(|noun| noun.kind == Kind::Person);
    (joins && noun.is_some_and(|noun| noun.epicene)).then_some(head)
}
