//! Word knowledge of one language: translations of occupations, other nouns, endings, determiners
//! and adjectives. `data_file` reads it.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::gender::Genders;
use crate::word_hash::WordHasher;

type Map<V> = HashMap<Box<str>, V, BuildHasherDefault<WordHasher>>;

/// One entry of a noun form: which occupation it translates (`None`: a noun like any other).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) occupation: Option<u16>,
    pub(crate) genders: Genders,
    /// Names no person: "movement", "bakery".
    pub(crate) thing: bool,
}

/// A term of several words, found by its head.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    pub(crate) occupation: Option<u16>,
    pub(crate) genders: Genders,
    /// Forms of the words before the head, the nearest first, and after it.
    pub(crate) before: Vec<Vec<Box<str>>>,
    pub(crate) after: Vec<Vec<Box<str>>>,
}

/// What a word can be besides a noun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Determiner(Genders),
    Adjective(Genders),
    /// Stands inside a noun phrase without showing gender: "very", "two".
    Skip,
    /// Never part of the phrase: verbs, prepositions, conjunctions.
    Stop,
    /// "is", "was", "became": a predicate that agrees with the subject may follow.
    Copula,
    /// A preposition whose case decides what an article means (language rules).
    Dative,
}

#[derive(Default)]
pub(crate) struct Endings {
    map: Map<Genders>,
    longest: usize,
}

#[derive(Default)]
pub(crate) struct Lexicon {
    pub(super) nouns: Map<Vec<Reading>>,
    pub(super) terms: Map<Vec<Term>>,
    pub(super) occupations: Map<u16>,
    pub(super) roles: Map<Role>,
    /// Endings that outweigh an article.
    pub(crate) suffixes: Endings,
    /// Endings believed only where nothing else is known.
    pub(crate) weak_suffixes: Endings,
    /// Adjective endings safe on either side of the noun.
    pub(crate) adjective_suffixes: Endings,
    /// Adjective endings believed only between determiner and noun.
    pub(crate) prenominal_suffixes: Endings,
    /// Past verbs and predicates that agree with the subject, for language rules.
    pub(crate) predicate_suffixes: Endings,
    /// Written together with the word that follows ("the", "and", "to" in Hebrew and Arabic).
    pub(crate) prefixes: Vec<Box<str>>,
}

/// Lower case, and what the language's spelling variants have in common.
pub(crate) fn fold_into(word: &str, fold: fn(char) -> Option<char>, out: &mut String) {
    out.clear();
    for letter in word.chars() {
        if is_small(letter) {
            if let Some(letter) = fold(letter) {
                out.push(letter);
            }
            continue;
        }
        let letter = match letter {
            '’' | 'ʼ' | '‘' | '`' | '´' => '\'',
            '‐' | '‑' => '-',
            letter => letter,
        };
        for letter in letter.to_lowercase() {
            if let Some(letter) = fold(letter) {
                out.push(letter);
            }
        }
    }
}

/// Letters that are their own lower case, without a look into the tables.
fn is_small(letter: char) -> bool {
    matches!(letter as u32,
        0x61..=0x7A | 0x03AC..=0x03CE | 0x0430..=0x045F | 0x05D0..=0x05EA | 0x0620..=0x06D3
        | 0x0900..=0x097F)
}

impl Endings {
    pub(super) fn add(&mut self, ending: &str, genders: Genders) {
        self.longest = self.longest.max(ending.chars().count());
        let entry = self.map.entry(ending.into()).or_default();
        *entry = entry.or(genders);
    }

    /// Gender of a listed word, else of the longest listed ending.
    pub(crate) fn find_word(&self, word: &str) -> Option<Genders> {
        let listed = self.map.get(word).copied();
        listed.or_else(|| Some(self.find(word)?.0))
    }

    /// Gender of the longest listed ending; a stem of at least two letters must remain.
    pub(crate) fn find(&self, word: &str) -> Option<(Genders, usize)> {
        let mut best = None;
        for (count, (start, _)) in word.char_indices().rev().enumerate().take(self.longest) {
            // Two letters must remain, one before a long ending ("azione").
            if start == 0 || count < 3 && word[..start].chars().nth(1).is_none() {
                break;
            }
            if let Some(genders) = self.map.get(&word[start..]) {
                best = Some((*genders, count + 1));
            }
        }
        best
    }
}

impl Lexicon {
    pub(crate) fn occupation(&self, name: &str) -> Option<u16> {
        self.occupations.get(name).copied()
    }

    pub(crate) fn occupations(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.occupations.keys().map(|name| &**name).collect();
        names.sort_unstable();
        names
    }

    pub(crate) fn readings(&self, word: &str) -> Option<&[Reading]> {
        self.nouns.get(word).map(Vec::as_slice)
    }

    pub(crate) fn terms(&self, head: &str) -> &[Term] {
        self.terms.get(head).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn role(&self, word: &str) -> Option<Role> {
        self.roles.get(word).copied()
    }
}
