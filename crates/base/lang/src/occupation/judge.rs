//! The judge as callers see it: modes, verdicts, words.

use std::fmt;

use epicene_core::{Span, Verdict};

use super::finding::find;
use super::languages::{self, Grammar};
use super::lexicon::Lexicon;
use super::published::published;
use super::sentence::Sentence;
use super::token::{self, Token};
use crate::person::{self, English, LexiconFault, PersonLexicon, PersonWords, View, english};

/// How much of the translation the judge looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JudgeMode {
    /// Grammatical gender of the aligned noun itself, whatever noun it is, as a tagger gives it.
    Published,
    /// What the whole noun phrase says about the person.
    Default,
}

/// Judge of one language. Shared: `for_language` always hands out the same one.
pub struct OccupationJudge {
    grammar: &'static Grammar,
    lexicon: &'static Lexicon,
    persons: PersonWords,
}

impl fmt::Debug for OccupationJudge {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "OccupationJudge({})", self.grammar.code)
    }
}

impl OccupationJudge {
    pub fn for_language(code: &str) -> Option<&'static OccupationJudge> {
        languages::ALL
            .iter()
            .find(|language| language.grammar.code.eq_ignore_ascii_case(code))
            .map(|language| language.judge())
    }

    /// Codes of the known languages, in alphabetical order.
    pub fn languages() -> Vec<&'static str> {
        languages::ALL
            .iter()
            .map(|language| language.grammar.code)
            .collect()
    }

    pub(crate) fn new(grammar: &'static Grammar, lexicon: &'static Lexicon) -> OccupationJudge {
        OccupationJudge {
            grammar,
            lexicon,
            persons: PersonWords::embedded(grammar),
        }
    }

    /// A judge that knows the nouns of `text` too and believes them first; the format is that of
    /// `data/LANG/persons.txt`.
    pub fn with_lexicon(&self, text: &str) -> Result<OccupationJudge, Vec<LexiconFault>> {
        let (mut lexicon, faults) = PersonLexicon::parse(text, self.grammar);
        lexicon.given = true;
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut judge = OccupationJudge::new(self.grammar, self.lexicon);
        judge.persons.lexicons.insert(0, lexicon);
        Ok(judge)
    }

    /// Code of the judge's language.
    pub fn language(&self) -> &'static str {
        self.grammar.code
    }

    /// English names of the occupations in the lexicon, in alphabetical order.
    pub fn occupations(&self) -> Vec<&str> {
        self.lexicon.occupations()
    }

    /// The occupation by its name in the lexicon; else without article and capitals, in another
    /// spelling, or as the singular of a plural.
    fn occupation(&self, name: &str) -> Option<u16> {
        if let Some(id) = self.lexicon.occupation(name) {
            return Some(id);
        }
        let name = name.trim().to_lowercase();
        let bare = english::without_article(&name).trim();
        let spelling = english::usual_spelling(bare);
        let known = |name: &str| self.lexicon.occupation(name);
        known(spelling)
            .or_else(|| known(spelling.strip_suffix('s')?))
            .or_else(|| known(&format!("{}y", spelling.strip_suffix("ies")?)))
    }

    /// The occupation of an English noun, by any of its names.
    fn named(&self, english: &English) -> Option<u16> {
        let mut names = english.names.iter();
        names.find_map(|name| self.lexicon.occupation(name))
    }

    pub(crate) fn view<'a>(&'a self, tokens: &'a [Token], occupation: &str) -> View<'a> {
        let sentence = Sentence::new(self.grammar, self.lexicon, JudgeMode::Default, tokens);
        let english = English::new(occupation);
        let known = self.occupation(occupation).or_else(|| self.named(&english));
        View::new(sentence, tokens, &self.persons, &english, known)
    }

    /// Asks a view for another noun; false where no lexicon has it.
    pub(crate) fn ask(&self, view: &mut View, english: &English) -> bool {
        view.ask(english, self.named(english))
    }

    /// Words of a sentence as the judge and the aligner see them, with their characters.
    pub fn tokens(&self, text: &str) -> Vec<Token> {
        token::tokens(text, self.grammar.elision)
    }

    /// `positions`: words of `tokens` that the aligner links to the English occupation,
    /// ascending, maybe none. `occupation`: the English noun in lower case, known or not.
    pub fn judge(
        &self,
        text: &str,
        tokens: &[Token],
        positions: &[usize],
        occupation: &str,
        mode: JudgeMode,
    ) -> Verdict {
        debug_assert!(tokens.last().is_none_or(|token| token.start <= text.len()));
        let finding = match mode {
            JudgeMode::Published => {
                let sentence = Sentence::new(self.grammar, self.lexicon, mode, tokens);
                let occupation = self.occupation(occupation);
                published(&sentence, positions, occupation)
            }
            JudgeMode::Default => person::judge(&self.view(tokens, occupation), positions),
        };
        let words = finding.words.into_iter().flatten();
        let words = words.filter_map(|at| tokens.get(at));
        let evidence = words.map(|token| Span::new(token.start, token.end));
        Verdict::new(finding.shown(), finding.rule).with_evidence(evidence)
    }

    /// Words that can translate the occupation according to the lexicon of occupations: heads of
    /// the terms.
    pub fn find(&self, tokens: &[Token], occupation: &str) -> Vec<usize> {
        let Some(id) = self.occupation(occupation) else {
            return Vec::new();
        };
        let sentence = Sentence::new(self.grammar, self.lexicon, JudgeMode::Default, tokens);
        find(&sentence, id)
    }

    /// Words that can translate the English noun according to all lexicons.
    pub fn find_person(&self, tokens: &[Token], noun: &str) -> Vec<usize> {
        self.view(tokens, noun).translations()
    }
}
