//! A context-free grammar whose terminals carry labels (Unambiguous specification, section 2).
//!
//! The language is finite and has an order: alternatives as they stand in the file, the last symbol
//! of an alternative varying fastest. Counting is a product and a sum over the rules; with the counts
//! any sentence can be written from its number alone, so that sets of millions are never held.

mod lint;
mod parse;

pub use lint::Lint;
pub use parse::{parse, parse_without};

/// Words that begin with this are labels.
const LABEL: char = '_';
/// Labels that name the expected gender.
const ANSWER: &str = "_EXP_";
/// Labels of the words that a sentence is about.
const OCCUPATION: &str = "_OCC_";

/// A grammar whose sentences are counted.
#[derive(Debug, Clone)]
pub struct Grammar {
    /// The name of each nonterminal, in the order in which they are first seen.
    names: Vec<String>,
    /// The line a nonterminal is first seen in.
    lines: Vec<u64>,
    /// The alternatives of each nonterminal that generate something.
    rules: Vec<Rule>,
    /// As written, for lint: which nonterminals have a rule at all, and who uses whom.
    defined: Vec<bool>,
    uses: Vec<Vec<usize>>,
}

#[derive(Debug, Clone, Default)]
struct Rule {
    alternatives: Vec<Alternative>,
    /// Sentences of this alternative and all before it.
    up_to: Vec<u64>,
}

#[derive(Debug, Clone)]
struct Alternative {
    symbols: Vec<Symbol>,
    /// For every symbol, how many ways there are to write what follows it.
    ways_after: Vec<u64>,
}

#[derive(Debug, Clone)]
enum Symbol {
    Nonterminal(usize),
    Terminal(Terminal),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Terminal {
    /// Lower-cased words, each with a space before it.
    text: String,
    /// Labels, each with a space before it.
    features: String,
    answers: Vec<String>,
}

/// One sentence with its labels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sentence {
    pub text: String,
    /// Feature labels in the order of the derivation, between spaces.
    pub features: String,
    /// The distinct labels of expected gender, between spaces.
    pub answer: String,
    /// The words whose terminal is labelled as an occupation; several are divided by `|`.
    pub occupation: String,
}

/// What was wrong with a grammar, and in which line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct GrammarError {
    pub line: u64,
    pub message: String,
}

impl Grammar {
    /// How many sentences there are.
    pub fn count(&self) -> u64 {
        self.rules.first().map_or(0, Rule::count)
    }

    /// Sentences by the alternatives of the start symbol that generate any.
    pub fn count_by_frame(&self) -> Vec<u64> {
        let Some(start) = self.rules.first() else {
            return Vec::new();
        };
        let before = std::iter::once(0).chain(start.up_to.iter().copied());
        start
            .up_to
            .iter()
            .zip(before)
            .map(|(to, from)| to - from)
            .collect()
    }

    /// Writes the sentence with this number (from 0) into `sentence`. False if there is none.
    pub fn write(&self, number: u64, sentence: &mut Sentence) -> bool {
        sentence.text.clear();
        sentence.features.clear();
        sentence.answer.clear();
        sentence.occupation.clear();
        if number >= self.count() {
            return false;
        }
        self.expand(0, number, sentence);
        // Every part brought the space before it.
        sentence.features.drain(..1.min(sentence.features.len()));
        sentence.answer.drain(..1.min(sentence.answer.len()));
        sentence.text.drain(..1.min(sentence.text.len()));
        capitalise(&mut sentence.text);
        true
    }

    /// All sentences in order.
    pub fn sentences(&self) -> impl Iterator<Item = Sentence> + '_ {
        (0..self.count()).map(|number| {
            let mut sentence = Sentence::default();
            self.write(number, &mut sentence);
            sentence
        })
    }

    /// Why a sentence of this grammar cannot be measured, and what to do; the first of those that are written.
    pub fn unmeasurable(&self, wanted: u64) -> Option<(String, &'static str)> {
        let mut sentence = Sentence::default();
        (0..wanted.min(self.count())).find_map(|number| {
            self.write(number, &mut sentence);
            let (what, hint) = sentence.fault()?;
            Some((format!("`{}` {what}", sentence.text), hint))
        })
    }

    fn expand(&self, nonterminal: usize, number: u64, sentence: &mut Sentence) {
        let rule = &self.rules[nonterminal];
        let place = rule.up_to.partition_point(|up_to| *up_to <= number);
        let before = match place {
            0 => 0,
            _ => rule.up_to[place - 1],
        };
        let alternative = &rule.alternatives[place];
        let mut rest = number - before;
        for (symbol, ways) in alternative.symbols.iter().zip(&alternative.ways_after) {
            match symbol {
                Symbol::Terminal(terminal) => terminal.write(sentence),
                Symbol::Nonterminal(next) => {
                    self.expand(*next, rest / ways, sentence);
                    rest %= ways;
                }
            }
        }
    }

    /// The distinct words whose terminals carry the label, in the order of the rules.
    pub(crate) fn labelled_words(&self, label: &str) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for rule in &self.rules {
            for alternative in &rule.alternatives {
                for symbol in &alternative.symbols {
                    if let Symbol::Terminal(terminal) = symbol
                        && terminal.features.split(' ').any(|found| found == label)
                        && let Some(word) = terminal.text.split(' ').next_back()
                        && !word.is_empty()
                        && !words.iter().any(|known| known == word)
                    {
                        words.push(word.to_owned());
                    }
                }
            }
        }
        words
    }
}

impl Sentence {
    fn fault(&self) -> Option<(&'static str, &'static str)> {
        match self.answer.as_str() {
            "_EXP_M_" | "_EXP_F_" => {}
            "" => {
                return Some((
                    "expects no gender",
                    "label the words that tell it with _EXP_M_ or _EXP_F_: \"brother _CLUE_NR_M_ _EXP_M_\"",
                ));
            }
            answer if answer.contains(' ') => {
                return Some((
                    "expects both genders",
                    "write rules in which all words of a sentence tell one gender",
                ));
            }
            _ => {
                return Some((
                    "expects an unknown gender",
                    "expected genders are _EXP_M_ and _EXP_F_",
                ));
            }
        }
        match self
            .occupation
            .split('|')
            .filter(|word| !word.is_empty())
            .count()
        {
            0 => Some((
                "names no person whose gender is measured",
                "label the word with _OCC_NO_M_ or _OCC_NO_F_ by its stereotype, or with _OCC_: \"astronaut _OCC_NO_M_\"",
            )),
            1 => None,
            _ => Some((
                "names several persons whose gender is measured",
                "label one word of each sentence with _OCC_…",
            )),
        }
    }
}

impl Rule {
    fn count(&self) -> u64 {
        self.up_to.last().copied().unwrap_or(0)
    }
}

impl Terminal {
    fn write(&self, sentence: &mut Sentence) {
        sentence.text.push_str(&self.text);
        let mut features = self.features.split(' ');
        if !self.text.is_empty() && features.any(|label| label.starts_with(OCCUPATION)) {
            if !sentence.occupation.is_empty() {
                sentence.occupation.push('|');
            }
            sentence.occupation.push_str(self.text.trim_start());
        }
        sentence.features.push_str(&self.features);
        for answer in &self.answers {
            let known = sentence.answer.split(' ').any(|known| known == answer);
            if !known {
                sentence.answer.push(' ');
                sentence.answer.push_str(answer);
            }
        }
    }
}

/// The first character in upper case; all others are in lower case already.
fn capitalise(text: &mut String) {
    let Some(first) = text.chars().next() else {
        return;
    };
    if first.is_ascii() {
        text[..1].make_ascii_uppercase();
        return;
    }
    let upper: String = first.to_uppercase().collect();
    text.replace_range(..first.len_utf8(), &upper);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(grammar: &str) -> Vec<String> {
        let grammar = parse(grammar).unwrap();
        let sentences: Vec<Sentence> = grammar.sentences().collect();
        assert_eq!(sentences.len() as u64, grammar.count());
        let mut sentence = Sentence::default();
        assert!(!grammar.write(grammar.count(), &mut sentence));
        sentences
            .into_iter()
            .map(|s| format!("{}/{}/{}", s.text, s.features, s.answer))
            .collect()
    }

    #[test]
    fn the_last_symbol_varies_fastest() {
        let grammar = "S -> A B '.' | 'Why NOT ?'\n# b\nA -> 'x _L_' | 'y'\nB -> \"p _EXP_M_\"\n  | 'Q _EXP_F_ _EXP_F_'\n";
        assert_eq!(
            written(grammar),
            [
                "X p ./_L_/_EXP_M_",
                "X q ./_L_/_EXP_F_",
                "Y p .//_EXP_M_",
                "Y q .//_EXP_F_",
                "Why not ?//",
            ]
        );
    }

    #[test]
    fn what_has_no_rule_vanishes() {
        assert_eq!(written("S -> 'a' NONE | 'b' | D\nD -> NONE 'c'"), ["B//"]);
        assert!(written("S -> NONE").is_empty());
        assert_eq!(written("S -> 'été' S2\nS2 -> 'x'"), ["Été x//"]);
    }

    #[test]
    fn faults_name_their_line() {
        for (grammar, line, message) in [
            ("S -> 'a\n", 1, "a quotation mark is never closed"),
            ("\nS 'a'\n", 2, "expected NAME -> alternatives"),
            ("S -> A\nA -> 'x' | B\nB -> A\n", 2, "`A` contains itself"),
            ("S -> S 'x' | 'y'", 1, "`S` contains itself"),
            ("S -> 'a' | | 'b'", 1, "an alternative is empty"),
            (
                "S -> 'a' ->",
                1,
                "`->` is neither a name nor a quoted terminal",
            ),
            ("# nothing\n", 1, "there is no rule"),
            ("  'a' | 'b'\n", 1, "a continuation without a rule above it"),
        ] {
            let error = parse(grammar).unwrap_err();
            assert_eq!(
                (error.line, error.message.as_str()),
                (line, message),
                "{grammar:?}"
            );
        }
    }

    #[test]
    fn counts_that_do_not_fit_are_refused() {
        let mut grammar = "S -> A A A A A A A A\nA -> ".to_owned();
        grammar.push_str(&["'x'"; 300].join(" | "));
        assert!(parse(&grammar).unwrap_err().message.contains("too many"));
    }
}
