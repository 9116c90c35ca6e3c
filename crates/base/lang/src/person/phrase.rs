//! What determiners and adjectives around a noun say about its gender and number.

use super::cells::Cells;
use super::context::is_article;
use super::lexicon::Number;
use super::view::View;
use crate::occupation::{Genders, Role};

/// What the words around a noun leave open, and the word that narrowed it last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) cells: Cells,
    pub(crate) word: Option<usize>,
    /// A word that decided cannot be anything but an agreeing word.
    pub(crate) certain: bool,
}

/// What a word beside a noun is.
enum Beside {
    Determiner(Cells, bool),
    Agreeing(Cells),
    Skip,
    End,
    Open,
}

/// How far left of a noun its determiner may stand.
const REACH: usize = 6;

impl Shown {
    fn narrow(&mut self, cells: Cells, word: usize, certain: bool) {
        let both = self.cells.and(cells);
        if both.is_empty() || both == self.cells {
            return;
        }
        if both.genders() != self.cells.genders() {
            self.word = Some(word);
            self.certain = certain;
        }
        self.cells = both;
    }
}

/// What the noun phrase around `noun` shows, the noun itself left out.
pub(crate) fn shown(view: &View, noun: usize) -> Shown {
    let mut found = Shown {
        cells: Cells::ALL,
        word: None,
        certain: false,
    };
    before(view, noun, &mut found);
    if !view.sentence.grammar.head_final {
        after(view, noun, &mut found);
    }
    found
}

fn beside(view: &View, at: usize, noun: usize) -> Beside {
    let word = view.word(at);
    let rules = &view.words.rules;
    let grammar = view.sentence.grammar;
    let rule = |cells: Cells| match grammar.person_determiner {
        Some(read) => read(view, at, noun, cells),
        None => cells,
    };
    if let Some(cells) = rules.determiners.word(word) {
        return Beside::Determiner(rule(cells), true);
    }
    if let Some(cells) = rules.weak_determiners.word(word) {
        // Nothing stands before it that it could depend on.
        return Beside::Determiner(rule(cells), at == 0);
    }
    match view.sentence.role(at) {
        Some(Role::Determiner(genders)) => {
            let genders = match grammar.determiner {
                Some(read) if grammar.person_determiner.is_none() => {
                    read(&view.sentence, at, noun, genders)
                }
                _ => genders,
            };
            Beside::Determiner(rule(Cells::new(genders, Number::EITHER)), true)
        }
        Some(Role::Adjective(genders)) => Beside::Agreeing(Cells::new(genders, Number::EITHER)),
        Some(Role::Skip) => Beside::Skip,
        Some(Role::Stop | Role::Copula | Role::Dative) => Beside::End,
        None if !view.is_word(at) => Beside::End,
        None => Beside::Open,
    }
}

fn before(view: &View, noun: usize, found: &mut Shown) {
    let mut unknown = 0;
    let mut determined = false;
    let mut pending = None;
    for at in (noun.saturating_sub(REACH)..noun).rev() {
        match beside(view, at, noun) {
            Beside::Determiner(cells, certain) => {
                // "el/la asistente"
                let both = at >= 2
                    && view.word(at - 1) == "/"
                    && matches!(beside(view, at - 2, noun), Beside::Determiner(..));
                // The article is certain, an adjective by its ending is not ("un dolce amico").
                if !both {
                    found.narrow(cells, at, certain);
                }
                if let Some((cells, at)) = pending.take() {
                    found.narrow(cells, at, true);
                }
                determined = true;
                predeterminer(view, at, found);
            }
            _ if determined => return,
            Beside::Agreeing(cells) => {
                if unknown == 0 {
                    found.narrow(cells, at, true);
                }
            }
            Beside::Skip => {}
            Beside::End => return,
            Beside::Open => {
                if view.listed(at).is_some() && !adjective(view, at) {
                    return;
                }
                match agreeing_before(view, at) {
                    Some(cells) if unknown == 0 && view.sentence.grammar.articles => {
                        pending.get_or_insert((cells, at));
                    }
                    Some(cells) if unknown == 0 => found.narrow(cells, at, true),
                    Some(_) => {}
                    None => unknown += 1,
                }
                // Where phrases have articles, one is looked for behind adjectives nobody listed.
                if unknown > 2 || unknown > 0 && !view.sentence.grammar.articles {
                    return;
                }
            }
        }
    }
}

/// "Seules les aristocrates", "todas las artistas": what stands before the article agrees, too.
fn predeterminer(view: &View, article: usize, found: &mut Shown) {
    const WORDS: &[(&str, Genders, Number)] = &[
        ("seul", Genders::M, Number::SINGULAR),
        ("seule", Genders::F, Number::SINGULAR),
        ("seuls", Genders::M, Number::PLURAL),
        ("seules", Genders::F, Number::PLURAL),
        ("tous", Genders::M, Number::PLURAL),
        ("toutes", Genders::F, Number::PLURAL),
        ("toute", Genders::F, Number::SINGULAR),
        ("todos", Genders::M, Number::PLURAL),
        ("todas", Genders::F, Number::PLURAL),
        ("tutti", Genders::M, Number::PLURAL),
        ("tutte", Genders::F, Number::PLURAL),
        ("ambos", Genders::M, Number::PLURAL),
        ("ambas", Genders::F, Number::PLURAL),
        ("entrambi", Genders::M, Number::PLURAL),
        ("entrambe", Genders::F, Number::PLURAL),
        ("tots", Genders::M, Number::PLURAL),
        ("totes", Genders::F, Number::PLURAL),
        ("toți", Genders::M, Number::PLURAL),
        ("toate", Genders::F, Number::PLURAL),
    ];
    let Some(at) = article
        .checked_sub(1)
        .filter(|_| view.sentence.grammar.articles)
    else {
        return;
    };
    let word = WORDS.iter().find(|(word, ..)| *word == view.word(at));
    if let Some((_, genders, number)) = word {
        found.narrow(Cells::new(*genders, *number), at, true);
    }
}

/// A listed word that is more likely an adjective here: small in a language that writes nouns large,
/// or right behind the article ("una pequeña genio").
fn adjective(view: &View, at: usize) -> bool {
    let grammar = view.sentence.grammar;
    let behind_article =
        || at > 0 && is_article(view, at - 1) && agreeing_before(view, at).is_some();
    grammar.compounds && !view.is_capital(at) || grammar.articles && behind_article()
}

/// What an adjective before the noun shows by its ending.
pub(crate) fn agreeing_before(view: &View, at: usize) -> Option<Cells> {
    let word = view.word(at);
    let rules = &view.words.rules;
    if !rules.before.is_empty() {
        return rules.before.find(word).map(|(cells, _)| cells);
    }
    let lexicon = view.sentence.lexicon;
    let ending = lexicon
        .prenominal_suffixes
        .find(word)
        .or_else(|| lexicon.adjective_suffixes.find(word));
    ending.map(|(genders, _)| Cells::new(genders, Number::EITHER))
}

fn after(view: &View, noun: usize, found: &mut Shown) {
    let rules = &view.words.rules;
    for at in noun + 1..view.len().min(noun + 4) {
        match beside(view, at, noun) {
            Beside::Agreeing(cells) => found.narrow(cells, at, true),
            Beside::Skip => {}
            Beside::Determiner(..) | Beside::End => return,
            Beside::Open => {
                if view.listed(at).is_some() {
                    return;
                }
                let word = view.word(at);
                let cells = if rules.after.is_empty() {
                    let ending = view.sentence.lexicon.adjective_suffixes.find(word);
                    ending.map(|(genders, _)| Cells::new(genders, Number::EITHER))
                } else {
                    rules.after.find(word).map(|(cells, _)| cells)
                };
                match cells {
                    Some(cells) => found.narrow(cells, at, true),
                    None => return,
                }
            }
        }
    }
}

/// The one gender of a set, where it is masculine or feminine.
pub(crate) fn is_feminine(cells: Cells) -> bool {
    cells.genders() == Genders::F
}
