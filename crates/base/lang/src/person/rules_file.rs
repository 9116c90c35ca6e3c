//! Reads `data/LANG/agreement.txt`: endings of person nouns and the words that agree with them, by
//! gender and number. The format is described in docs/adding-an-occupation-language.md.

use super::cells::Cells;
use super::data_file::LexiconFault;
use super::endings::Endings;
use super::lexicon::{Map, Number};
use crate::occupation::{Genders, Grammar, alternatives, fold_into};

/// Words and endings with the cells they allow.
#[derive(Debug, Default)]
pub(crate) struct Table {
    words: Map<Cells>,
    endings: Endings,
}

/// What a language's words show of persons beyond its lexicons.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    /// Person nouns by ending.
    pub(crate) nouns: Table,
    /// Those of them that dictionaries do not list (cases).
    pub(crate) oblique: Table,
    /// What cannot be a person.
    pub(crate) things: Table,
    pub(crate) determiners: Table,
    /// Determiners that may be another word (a Portuguese "a"): they never contradict the noun.
    pub(crate) weak_determiners: Table,
    /// Agreeing words before the noun, and behind it.
    pub(crate) before: Table,
    pub(crate) after: Table,
    /// Verbs and participles that agree with their subject.
    pub(crate) predicates: Table,
    /// Verbs behind which a predicate stands; without them the verb itself agrees.
    pub(crate) copulas: Table,
    pub(crate) relatives: Table,
    pub(crate) pronouns: Table,
    /// Words that name the sex of the person whose noun they stand at ("Frau", "weiblich").
    pub(crate) sexes: Table,
    pub(crate) sexes_after: Table,
    /// "one", said of the person picked out of several; the indefinite article.
    pub(crate) ones: Table,
    /// Titles that an article may follow ("Madame le maire").
    pub(crate) titles: Table,
    /// Nouns that say nothing but the sex ("woman", "man"), in apposition or as a predicate.
    pub(crate) humans: Table,
    /// What is said of one sex alone ("pregnant").
    pub(crate) only: Table,
    /// Words that look like predicates and are none ("here").
    pub(crate) adverbs: Table,
    /// Prepositions, and articles that are no subject's: a noun behind them is no subject.
    pub(crate) prepositions: Table,
    /// Verbs in the first person: no noun is their subject.
    pub(crate) first_person: Table,
    /// Words that turn a predicate into its opposite.
    pub(crate) negations: Table,
    /// Endings of nouns that name people of any gender ("-schaft", "-kraft").
    pub(crate) neutral: Table,
}

impl Table {
    fn add(&mut self, item: &str, cells: Cells) {
        let known = match item.strip_prefix('-') {
            Some(ending) if !ending.is_empty() => self.endings.entry(ending),
            _ => self.words.entry(item.into()).or_default(),
        };
        *known = known.or(cells);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.endings.is_empty()
    }

    /// A listed word.
    pub(crate) fn word(&self, word: &str) -> Option<Cells> {
        self.words.get(word).copied()
    }

    /// A listed word, else the longest listed ending, and how many letters of it decided. Two letters
    /// stand before an ending, fewer before one of four letters or more.
    pub(crate) fn find(&self, word: &str) -> Option<(Cells, usize)> {
        if let Some(cells) = self.word(word) {
            return Some((cells, word.chars().count()));
        }
        let mut best = None;
        for (count, start, cells) in self.endings.of(word) {
            if count > 3 || word[..start].chars().nth(1).is_some() {
                best = Some((cells, count));
            }
        }
        best
    }
}

impl Rules {
    fn table(&mut self, section: &str) -> Option<&mut Table> {
        Some(match section {
            "nouns" => &mut self.nouns,
            "things" => &mut self.things,
            "determiners" => &mut self.determiners,
            "weak determiners" => &mut self.weak_determiners,
            "before" => &mut self.before,
            "after" => &mut self.after,
            "predicates" => &mut self.predicates,
            "copulas" => &mut self.copulas,
            "relatives" => &mut self.relatives,
            "pronouns" => &mut self.pronouns,
            "sexes" => &mut self.sexes,
            "ones" => &mut self.ones,
            "sexes after" => &mut self.sexes_after,
            "titles" => &mut self.titles,
            "humans" => &mut self.humans,
            "only" => &mut self.only,
            "adverbs" => &mut self.adverbs,
            "prepositions" => &mut self.prepositions,
            "first person" => &mut self.first_person,
            "negations" => &mut self.negations,
            "neutral" => &mut self.neutral,
            _ => return None,
        })
    }

    /// Faults are collected, not fatal: a test holds that there are none.
    pub(crate) fn parse(text: &str, grammar: &Grammar) -> (Rules, Vec<LexiconFault>) {
        let mut rules = Rules::default();
        let mut faults = Vec::new();
        let mut section = String::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let result = if line.is_empty() {
                Ok(())
            } else if let Some(name) = line.strip_prefix('[') {
                section = name.trim_end_matches(']').trim().to_owned();
                match rules.table(&section) {
                    Some(_) => Ok(()),
                    None => Err(format!("no such section: {section}")),
                }
            } else {
                rules.line(&section, line, grammar)
            };
            if let Err(what) = result {
                let line = number + 1;
                faults.push(LexiconFault { line, what });
            }
        }
        (rules, faults)
    }

    fn line(&mut self, section: &str, line: &str, grammar: &Grammar) -> Result<(), String> {
        let ((cells, oblique), items) = match line.split_once(':') {
            Some((label, items)) => (cells(label.trim())?, items),
            None if matches!(
                section,
                "things" | "negations" | "adverbs" | "prepositions" | "first person"
            ) =>
            {
                ((Cells::ALL, false), line)
            }
            None => return Err("no label like m, f.pl or mfn before the words".to_owned()),
        };
        if oblique && section != "nouns" {
            return Err("only [nouns] have cases".to_owned());
        }
        let mut words = Vec::new();
        let mut folded = String::new();
        for item in items.split_whitespace() {
            alternatives(item, String::new(), &mut words)
                .map_err(|what| format!("{what}: {item}"))?;
            for word in words.drain(..) {
                fold_into(&word, grammar.fold, &mut folded);
                let other = grammar.also_written.map(|other| other(&folded));
                for word in [Some(folded.clone()), other].into_iter().flatten() {
                    let table = self.table(section).ok_or("words before any section")?;
                    table.add(&word, cells);
                    if oblique {
                        self.oblique.add(&word, cells);
                    }
                }
            }
        }
        Ok(())
    }
}

/// `m` singular, `m.pl` plural, `m.any` either; letters of `m f n`, `c` for `mf`; `.o` behind it for
/// forms dictionaries do not list.
fn cells(label: &str) -> Result<(Cells, bool), String> {
    let fault = || format!("no such label: {label}");
    let (plain, oblique) = match label.strip_suffix(".o") {
        Some(plain) => (plain, true),
        None => (label, false),
    };
    let (genders, number) = match plain.split_once('.') {
        None => (plain, Number::SINGULAR),
        Some((genders, "pl")) => (genders, Number::PLURAL),
        Some((genders, "any")) => (genders, Number::EITHER),
        Some(_) => return Err(fault()),
    };
    let genders = Genders::parse(genders).ok_or_else(fault)?;
    Ok((Cells::new(genders, number), oblique))
}
