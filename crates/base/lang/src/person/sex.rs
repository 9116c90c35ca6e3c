//! Words that name the sex of a person outrank every ending and article: titles, appositions ("Der Arzt, eine Frau um
//! die vierzig"), predicates ("Le médecin est une femme") and what is said of one sex alone ("Le ministre, enceinte").

use super::cells::Cells;
use super::context::{is_article, is_subject};
use super::judge::is_instrumental;
use super::lexicon::Number;
use super::view::View;
use crate::occupation::{NounGender, Role};

/// How far behind the noun an apposition or predicate may name the sex.
const REACH: usize = 6;

/// The sex that words beyond the noun phrase name, and the word that names it.
pub(crate) fn named(view: &View, noun: usize) -> Option<(NounGender, usize)> {
    let found = title(view, noun)
        .or_else(|| apposition(view, noun))
        .or_else(|| predicate(view, noun))
        .or_else(|| only(view, noun));
    let (cells, word) = found?;
    Some((cells.single()?, word))
}

/// "Madame le maire": the article stands between the title and the noun.
fn title(view: &View, noun: usize) -> Option<(Cells, usize)> {
    let title = noun.checked_sub(2)?;
    let cells = view.words.rules.titles.word(view.word(title))?;
    is_article(view, noun - 1).then_some((cells, title))
}

fn is_comma(view: &View, at: usize) -> bool {
    matches!(view.word(at), "," | "،")
}

/// "Жертва, мужчина 40 лет", "das Opfer, eine junge Frau".
fn apposition(view: &View, noun: usize) -> Option<(Cells, usize)> {
    let comma = (noun + 1..noun + 3).find(|&at| !view.is_word(at))?;
    if !is_comma(view, comma) {
        return None;
    }
    human(view, comma + 1)
}

/// "La victime est un homme", "врач — женщина".
fn predicate(view: &View, noun: usize) -> Option<(Cells, usize)> {
    let copula = noun + 1;
    let joins = matches!(view.word(copula), "—" | "–" | "-")
        || view.words.rules.copulas.word(view.word(copula)).is_some()
        || view.sentence.role(copula) == Some(Role::Copula);
    // "Водителем была женщина": the noun says as what, the woman is the subject.
    let inverted = || {
        let verb = view
            .words
            .rules
            .predicates
            .find(view.word(copula))
            .is_some();
        let wanted =
            view.sentence.grammar.endings_decide && verb && view.sentence.opens_clause(noun);
        wanted.then(|| human(view, copula + 1)).flatten()
    };
    if !joins || !is_subject(view, noun) {
        return inverted().filter(|_| is_instrumental(view, noun));
    }
    human(view, copula + 1)
}

/// A noun for a man or a woman that opens here, behind nothing but an indefinite article, numbers and adjectives.
fn human(view: &View, start: usize) -> Option<(Cells, usize)> {
    let rules = &view.words.rules;
    for at in start..view.len().min(start + REACH) {
        let word = view.word(at);
        if let Some(cells) = rules.humans.word(word) {
            // "sagte Frau Müller": the title of somebody else.
            let cells = Cells::new(cells.genders(), Number::EITHER);
            return (!view.is_capital(at + 1)).then_some((cells, at));
        }
        let digit = word.starts_with(|letter: char| letter.is_ascii_digit());
        let indefinite = rules.ones.word(word).is_some();
        let closed = !view.is_word(at)
            || rules.negations.word(word).is_some()
            || rules.relatives.word(word).is_some() && !indefinite
            || rules.pronouns.word(word).is_some() && !indefinite
            || is_article(view, at) && !indefinite
            || matches!(
                view.sentence.role(at),
                Some(Role::Stop | Role::Dative | Role::Copula)
            )
            || rules.copulas.is_empty() && rules.predicates.find(word).is_some();
        if closed && !digit && !indefinite {
            return None;
        }
    }
    None
}

/// "Der Arzt war schwanger", "Le ministre, enceinte de huit mois", "беременная врач".
fn only(view: &View, noun: usize) -> Option<(Cells, usize)> {
    let rules = &view.words.rules;
    // "زوجة الطبيب حامل": the doctor's wife.
    let owned = noun > 0
        && view.is_open(noun - 1)
        && view.listed(noun - 1).is_some_and(|noun| noun.certain);
    if rules.only.is_empty() || owned || !is_subject(view, noun) {
        return None;
    }
    let said = |at: usize| rules.only.word(view.word(at)).map(|cells| (cells, at));
    let before = noun.checked_sub(1).and_then(said);
    if before.is_some() {
        return before;
    }
    let mut joined = false;
    for at in noun + 1..view.len().min(noun + 1 + REACH) {
        let word = view.word(at);
        if let Some(found) = said(at) {
            // "behandelt schwangere Frauen"
            let attribute =
                view.is_person(at + 1) || rules.humans.word(view.word(at + 1)).is_some();
            return ((joined || at == noun + 1) && !attribute).then_some(found);
        }
        joined |= is_comma(view, at) && at == noun + 1
            || rules.copulas.word(word).is_some()
            || view.sentence.role(at) == Some(Role::Copula)
            || rules.copulas.is_empty() && rules.predicates.find(word).is_some();
        let other = rules.negations.word(word).is_some()
            || rules.pronouns.word(word).is_some()
            || view.listed(at).is_some_and(|noun| noun.certain)
            || !view.is_word(at) && !is_comma(view, at);
        if other {
            return None;
        }
    }
    None
}
