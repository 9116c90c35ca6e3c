//! A sentence as tokens with classes and clauses.
//!
//! Clauses matter because a gendered form belongs to the speaker only if it stands in the
//! clause of the word that says "I": a comma, a dash or a subordinator starts a new clause (hard
//! boundary), a coordinating conjunction a new phrase inside it (soft boundary).

use std::ops::Range;

use super::lexicon::Lexicon;
use super::reader::{Reader, SentenceStart};
use super::script::Folding;
use super::tags::Tags;
use crate::inclusive::Joiner;

/// Words between "or" and a form that it joins, at most.
const JOINED_REACH: usize = 4;

/// Bytes of the longest "or" of any language ("beziehungsweise").
const LONGEST_JOINER: u32 = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    /// A word with a capital where none belongs: a name, whatever its ending looks like.
    Name,
    Number,
    /// Comma, dash, colon, bracket: ends a clause.
    Break,
    /// Quotation marks and other signs that end nothing.
    Mark,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) tags: Tags,
    /// Characters of the judged text.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Bytes of the folded text.
    pub(crate) low: u32,
    pub(crate) high: u32,
    /// Number of the clause, from 0.
    pub(crate) clause: u16,
    /// Number of the phrase, counted through the sentence.
    pub(crate) phrase: u16,
    /// Written for both genders at once: "byl/a", "устал(а)", "cansado o cansada".
    pub(crate) both: bool,
}

pub(crate) struct Sentence {
    /// The words in the internal spelling, one after the other.
    pub(crate) folded: String,
    pub(crate) tokens: Vec<Token>,
    /// Whether another sentence of the text stands before it.
    pub(crate) follows: bool,
}

impl Sentence {
    /// Reads the first sentence of `text`, as the published rules do.
    pub(crate) fn read(text: &str, folding: Folding, lexicon: &Lexicon) -> Sentence {
        let reader = Reader::new(text, folding, lexicon, false);
        let (mut sentence, _) = reader.run(text, SentenceStart::default());
        sentence.mark_joined(lexicon, false);
        sentence.mark_clauses(false);
        sentence
    }

    /// All sentences of `text`, as the strict mode reads them.
    pub(crate) fn read_all<'a>(
        text: &'a str,
        folding: Folding,
        lexicon: &'a Lexicon,
    ) -> impl Iterator<Item = Sentence> + 'a {
        let mut next = Some(SentenceStart::default());
        std::iter::from_fn(move || {
            let place = next?;
            let reader = Reader::new(&text[place.byte..], folding, lexicon, true);
            let (mut sentence, after) = reader.run(text, place);
            sentence.follows = place.byte > 0;
            next = after;
            sentence.mark_joined(lexicon, true);
            sentence.close_insertions();
            sentence.mark_clauses(true);
            Some(sentence)
        })
    }

    /// The folded text of a token.
    pub(crate) fn word(&self, index: usize) -> &str {
        let token = &self.tokens[index];
        &self.folded[token.low as usize..token.high as usize]
    }

    pub(crate) fn tags(&self, index: usize) -> Tags {
        self.tokens[index].tags
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// First token that is `word`.
    pub(crate) fn find(&self, word: &str) -> Option<usize> {
        self.all(word).next()
    }

    /// All tokens that are `word`.
    pub(crate) fn all<'a>(&'a self, word: &'a str) -> impl Iterator<Item = usize> + 'a {
        (0..self.len())
            .filter(move |&index| self.tokens[index].kind == Kind::Word && self.word(index) == word)
    }

    /// The tokens of the clause that `index` stands in.
    pub(crate) fn clause(&self, index: usize) -> Range<usize> {
        let clause = self.tokens[index].clause;
        let start = self.tokens.partition_point(|token| token.clause < clause);
        let end = self.tokens.partition_point(|token| token.clause <= clause);
        start..end
    }

    /// The tokens of the phrase that `index` stands in.
    pub(crate) fn phrase(&self, index: usize) -> Range<usize> {
        let phrase = self.tokens[index].phrase;
        let start = self.tokens.partition_point(|token| token.phrase < phrase);
        let end = self.tokens.partition_point(|token| token.phrase <= phrase);
        start..end
    }

    /// How many soft boundaries lie between two tokens.
    pub(crate) fn crossings(&self, one: usize, other: usize) -> usize {
        usize::from(self.tokens[one].phrase.abs_diff(self.tokens[other].phrase))
    }

    /// Marks two forms of one word in both genders, joined by "or", "and" or a stroke: "cansado o cansada", "chcel by som/chcela
    /// by som".
    /// "And" counts in strict mode only: one published verdict rests on "jestem uczciwa i uczciwy".
    fn mark_joined(&mut self, lexicon: &Lexicon, strict: bool) {
        let Some(inclusive) = &lexicon.inclusive else {
            return;
        };
        for at in 1..self.len().saturating_sub(1) {
            let token = &self.tokens[at];
            let joiner = match token.kind {
                Kind::Word if token.high - token.low <= LONGEST_JOINER => {
                    inclusive.joiner(self.word(at))
                }
                Kind::Break | Kind::Mark if self.word(at) == "/" => Some(Joiner::Or),
                _ => None,
            };
            let Some(joiner) = joiner else { continue };
            let (left, right) = match joiner {
                Joiner::Or => (at.saturating_sub(JOINED_REACH), at + JOINED_REACH),
                Joiner::And if strict => (at - 1, at + 2),
                Joiner::And => continue,
            };
            let pair = (left..at).rev().find_map(|one| {
                let mut behind = at + 1..self.len().min(right + 1);
                let other = behind.find(|&other| {
                    let words = [one, other].map(|at| self.tokens[at].kind == Kind::Word);
                    words == [true, true] && inclusive.is_pair(self.word(one), self.word(other))
                })?;
                Some([one, other])
            });
            for at in pair.into_iter().flatten() {
                self.tokens[at].both = true;
            }
        }
    }

    /// Commas around nothing but adverbs end no clause: "Ja som, samozrejme, pracovala".
    fn close_insertions(&mut self) {
        let mut opened: Option<usize> = None;
        for index in 0..self.tokens.len() {
            let token = self.tokens[index];
            if token.kind == Kind::Break && self.word(index) == "," {
                let next = self.tokens.get(index + 1).map(|token| token.tags);
                let closes = |&first: &usize| {
                    index > first + 1 && !next.is_some_and(|tags| tags.any(Tags::AUX))
                };
                if let Some(first) = opened.filter(closes) {
                    self.tokens[first].kind = Kind::Mark;
                    self.tokens[index].kind = Kind::Mark;
                    opened = None;
                } else {
                    opened = Some(index);
                }
            } else if token.kind == Kind::Break
                || !token.tags.any(Tags::ADVERB)
                || token.tags.any(Tags::SUBORD | Tags::COORD | Tags::SPEAKER)
            {
                opened = None;
            }
        }
    }

    /// In strict mode a comparison without a comma opens a phrase only: "som sa ako dieťa bála".
    fn mark_clauses(&mut self, strict: bool) {
        let (mut clause, mut phrase) = (0u16, 0u16);
        let mut fresh = true;
        let mut bound = false;
        for token in &mut self.tokens {
            let word = token.kind == Kind::Word;
            // "ні на що": an interrogative under a preposition, no comma before, opens nothing.
            let compares = strict && token.tags.any(Tags::COMPARISON);
            if !fresh && word && compares && !bound {
                phrase += 1;
            } else if !fresh && word && token.tags.any(Tags::SUBORD) && !bound {
                clause += 1;
                phrase += 1;
                fresh = true;
            } else if !fresh && word && token.tags.any(Tags::COORD) {
                phrase += 1;
            }
            token.clause = clause;
            token.phrase = phrase;
            if token.kind == Kind::Break {
                clause += 1;
                phrase += 1;
                fresh = true;
            } else if word && !token.tags.any(Tags::COORD | Tags::PREPOSITION) {
                fresh = false;
            }
            bound = word && token.tags.any(Tags::PREPOSITION | Tags::BINDS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = "[coord]\na i\n[subord]\nže keď čo\n[preposition]\nna\n[abbreviations]\ndr\n[adj_f]\nrada\n";

    fn read(text: &str) -> Sentence {
        Sentence::read(text, Folding::Plain, &Lexicon::parse(DATA).0)
    }

    #[test]
    fn commas_and_subordinators_start_clauses_conjunctions_phrases() {
        let sentence = read("viem že prišla a odišla, keď on");
        let places: Vec<_> = sentence
            .tokens
            .iter()
            .map(|token| (token.clause, token.phrase))
            .collect();
        assert_eq!(
            places,
            [
                (0, 0),
                (1, 1),
                (1, 1),
                (1, 2),
                (1, 2),
                (1, 2),
                (2, 3),
                (2, 3)
            ]
        );
        let under_preposition = read("nemení sa na čo chce");
        assert!(
            under_preposition
                .tokens
                .iter()
                .all(|token| token.clause == 0)
        );
    }
}
