//! Which gender a text gives to its "I", from raw text.
//!
//! GEST (arXiv 2311.18711) asks what gender a translator gives to an English "I". Its authors
//! parsed every translation and looked at the heads of a few words. Here a small rule engine
//! predicts the same verdict: it reads the first sentence, gives each word the classes its
//! language's data file knows, cuts clauses, and applies the language's ordered rules. How to add
//! a language is written in `docs/adding-a-language.md`.

mod agreement;
mod document;
mod dropped;
mod head;
mod languages;
mod lexicon;
mod nouns;
pub mod pack;
mod predicate;
mod reader;
mod romance;
mod rules;
mod script;
mod sentence;
mod shapes;
mod strict;
mod tags;

pub use document::{Document, Vote};
pub use nouns::Nouns;

use epicene_core::{Language, Span, Verdict};

use crate::house::{both, shown, unmarked};
use languages::Grammar;
use lexicon::Lexicon;
use predicate::Found;
use sentence::Sentence;

/// How much counts as evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// What the published rules count: use it to compare with published numbers.
    Published,
    /// Also what a reader would count: dropped pronouns, `kdybych`, `abych`, verbs of feeling.
    Extended,
    /// Only what certainly speaks of the speaker: a first-person singular stands in the same clause.
    /// All sentences of a text are read, and a text that shows both genders shows none.
    Strict,
}

/// Judges texts of one language. Cheap to make and to share between threads.
///
/// ```
/// use epicene_lang::Gender;
/// use epicene_lang::first_person::{Detector, Mode};
///
/// let slovak = epicene_core::Language::find("sk").unwrap();
/// let slovak = Detector::of(slovak, Mode::Published).unwrap();
/// let text = "Včera som dlho pracovala.";
/// let verdict = slovak.judge(text);
/// assert_eq!(verdict.gender(), Some(Gender::Feminine));
/// assert_eq!(verdict.rule, "head(som)");
/// assert_eq!(verdict.evidence[1].of(text), "pracovala");
/// ```
#[derive(Clone, Copy)]
pub struct Detector {
    language: Language,
    mode: Mode,
    nouns: Nouns,
    grammar: &'static Grammar,
    lexicon: &'static Lexicon,
}

impl Detector {
    /// The judge of a language's first person, where there is one. The first of a language reads its data file; later ones
    /// share it. A language without a published list is read strictly, whatever mode is asked for: `mode` tells.
    pub fn of(language: Language, mode: Mode) -> Option<Detector> {
        let mut all = languages::all().iter();
        let grammar = all.find(|grammar| grammar.code == language.code())?;
        let mode = if grammar.rules.is_empty() {
            Mode::Strict
        } else {
            mode
        };
        Some(Detector {
            language,
            mode,
            nouns: Nouns::default(),
            grammar,
            lexicon: grammar.lexicon(mode),
        })
    }

    /// The languages whose first person can be judged.
    pub fn languages() -> Vec<Language> {
        let codes = languages::all().iter().map(|grammar| grammar.code);
        codes.map(crate::house::registered).collect()
    }

    pub fn language(&self) -> Language {
        self.language
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The same judge with another choice of nouns. Only the strict mode counts any.
    pub fn with_nouns(self, nouns: Nouns) -> Detector {
        Detector { nouns, ..self }
    }

    /// Which nouns for the speaker count; `None` where the choice makes no difference.
    pub fn nouns(&self) -> Option<Nouns> {
        let counts = self.grammar.strict.iter().any(|line| line.is_of_nouns());
        let strict = self.mode == Mode::Strict;
        (strict && (counts || self.nouns != Nouns::Listed)).then_some(self.nouns)
    }

    /// The same judge in strict mode.
    fn strictly(self) -> Detector {
        Detector {
            mode: Mode::Strict,
            lexicon: self.grammar.lexicon(Mode::Strict),
            ..self
        }
    }

    /// The gender `text` gives to the speaker: its first sentence, in strict mode all of them.
    pub fn judge(&self, text: &str) -> Verdict {
        if self.mode == Mode::Strict {
            return strict::judge(text, self);
        }
        let sentence = Sentence::read(text, self.grammar.folding, self.lexicon);
        for line in self.grammar.rules {
            if line.mode > self.mode {
                continue;
            }
            if let Some(found) = line.rule.apply(&sentence) {
                let words = evidence(&sentence, found);
                if sentence.tokens[found.token].both {
                    return both(line.name, words);
                }
                return shown(found.gender, line.name, words);
            }
        }
        unmarked()
    }
}

impl std::fmt::Debug for Detector {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Detector")
            .field("language", &self.language)
            .field("mode", &self.mode)
            .finish()
    }
}

/// The words that decided, in the order of the text.
fn evidence(sentence: &Sentence, found: Found) -> Vec<Span> {
    let mut indices = vec![found.token];
    indices.extend(found.anchor.filter(|&anchor| anchor != found.token));
    indices.sort_unstable();
    let place = |index: usize| {
        let token = &sentence.tokens[index];
        Span::new(token.start as usize, token.end as usize)
    };
    indices.into_iter().map(place).collect()
}
