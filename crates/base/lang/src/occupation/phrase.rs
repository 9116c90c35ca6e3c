//! Agreement: what determiners and adjectives around a noun say about its gender.

use super::gender::Genders;
use super::lexicon::Role;
use super::sentence::Sentence;

/// The genders the words around a noun leave open, and the word that narrowed them last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Agreement {
    pub(crate) genders: Genders,
    pub(crate) word: Option<usize>,
}

/// How far left of a noun its determiner may stand.
const REACH: usize = 6;

impl Agreement {
    pub(crate) fn open() -> Agreement {
        Agreement {
            genders: Genders::ANY,
            word: None,
        }
    }

    /// Intersects; a word that contradicts what stands nearer to the noun is not believed.
    fn narrow(&mut self, genders: Genders, word: usize) {
        let both = self.genders.and(genders);
        if !both.is_empty() && both != self.genders {
            self.genders = both;
            self.word = Some(word);
        }
    }
}

/// What the noun phrase around `noun` shows, the noun itself left out.
pub(crate) fn agreement(sentence: &Sentence, noun: usize) -> Agreement {
    let mut found = Agreement::open();
    before(sentence, noun, &mut found);
    after(sentence, noun, &mut found);
    found
}

fn before(sentence: &Sentence, noun: usize, found: &mut Agreement) {
    let lexicon = sentence.lexicon;
    let mut unknown = 0;
    let mut determined = false;
    let mut pending = None;
    for at in (noun.saturating_sub(REACH)..noun).rev() {
        match sentence.role(at) {
            Some(Role::Determiner(genders)) => {
                let genders = match sentence.grammar.determiner {
                    // "el/la asistente"
                    _ if slashed(sentence, at) => Genders::ANY,
                    Some(read) => read(sentence, at, noun, genders),
                    None => genders,
                };
                if let Some((genders, at)) = pending.take() {
                    found.narrow(genders, at);
                }
                found.narrow(genders, at);
                determined = true;
            }
            _ if determined => return,
            Some(Role::Adjective(genders)) => {
                if unknown == 0 {
                    found.narrow(genders, at);
                }
            }
            Some(Role::Skip) => {}
            Some(Role::Stop | Role::Copula | Role::Dative) => return,
            None => {
                if !sentence.is_word(at) || sentence.noun(at, None).is_some() {
                    return;
                }
                let word = sentence.word(at);
                let ending = lexicon
                    .prenominal_suffixes
                    .find(word)
                    .or_else(|| lexicon.adjective_suffixes.find(word));
                match ending {
                    Some((genders, _)) if unknown == 0 && sentence.grammar.articles => {
                        pending.get_or_insert((genders, at));
                    }
                    Some((genders, _)) if unknown == 0 => found.narrow(genders, at),
                    Some(_) => {}
                    None => unknown += 1,
                }
                if unknown > 2 {
                    return;
                }
            }
        }
    }
}

/// The second of two determiners that name both genders.
fn slashed(sentence: &Sentence, at: usize) -> bool {
    at >= 2
        && sentence.word(at - 1) == "/"
        && matches!(sentence.role(at - 2), Some(Role::Determiner(_)))
}

fn after(sentence: &Sentence, noun: usize, found: &mut Agreement) {
    for at in noun + 1..sentence.len().min(noun + 4) {
        match sentence.role(at) {
            Some(Role::Adjective(genders)) => found.narrow(genders, at),
            Some(Role::Skip) => {}
            Some(_) => return,
            None => {
                if !sentence.is_word(at) || sentence.noun(at, None).is_some() {
                    return;
                }
                match sentence.lexicon.adjective_suffixes.find(sentence.word(at)) {
                    Some((genders, _)) => found.narrow(genders, at),
                    None => return,
                }
            }
        }
    }
}
