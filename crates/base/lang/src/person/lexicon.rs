//! Word forms of person nouns, and the English nouns they translate.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::occupation::Genders;
use crate::word_hash::WordHasher;

pub(super) type Map<V> = HashMap<Box<str>, V, BuildHasherDefault<WordHasher>>;

/// Numbers a form can stand for; a dual counts as plural.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number(u8);

impl Number {
    pub(crate) const SINGULAR: Number = Number(1);
    pub(crate) const PLURAL: Number = Number(2);
    pub(crate) const EITHER: Number = Number(3);

    pub(crate) fn and(self, other: Number) -> Option<Number> {
        let both = self.0 & other.0;
        (both != 0).then_some(Number(both))
    }
}

/// One reading of a word form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    /// The line of the lexicon it comes from.
    pub(crate) entry: u32,
    pub(crate) genders: Genders,
    pub(crate) number: Number,
    /// Not the form dictionaries list (a case).
    pub(crate) oblique: bool,
}

/// A term of several words, found by its head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) head: Form,
    /// Forms of the words before the head, the nearest first, and after it.
    pub(crate) before: Vec<Vec<Box<str>>>,
    pub(crate) after: Vec<Vec<Box<str>>>,
}

/// The person nouns of one language.
#[derive(Debug, Default)]
pub(crate) struct PersonLexicon {
    pub(super) forms: Map<Vec<Form>>,
    pub(super) terms: Map<Vec<Term>>,
    /// Lines of the lexicon that translate an English noun (lower case, singular).
    pub(super) english: Map<Vec<u32>>,
    pub(super) entries: u32,
    /// A user gave it.
    pub(crate) given: bool,
}

impl PersonLexicon {
    pub(crate) fn forms(&self, word: &str) -> &[Form] {
        self.forms.get(word).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn terms(&self, head: &str) -> &[Term] {
        self.terms.get(head).map_or(&[], Vec::as_slice)
    }

    /// Lines that translate the English noun.
    pub(crate) fn translations(&self, english: &str) -> &[u32] {
        self.english.get(english).map_or(&[], Vec::as_slice)
    }
}
