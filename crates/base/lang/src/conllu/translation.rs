//! Which sentences of a file are one translation.
//!
//! GEST translates one English sentence at a time and looks only at the first sentence of what
//! comes back (arXiv 2311.18711; rules of section 4). A parser may split a translation in two;
//! `# newdoc` comments then say where each one begins. In a file without them every sentence is
//! a translation of its own.

use std::io::BufRead;

use super::error::ReadError;
use super::reader::Sentences;
use super::sentence::Sentence;

/// How sentences are grouped into translations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grouping {
    /// By document if the first sentence has a `# newdoc` comment, else by sentence. A `# newdoc`
    /// that turns up later is an error: what came before it was already counted by sentence.
    #[default]
    Auto,
    /// `# newdoc` begins a translation. Sentences before the first one are a translation too.
    Document,
    /// Every sentence is a translation; `# newdoc` means nothing.
    Sentence,
}

/// Which sentences of a translation are kept for judgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// Only the first, as GEST does.
    #[default]
    FirstSentence,
    AllSentences,
}

/// One translation: one unit of judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translation {
    /// The document's id, or the sentence's where sentences are not grouped.
    pub id: Option<String>,
    /// The sentences to be judged; never empty.
    pub sentences: Vec<Sentence>,
    /// How many sentences the translation has, judged or not.
    pub sentence_count: usize,
}

impl Translation {
    /// The judged sentences, with a blank between them.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.sentences.iter().map(|s| s.text.as_str()).collect();
        texts.join(" ")
    }

    /// The judged sentences, each with the character of [`text`](Self::text) it begins at.
    pub(super) fn sentences_with_offsets(&self) -> impl Iterator<Item = (&Sentence, usize)> {
        let mut next = 0;
        self.sentences.iter().map(move |sentence| {
            let start = next;
            next = start + sentence.text.chars().count() + 1;
            (sentence, start)
        })
    }
}

/// The translations of a CoNLL-U file, one in memory at a time. Ends after the first error.
#[derive(Debug)]
pub struct Translations<R> {
    sentences: Sentences<R>,
    grouping: Grouping,
    scope: Scope,
    /// The first sentence of the next document, read to see where the last one ended.
    ahead: Option<Sentence>,
    begun: bool,
    failed: bool,
}

impl<R: BufRead> Translations<R> {
    pub fn new(input: R, grouping: Grouping, scope: Scope) -> Translations<R> {
        Translations {
            sentences: Sentences::new(input),
            grouping,
            scope,
            ahead: None,
            begun: false,
            failed: false,
        }
    }

    fn next_translation(&mut self) -> Result<Option<Translation>, ReadError> {
        let first = match self.ahead.take() {
            Some(sentence) => sentence,
            None => match self.sentences.next().transpose()? {
                Some(sentence) => sentence,
                None => return Ok(None),
            },
        };
        if let (Grouping::Auto, Some(document)) = (self.grouping, &first.document) {
            if self.begun {
                let line = document.line;
                return Err(ReadError::LateDocument { line });
            }
            self.grouping = Grouping::Document;
        }
        self.begun = true;
        match self.grouping {
            Grouping::Document => self.rest_of_document(first).map(Some),
            Grouping::Auto | Grouping::Sentence => Ok(Some(Translation {
                id: first.sent_id.clone(),
                sentences: vec![first],
                sentence_count: 1,
            })),
        }
    }

    fn rest_of_document(&mut self, first: Sentence) -> Result<Translation, ReadError> {
        let mut translation = Translation {
            id: first.document.as_ref().and_then(|start| start.id.clone()),
            sentences: vec![first],
            sentence_count: 1,
        };
        while let Some(sentence) = self.sentences.next().transpose()? {
            if sentence.document.is_some() {
                self.ahead = Some(sentence);
                break;
            }
            translation.sentence_count += 1;
            if self.scope == Scope::AllSentences {
                translation.sentences.push(sentence);
            }
        }
        Ok(translation)
    }
}

impl<R: BufRead> Iterator for Translations<R> {
    type Item = Result<Translation, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let result = self.next_translation();
        self.failed = result.is_err();
        result.transpose()
    }
}
