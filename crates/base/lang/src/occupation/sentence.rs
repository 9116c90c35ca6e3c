//! A tokenised sentence with its words folded for lookup, and what the lexicon says of each.

use super::both_forms;
use super::gender::Genders;
use super::judge::JudgeMode;
use super::languages::Grammar;
use super::lexicon::{Lexicon, Role, Term, fold_into};
use super::token::Token;

pub(crate) struct Sentence {
    pub(crate) grammar: &'static Grammar,
    pub(crate) lexicon: &'static Lexicon,
    pub(crate) mode: JudgeMode,
    text: String,
    ends: Vec<usize>,
}

/// What the lexicon knows of a noun form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Noun {
    pub(crate) genders: Genders,
    /// Genders of the readings in which this is the form dictionaries list.
    pub(crate) citation: Genders,
    /// Listed as a translation of the occupation asked for.
    pub(crate) translates: bool,
}

/// Genders of a form's readings, by whether it is the form dictionaries list.
#[derive(Default)]
struct Forms {
    citation: Genders,
    oblique: Genders,
}

impl Forms {
    fn add(&mut self, genders: Genders) {
        let forms = if genders.is_oblique() {
            &mut self.oblique
        } else {
            &mut self.citation
        };
        *forms = forms.or(genders);
    }

    fn either(&self) -> Genders {
        self.citation.or(self.oblique)
    }
}

impl Sentence {
    pub(crate) fn new(
        grammar: &'static Grammar,
        lexicon: &'static Lexicon,
        mode: JudgeMode,
        tokens: &[Token],
    ) -> Sentence {
        let mut text = String::with_capacity(128);
        let mut ends = Vec::with_capacity(tokens.len());
        let mut word = String::new();
        for token in tokens {
            fold_into(&token.text, grammar.fold, &mut word);
            text.push_str(&word);
            ends.push(text.len());
        }
        Sentence {
            grammar,
            lexicon,
            mode,
            text,
            ends,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The folded word; empty beyond the sentence.
    pub(crate) fn word(&self, at: usize) -> &str {
        let Some(end) = self.ends.get(at) else {
            return "";
        };
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start..*end]
    }

    /// Letters, not punctuation or a number.
    pub(crate) fn is_word(&self, at: usize) -> bool {
        self.word(at)
            .chars()
            .next()
            .is_some_and(char::is_alphabetic)
    }

    pub(crate) fn role(&self, at: usize) -> Option<Role> {
        self.lexicon.role(self.word(at))
    }

    /// The noun at this place, with the readings of the occupation if it has any.
    pub(crate) fn noun(&self, at: usize, occupation: Option<u16>) -> Option<Noun> {
        let word = self.word(at);
        let word = both_forms::first(word).unwrap_or(word);
        if let Some(noun) = self.listed(at, word, occupation) {
            return Some(noun);
        }
        for prefix in &self.lexicon.prefixes {
            let Some(rest) = word.strip_prefix(&**prefix) else {
                continue;
            };
            if rest.chars().nth(1).is_some()
                && let Some(noun) = self.listed(at, rest, occupation)
            {
                return Some(noun);
            }
        }
        if let Some((first, last)) = word.split_once('-') {
            let last = last.rsplit('-').next().unwrap_or(last);
            // "ex-marido": a short first part is a prefix, the noun follows.
            let prefix = first.chars().nth(4).is_none();
            let (head, other) = if self.grammar.head_last {
                (last, None)
            } else {
                (first, prefix.then_some(last))
            };
            return self
                .listed(at, head, occupation)
                .or_else(|| self.listed(at, other?, occupation));
        }
        if self.grammar.compounds {
            return self.compound(at, word, occupation);
        }
        None
    }

    /// The longest listed noun at the end of a compound.
    fn compound(&self, at: usize, word: &str, occupation: Option<u16>) -> Option<Noun> {
        let starts = word.char_indices().map(|(start, _)| start);
        starts
            .skip(3)
            .take_while(|start| word.len() - start >= 4)
            .find_map(|start| self.listed(at, &word[start..], occupation))
    }

    fn listed(&self, at: usize, word: &str, occupation: Option<u16>) -> Option<Noun> {
        let readings = self.lexicon.readings(word)?;
        let mut own = Forms::default();
        let mut all = Forms::default();
        for reading in readings {
            all.add(reading.genders);
            if occupation.is_some() && reading.occupation == occupation {
                own.add(reading.genders);
            }
        }
        let translates = !own.either().is_empty();
        // "analityka": an oblique form of the occupation, or another noun as dictionaries list it,
        // which it can only be as the subject.
        let homograph = own.citation.is_empty() && !all.citation.is_empty();
        let forms = if translates && !(homograph && self.opens_clause(at)) {
            own
        } else {
            all
        };
        Some(Noun {
            genders: forms.either(),
            citation: forms.citation,
            translates,
        })
    }

    /// Nothing but determiners and adjectives stands before the word in its clause.
    pub(crate) fn opens_clause(&self, at: usize) -> bool {
        let outside = (0..at).rev().find(|&at| match self.role(at) {
            Some(Role::Determiner(_) | Role::Adjective(_) | Role::Skip) => false,
            Some(_) => true,
            None => self
                .lexicon
                .prenominal_suffixes
                .find(self.word(at))
                .is_none(),
        });
        outside.is_none_or(|at| !self.is_word(at))
    }

    /// A term of several words whose head stands here; `None` for the occupation means any.
    pub(crate) fn term(&self, head: usize, occupation: Option<u16>) -> Option<&Term> {
        let fits = |words: &[Box<str>], at: Option<usize>| {
            at.is_some_and(|at| words.iter().any(|word| **word == *self.word(at)))
        };
        let matches = |term: &&Term| {
            let before = term.before.iter().enumerate();
            let after = term.after.iter().enumerate();
            term.occupation == occupation
                && before
                    .into_iter()
                    .all(|(i, words)| fits(words, head.checked_sub(i + 1)))
                && after
                    .into_iter()
                    .all(|(i, words)| fits(words, Some(head + i + 1)))
        };
        let word = self.word(head);
        if let Some(term) = self.lexicon.terms(word).iter().find(matches) {
            return Some(term);
        }
        self.lexicon.prefixes.iter().find_map(|prefix| {
            let rest = word.strip_prefix(&**prefix)?;
            self.lexicon.terms(rest).iter().find(matches)
        })
    }
}
