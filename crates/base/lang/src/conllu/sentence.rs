//! One parsed sentence, as the rules see it (GEST, arXiv 2311.18711; rules of section 4).
//!
//! The token list holds what is written. A multi-word token such as Polish `zrobiłam` is one
//! entry with its sub-words inside, so that a sub-word is never found by its text and a HEAD that
//! points at one finds nothing. Empty nodes are dropped: they are not written and no basic HEAD
//! can point at them. Lemmas and relations are never consulted and not kept.

use crate::Gender;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    pub sent_id: Option<String>,
    /// `# text`, or the tokens put together again where the file has none.
    pub text: String,
    pub document: Option<DocumentStart>,
    /// Whether a `# newpar` comment stands before the sentence.
    pub starts_paragraph: bool,
    /// Line of the first token (or of the last comment, for a sentence without tokens).
    pub line: usize,
    pub tokens: Vec<SurfaceToken>,
}

/// A `# newdoc` comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentStart {
    pub id: Option<String>,
    pub line: usize,
}

/// A surface token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurfaceToken {
    pub form: String,
    /// The form in lower case, which is what rules compare.
    pub lowercase: String,
    /// First character in the text of the sentence, counted from 0.
    pub start: usize,
    /// One past the last character.
    pub end: usize,
    /// False where the next token follows without a blank (`SpaceAfter=No`).
    pub space_after: bool,
    pub analysis: Analysis,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Analysis {
    Word(Word),
    /// The sub-words of a multi-word token; the token itself has neither UPOS, FEATS nor HEAD.
    MultiWord(Vec<Word>),
}

/// A syntactic word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub id: usize,
    pub form: String,
    pub upos: String,
    pub feats: String,
    /// Id of the head; 0 for the root.
    pub head: usize,
}

impl Sentence {
    /// The ordinary token with this id. Sub-words of multi-word tokens are not found.
    pub fn word(&self, id: usize) -> Option<(&SurfaceToken, &Word)> {
        self.words().find(|(_, word)| word.id == id)
    }

    /// The ordinary tokens, left to right.
    pub fn words(&self) -> impl Iterator<Item = (&SurfaceToken, &Word)> {
        self.tokens
            .iter()
            .filter_map(|token| token.word().map(|word| (token, word)))
    }

    /// The tokens written so, in any case, left to right. `text` must be in lower case.
    pub fn tokens_written<'s>(&'s self, text: &'s str) -> impl Iterator<Item = &'s SurfaceToken> {
        self.tokens
            .iter()
            .filter(move |token| token.lowercase == text)
    }
}

impl SurfaceToken {
    /// The analysis of an ordinary token; none for a multi-word token.
    pub fn word(&self) -> Option<&Word> {
        match &self.analysis {
            Analysis::Word(word) => Some(word),
            Analysis::MultiWord(_) => None,
        }
    }

    /// The sub-words of a multi-word token; none for an ordinary token.
    pub fn sub_words(&self) -> Option<&[Word]> {
        match &self.analysis {
            Analysis::Word(_) => None,
            Analysis::MultiWord(words) => Some(words),
        }
    }
}

impl Word {
    /// Decided by the first three letters after `Gender=`: `Fem,Neut` is feminine, neuter is
    /// none. `Gender[psor]`, the possessor's gender, is not matched.
    pub fn gender(&self) -> Option<Gender> {
        let value = self.gender_value()?;
        if value.starts_with("Mas") {
            Some(Gender::Masculine)
        } else if value.starts_with("Fem") {
            Some(Gender::Feminine)
        } else {
            None
        }
    }

    /// Whether there is a Gender feature at all, neuter included.
    pub fn has_gender_feature(&self) -> bool {
        self.gender_value().is_some()
    }

    pub fn is_first_person(&self) -> bool {
        self.feats.contains("Person=1")
    }

    fn gender_value(&self) -> Option<&str> {
        self.feats.split_once("Gender=").map(|(_, value)| value)
    }
}
