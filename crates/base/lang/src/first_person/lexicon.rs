//! A language's word knowledge, read once from its data file.
//!
//! A data file is a list of sections. `[tag]` lists whole words, `[suffix tag]` lists word
//! endings, `[prefixes]` what may stand before a listed adjective ("not", "most", "too"),
//! `[abbreviations]` words whose full stop ends no sentence, `[pairs]` adjectives as
//! `masculine:feminine`, `[stems as:a]` the same adjectives by their stem, `[shape tag]` patterns
//! (see `shapes.rs`). Braces stand for one of several letters: `{áé}lny` is `álny élny`. Several
//! tags may share a section (`[past_m copula]`). A word found whole takes only the classes of its
//! entries: a listed noun is thereby an exception to every shape and ending. Otherwise its shape
//! decides, then the longest listed ending.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use super::shapes::Shapes;
use super::tags::Tags;
use crate::inclusive::Inclusive;
use crate::word_hash::WordHasher;

type WordMap = HashMap<Box<str>, Tags, BuildHasherDefault<WordHasher>>;
type WordSet = HashSet<Box<str>, BuildHasherDefault<WordHasher>>;

#[derive(Default)]
pub(crate) struct Lexicon {
    words: WordMap,
    suffixes: WordMap,
    shapes: Shapes,
    abbreviations: WordSet,
    prefixes: Vec<Box<str>>,
    /// Longest listed ending, in characters.
    longest_suffix: usize,
    /// How the language writes both genders in one word, folded like the words here.
    pub(crate) inclusive: Option<Inclusive>,
}

/// Of a word at fault, so many letters are shown.
const SHOWN: usize = 60;

/// What is wrong with a data file: the line and what stands there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DataError {
    pub(crate) line: usize,
    pub(crate) what: String,
}

enum Section {
    None,
    Words(Tags),
    Suffixes(Tags),
    Pairs(Tags),
    Stems(Tags, Endings),
    Shapes(Tags),
    Prefixes,
    Abbreviations,
}

/// What a stem takes in each gender, one or several (`as,asis:a,oji`).
struct Endings {
    masculine: Vec<Box<str>>,
    feminine: Vec<Box<str>>,
}

impl Lexicon {
    /// Reads a data file. Faults are collected, not fatal: a test holds that there are none.
    pub(crate) fn parse(data: &str) -> (Lexicon, Vec<DataError>) {
        let mut lexicon = Lexicon::default();
        let errors = lexicon.read(data);
        (lexicon, errors)
    }

    /// Reads a data file and another that corrects it: what is listed there, a word or an ending,
    /// loses the classes the first file gave it.
    pub(crate) fn parse_amended(data: &str, amendment: &str) -> (Lexicon, Vec<DataError>) {
        let (mut lexicon, mut errors) = Lexicon::parse(data);
        let (better, faults) = Lexicon::parse(amendment);
        errors.extend(faults);
        lexicon.words.extend(better.words);
        lexicon.suffixes.extend(better.suffixes);
        lexicon.abbreviations.extend(better.abbreviations);
        lexicon.prefixes.extend(better.prefixes);
        lexicon.longest_suffix = lexicon.longest_suffix.max(better.longest_suffix);
        (lexicon, errors)
    }

    /// Adds classes to words and keeps those that they have, by list or by ending.
    pub(crate) fn add_classes(&mut self, data: &str) -> Vec<DataError> {
        let (further, errors) = Lexicon::parse(data);
        let words: Vec<(Box<str>, Tags)> = further.words.into_iter().collect();
        for (word, tags) in words {
            // What is listed is no guess any more.
            let certain = tags.any(Tags::ADJ_MF | Tags::NOUN_M | Tags::NOUN_F | Tags::OWN);
            let guess = if certain { Tags::GUESS } else { Tags::NONE };
            let known = self.tags(&word).without(guess);
            self.words.insert(word, known | tags);
        }
        errors
    }

    fn read(&mut self, data: &str) -> Vec<DataError> {
        let mut errors = Vec::new();
        let mut section = Section::None;
        for (number, line) in data.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let fault = |what: &str| DataError {
                line: number + 1,
                what: what.to_owned(),
            };
            if let Some(header) = line.strip_prefix('[') {
                let parsed = match header.strip_suffix(']') {
                    Some(header) => {
                        Section::parse(header).map_err(|name| format!("no such tag: {name}"))
                    }
                    None => Err("the section has no ] at its end".to_owned()),
                };
                section = parsed.unwrap_or_else(|what| {
                    errors.push(fault(&what));
                    Section::None
                });
                continue;
            }
            for word in line.split_whitespace() {
                if let Err(what) = self.add(&section, word) {
                    let word: String = word.chars().take(SHOWN).collect();
                    errors.push(fault(&format!("{what}: {word}")));
                }
            }
        }
        errors
    }

    fn add(&mut self, section: &Section, entry: &str) -> Result<(), &'static str> {
        let mut words = Vec::new();
        expand(entry, String::new(), &mut words)?;
        for word in words {
            match section {
                Section::None => return Err("word before the first section"),
                // Elsewhere a pair would be one odd word.
                Section::Words(_) | Section::Suffixes(_) | Section::Stems(..)
                    if word.contains(':') =>
                {
                    return Err("masculine:feminine belongs to a section [pairs]");
                }
                Section::Words(tags) => *self.words.entry(word.into()).or_default() |= *tags,
                Section::Suffixes(tags) => {
                    self.longest_suffix = self.longest_suffix.max(word.chars().count());
                    *self.suffixes.entry(word.into()).or_default() |= *tags;
                }
                Section::Pairs(tags) => {
                    let both = word.split_once(':').filter(|(masculine, feminine)| {
                        !masculine.is_empty() && !feminine.is_empty() && !feminine.contains(':')
                    });
                    let (masculine, feminine) = both.ok_or("not masculine:feminine")?;
                    *self.words.entry(masculine.into()).or_default() |= *tags | Tags::ADJ_M;
                    *self.words.entry(feminine.into()).or_default() |= *tags | Tags::ADJ_F;
                }
                Section::Stems(tags, endings) => {
                    for ending in &endings.masculine {
                        self.add_word(format!("{word}{ending}"), *tags | Tags::ADJ_M);
                    }
                    for ending in &endings.feminine {
                        self.add_word(format!("{word}{ending}"), *tags | Tags::ADJ_F);
                    }
                }
                Section::Shapes(tags) => self.shapes.add(&word, *tags),
                Section::Prefixes => self.prefixes.push(word.into()),
                Section::Abbreviations => {
                    // A title stands before a name as a determiner does.
                    *self.words.entry(word.as_str().into()).or_default() |= Tags::DETERMINER;
                    self.abbreviations.insert(word.into());
                }
            }
        }
        Ok(())
    }

    fn add_word(&mut self, word: String, tags: Tags) {
        *self.words.entry(word.into()).or_default() |= tags;
    }

    /// The classes of a lower-cased, normalised word.
    pub(crate) fn tags(&self, word: &str) -> Tags {
        if let Some(tags) = self.words.get(word) {
            return *tags;
        }
        if let Some(tags) = self.prefixed(word) {
            return tags;
        }
        if let Some(tags) = self.shapes.tags(word) {
            return tags;
        }
        // Hebrew "ועובדת": "and" is written with a participle that only its pattern tells.
        if let Some(rest) = word.strip_prefix('ו')
            && let Some(tags) = self.shapes.tags(rest)
            && tags.any(Tags::ADJ_MF)
        {
            return tags;
        }
        let mut starts = [0usize; 16];
        let limit = self.longest_suffix.min(starts.len());
        let mut count = 0;
        for (start, _) in word.char_indices().rev().take(limit) {
            starts[count] = start;
            count += 1;
        }
        // The whole word is no ending of itself: "la" is a word, not a participle.
        for &start in starts[..count].iter().rev().filter(|&&start| start > 0) {
            if let Some(tags) = self.suffixes.get(&word[start..]) {
                return *tags;
            }
        }
        Tags::NONE
    }

    /// The classes of a listed adjective under a prefix.
    fn prefixed(&self, word: &str) -> Option<Tags> {
        let adjective = Tags::ADJ_MF | Tags::INS_MF;
        self.prefixes.iter().find_map(|prefix| {
            let tags = self.words.get(word.strip_prefix(&**prefix)?)?;
            tags.any(adjective).then_some(*tags)
        })
    }

    /// The classes of a word that is listed whole.
    pub(crate) fn listed(&self, word: &str) -> Option<Tags> {
        self.words.get(word).copied()
    }

    pub(crate) fn is_abbreviation(&self, word: &str) -> bool {
        self.abbreviations.contains(word)
    }
}

/// Writes out the braces of an entry.
fn expand(entry: &str, done: String, out: &mut Vec<String>) -> Result<(), &'static str> {
    let Some((before, rest)) = entry.split_once('{') else {
        out.push(done + entry);
        return Ok(());
    };
    let (choices, after) = rest.split_once('}').ok_or("brace not closed")?;
    for choice in choices.chars() {
        expand(after, format!("{done}{before}{choice}"), out)?;
    }
    Ok(())
}

impl Section {
    fn parse(header: &str) -> Result<Section, &str> {
        let mut names = header.split_whitespace().peekable();
        let kind = names.peek().copied().unwrap_or_default();
        if kind == "abbreviations" {
            return Ok(Section::Abbreviations);
        }
        if kind == "prefixes" {
            return Ok(Section::Prefixes);
        }
        let special = matches!(kind, "suffix" | "pairs" | "stems" | "shape");
        if special {
            names.next();
        }
        let endings = match kind {
            "stems" => Some(Endings::parse(names.next().unwrap_or_default()).ok_or(header)?),
            _ => None,
        };
        let mut tags = Tags::NONE;
        for name in names {
            tags |= Tags::named(name).ok_or(name)?;
        }
        if let Some(endings) = endings {
            return Ok(Section::Stems(tags, endings));
        }
        match kind {
            "shape" if !tags.is_empty() => Ok(Section::Shapes(tags)),
            "suffix" if !tags.is_empty() => Ok(Section::Suffixes(tags)),
            "pairs" => Ok(Section::Pairs(tags)),
            _ if !tags.is_empty() => Ok(Section::Words(tags)),
            _ => Err(header),
        }
    }
}

impl Endings {
    /// `as:a`, `as,asis:a,oji`, `:ה` (nothing is an ending too).
    fn parse(text: &str) -> Option<Endings> {
        let (masculine, feminine) = text.split_once(':')?;
        let list = |side: &str| side.split(',').map(Into::into).collect();
        Some(Endings {
            masculine: list(masculine),
            feminine: list(feminine),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = "# a comment\n[suffix past_m]\nl\n[suffix past_f]\n{iy}la\n[noun_m]\nstol # table\n[pairs governs]\nrád:rada\n[prefixes]\nne\n[abbreviations]\ndr\n";

    fn lexicon() -> Lexicon {
        let (lexicon, errors) = Lexicon::parse(DATA);
        assert_eq!(errors, []);
        lexicon
    }

    #[test]
    fn the_longest_ending_decides_unless_the_word_is_listed() {
        let lexicon = lexicon();
        assert_eq!(lexicon.tags("robil"), Tags::PAST_M);
        assert_eq!(lexicon.tags("robila"), Tags::PAST_F);
        assert_eq!(lexicon.tags("myla"), Tags::PAST_F);
        assert_eq!(lexicon.tags("stol"), Tags::NOUN_M);
        assert_eq!(lexicon.tags("l"), Tags::NONE, "an ending is no word");
        assert_eq!(lexicon.tags("chata"), Tags::NONE);
    }

    #[test]
    fn a_prefix_serves_listed_adjectives_only() {
        let lexicon = lexicon();
        assert_eq!(lexicon.tags("nerada"), Tags::ADJ_F | Tags::GOVERNS);
        assert_eq!(lexicon.tags("nestol"), Tags::PAST_M);
    }

    #[test]
    fn abbreviations_are_known_and_stand_before_names() {
        let lexicon = lexicon();
        assert!(lexicon.is_abbreviation("dr"));
        assert!(lexicon.tags("dr").any(Tags::DETERMINER));
        assert!(!lexicon.is_abbreviation("stol"));
    }

    #[test]
    fn stems_take_the_endings_of_their_section() {
        let (lexicon, errors) = Lexicon::parse("[stems as,asis:a]\nger\n[stems :ה governs]\nטוב\n");
        assert_eq!(errors, []);
        assert_eq!(lexicon.tags("geras"), Tags::ADJ_M);
        assert_eq!(lexicon.tags("gerasis"), Tags::ADJ_M);
        assert_eq!(lexicon.tags("gera"), Tags::ADJ_F);
        assert_eq!(lexicon.tags("טוב"), Tags::ADJ_M | Tags::GOVERNS);
        assert_eq!(lexicon.tags("טובה"), Tags::ADJ_F | Tags::GOVERNS);
        let (_, errors) = Lexicon::parse("[stems]\n");
        assert_eq!(errors.len(), 1);
    }

    #[test]
    fn faults_are_reported_with_their_line() {
        let (_, errors) = Lexicon::parse(
            "word\n[no_such_tag]\n[pairs]\nalone\n[noun_m]\n{ab\n[pairs]\nm:f:n\n:f\n[noun_f]\nm:f\n[noun_m\n",
        );
        let lines: Vec<usize> = errors.iter().map(|error| error.line).collect();
        assert_eq!(lines, [1, 2, 4, 6, 8, 9, 11, 12]);
        assert_eq!(errors[1].what, "no such tag: no_such_tag");
    }
}
