//! Word knowledge of one language, read once from `data/LANG/occupations.txt`.
//!
//! The format is described in docs/adding-an-occupation-language.md: paradigms, occupations with
//! their translations, other nouns, endings, determiners and adjectives.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::gender::Genders;
use super::languages::Grammar;
use crate::word_hash::WordHasher;

type Map<V> = HashMap<Box<str>, V, BuildHasherDefault<WordHasher>>;

/// One entry of a noun form: which occupation it translates (`None`: a noun like any other).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) occupation: Option<u16>,
    pub(crate) genders: Genders,
}

/// A term of several words, found by its head.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    pub(crate) occupation: Option<u16>,
    pub(crate) genders: Genders,
    /// Forms of the words before the head, the nearest first, and after it.
    pub(crate) before: Vec<Vec<Box<str>>>,
    pub(crate) after: Vec<Vec<Box<str>>>,
}

/// What a word can be besides a noun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Determiner(Genders),
    Adjective(Genders),
    /// Stands inside a noun phrase without showing gender: "very", "two".
    Skip,
    /// Never part of the phrase: verbs, prepositions, conjunctions.
    Stop,
    /// "is", "was", "became": a predicate that agrees with the subject may follow.
    Copula,
    /// A preposition whose case decides what an article means (language rules).
    Dative,
}

#[derive(Default)]
pub(crate) struct Endings {
    map: Map<Genders>,
    longest: usize,
}

#[derive(Default)]
pub(crate) struct Lexicon {
    nouns: Map<Vec<Reading>>,
    terms: Map<Vec<Term>>,
    occupations: Map<u16>,
    roles: Map<Role>,
    /// Endings that outweigh an article.
    pub(crate) suffixes: Endings,
    /// Endings believed only where nothing else is known.
    pub(crate) weak_suffixes: Endings,
    /// Adjective endings safe on either side of the noun.
    pub(crate) adjective_suffixes: Endings,
    /// Adjective endings believed only between determiner and noun.
    pub(crate) prenominal_suffixes: Endings,
    /// Past verbs and predicates that agree with the subject, for language rules.
    pub(crate) predicate_suffixes: Endings,
    /// Written together with the word that follows ("the", "and", "to" in Hebrew and Arabic).
    pub(crate) prefixes: Vec<Box<str>>,
}

/// What is wrong with a data file: the line and what stands there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DataError {
    pub(crate) line: usize,
    pub(crate) what: String,
}

#[derive(Clone)]
enum Section {
    None,
    Paradigm(String),
    Occupation(Vec<u16>),
    Nouns,
    Suffixes(SuffixKind),
    Roles(RoleKind),
    Prefixes,
}

#[derive(Clone, Copy)]
enum SuffixKind {
    Strong,
    Weak,
    Adjective,
    Prenominal,
    Predicate,
}

#[derive(Clone, Copy)]
enum RoleKind {
    Determiner,
    Adjective,
    Skip,
    Stop,
    Copula,
    Dative,
}

/// An ending with the gender it stands for (`None`: that of the entry), and whether the form it
/// makes is not the one dictionaries list.
struct Ending {
    genders: Option<Genders>,
    oblique: bool,
    text: Box<str>,
}

type Paradigm = Vec<Ending>;

struct Reader {
    lexicon: Lexicon,
    paradigms: HashMap<String, Paradigm>,
    fold: fn(char) -> Option<char>,
    also_written: Option<fn(&str) -> String>,
}

/// Lower case, and what the language's spelling variants have in common.
pub(crate) fn fold_into(word: &str, fold: fn(char) -> Option<char>, out: &mut String) {
    out.clear();
    for letter in word.chars() {
        if is_small(letter) {
            if let Some(letter) = fold(letter) {
                out.push(letter);
            }
            continue;
        }
        let letter = match letter {
            '’' | 'ʼ' | '‘' | '`' | '´' => '\'',
            '‐' | '‑' => '-',
            letter => letter,
        };
        for letter in letter.to_lowercase() {
            if let Some(letter) = fold(letter) {
                out.push(letter);
            }
        }
    }
}

/// Letters that are their own lower case, without a look into the tables.
fn is_small(letter: char) -> bool {
    matches!(letter as u32,
        0x61..=0x7A | 0x03AC..=0x03CE | 0x0430..=0x045F | 0x05D0..=0x05EA | 0x0620..=0x06D3
        | 0x0900..=0x097F)
}

impl Endings {
    fn add(&mut self, ending: &str, genders: Genders) {
        self.longest = self.longest.max(ending.chars().count());
        let entry = self.map.entry(ending.into()).or_default();
        *entry = entry.or(genders);
    }

    /// Gender of a listed word, else of the longest listed ending.
    pub(crate) fn find_word(&self, word: &str) -> Option<Genders> {
        let listed = self.map.get(word).copied();
        listed.or_else(|| Some(self.find(word)?.0))
    }

    /// Gender of the longest listed ending; a stem of at least two letters must remain.
    pub(crate) fn find(&self, word: &str) -> Option<(Genders, usize)> {
        let mut best = None;
        for (count, (start, _)) in word.char_indices().rev().enumerate().take(self.longest) {
            // Two letters must remain, one before a long ending ("azione").
            if start == 0 || count < 3 && word[..start].chars().nth(1).is_none() {
                break;
            }
            if let Some(genders) = self.map.get(&word[start..]) {
                best = Some((*genders, count + 1));
            }
        }
        best
    }
}

impl Lexicon {
    /// Reads a data file. Faults are collected, not fatal: a test holds that there are none.
    pub(crate) fn parse(grammar: &Grammar) -> (Lexicon, Vec<DataError>) {
        let mut reader = Reader {
            lexicon: Lexicon::default(),
            paradigms: HashMap::new(),
            fold: grammar.fold,
            also_written: grammar.also_written,
        };
        let mut errors = Vec::new();
        let mut section = Section::None;
        for (number, line) in grammar.data.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let result = if let Some(header) = line.strip_prefix('[') {
                reader
                    .section(header.trim_end_matches(']').trim())
                    .map(|found| section = found)
            } else if line.is_empty() {
                Ok(())
            } else {
                reader.line(&section, line)
            };
            if let Err(what) = result {
                errors.push(DataError {
                    line: number + 1,
                    what,
                });
            }
        }
        (reader.lexicon, errors)
    }

    pub(crate) fn occupation(&self, name: &str) -> Option<u16> {
        self.occupations.get(name).copied()
    }

    pub(crate) fn occupations(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.occupations.keys().map(|name| &**name).collect();
        names.sort_unstable();
        names
    }

    pub(crate) fn readings(&self, word: &str) -> Option<&[Reading]> {
        self.nouns.get(word).map(Vec::as_slice)
    }

    pub(crate) fn terms(&self, head: &str) -> &[Term] {
        self.terms.get(head).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn role(&self, word: &str) -> Option<Role> {
        self.roles.get(word).copied()
    }
}

impl Reader {
    fn fold(&self, word: &str) -> String {
        let mut out = String::new();
        fold_into(word, self.fold, &mut out);
        out
    }

    fn section(&mut self, header: &str) -> Result<Section, String> {
        if let Some(name) = header.strip_prefix("paradigm ") {
            let name = name.trim().to_owned();
            if self.paradigms.insert(name.clone(), Vec::new()).is_some() {
                return Err(format!("paradigm listed twice: {name}"));
            }
            return Ok(Section::Paradigm(name));
        }
        if let Some(names) = header.strip_prefix("occupation ") {
            let ids = names.split(',').map(|name| self.occupation(name.trim()));
            return Ok(Section::Occupation(ids.collect()));
        }
        Ok(match header {
            "nouns" => Section::Nouns,
            "suffixes" => Section::Suffixes(SuffixKind::Strong),
            "weak suffixes" => Section::Suffixes(SuffixKind::Weak),
            "adjective suffixes" => Section::Suffixes(SuffixKind::Adjective),
            "prenominal suffixes" => Section::Suffixes(SuffixKind::Prenominal),
            "predicate suffixes" => Section::Suffixes(SuffixKind::Predicate),
            "determiners" => Section::Roles(RoleKind::Determiner),
            "adjectives" => Section::Roles(RoleKind::Adjective),
            "skip" => Section::Roles(RoleKind::Skip),
            "stop" => Section::Roles(RoleKind::Stop),
            "copulas" => Section::Roles(RoleKind::Copula),
            "dative" => Section::Roles(RoleKind::Dative),
            "prefixes" => Section::Prefixes,
            _ => return Err(format!("no such section: {header}")),
        })
    }

    fn occupation(&mut self, name: &str) -> u16 {
        let next = u16::try_from(self.lexicon.occupations.len()).unwrap_or(u16::MAX);
        *self.lexicon.occupations.entry(name.into()).or_insert(next)
    }

    fn line(&mut self, section: &Section, line: &str) -> Result<(), String> {
        let (key, items) = match line.split_once(':') {
            Some((key, items)) => (Some(key.trim()), items),
            None => (None, line),
        };
        let by_paradigm = key == Some("*");
        let oblique = key == Some("o") && matches!(section, Section::Paradigm(_));
        let genders = match key {
            None | Some("*") => None,
            Some("o") if oblique => None,
            Some(key) => Some(Genders::parse(key).ok_or(format!("no such gender: {key}"))?),
        };
        let mut words = Vec::new();
        for item in items.split_whitespace() {
            if let Section::Paradigm(name) = section {
                self.ending(name, genders, oblique, item);
                continue;
            }
            let fault = |what| format!("{what}: {item}");
            alternatives(item, String::new(), &mut words).map_err(fault)?;
            for word in words.drain(..) {
                self.item(section, genders, by_paradigm, &word)
                    .map_err(fault)?;
            }
        }
        Ok(())
    }

    fn ending(&mut self, paradigm: &str, genders: Option<Genders>, oblique: bool, ending: &str) {
        let text = match ending {
            "-" => Box::default(),
            ending => self.fold(ending).into(),
        };
        if let Some(endings) = self.paradigms.get_mut(paradigm) {
            endings.push(Ending {
                genders,
                oblique,
                text,
            });
        }
    }

    fn item(
        &mut self,
        section: &Section,
        genders: Option<Genders>,
        by_paradigm: bool,
        item: &str,
    ) -> Result<(), &'static str> {
        let noun = matches!(section, Section::Nouns | Section::Occupation(_));
        if noun && genders.is_none() && !by_paradigm {
            return Err("no gender before the words");
        }
        if noun && item.contains('_') {
            return self.term(section, genders, item);
        }
        for (own, word) in self.forms(item, genders)? {
            match section {
                Section::Nouns => {
                    let genders = own.ok_or("the paradigm gives no gender")?;
                    self.noun(word, None, genders);
                }
                Section::Occupation(ids) => {
                    let genders = own.ok_or("the paradigm gives no gender")?;
                    for id in ids {
                        self.noun(word.clone(), Some(*id), genders);
                    }
                }
                Section::Suffixes(kind) => {
                    let genders = own.ok_or("no gender before the endings")?;
                    let lexicon = &mut self.lexicon;
                    match kind {
                        SuffixKind::Strong => &mut lexicon.suffixes,
                        SuffixKind::Weak => &mut lexicon.weak_suffixes,
                        SuffixKind::Adjective => &mut lexicon.adjective_suffixes,
                        SuffixKind::Prenominal => &mut lexicon.prenominal_suffixes,
                        SuffixKind::Predicate => &mut lexicon.predicate_suffixes,
                    }
                    .add(&word, genders);
                }
                Section::Roles(kind) => {
                    let role = match (kind, own) {
                        (RoleKind::Determiner, Some(own)) => Role::Determiner(own),
                        (RoleKind::Adjective, Some(own)) => Role::Adjective(own),
                        (RoleKind::Skip, _) => Role::Skip,
                        (RoleKind::Stop, _) => Role::Stop,
                        (RoleKind::Copula, _) => Role::Copula,
                        (RoleKind::Dative, _) => Role::Dative,
                        _ => return Err("no gender before the words"),
                    };
                    self.role(word, role);
                }
                Section::Prefixes => {
                    self.lexicon.prefixes.push(word.into());
                    let prefixes = &mut self.lexicon.prefixes;
                    prefixes.sort_by_key(|prefix| std::cmp::Reverse(prefix.len()));
                }
                Section::None | Section::Paradigm(_) => return Err("word before any section"),
            }
        }
        Ok(())
    }

    /// A word listed twice allows either gender; a determiner stays one whatever else it is.
    fn role(&mut self, word: String, role: Role) {
        let merged = match (self.lexicon.roles.get(&*word), role) {
            (Some(Role::Determiner(old)), Role::Determiner(new)) => Role::Determiner(old.or(new)),
            (Some(Role::Adjective(old)), Role::Adjective(new)) => Role::Adjective(old.or(new)),
            (Some(first), _) => *first,
            (None, role) => role,
        };
        self.lexicon.roles.insert(word.into(), merged);
    }

    fn noun(&mut self, word: String, occupation: Option<u16>, genders: Genders) {
        let readings = self.lexicon.nouns.entry(word.into()).or_default();
        match readings.iter_mut().find(|known| {
            known.occupation == occupation && known.genders.is_oblique() == genders.is_oblique()
        }) {
            Some(known) => known.genders = known.genders.or(genders),
            None => readings.push(Reading {
                occupation,
                genders,
            }),
        }
    }

    /// `word`, `stem/paradigm` or `stem/one+other`.
    fn forms(
        &self,
        item: &str,
        genders: Option<Genders>,
    ) -> Result<Vec<(Option<Genders>, String)>, &'static str> {
        let (stem, paradigms) = match item.split_once('/') {
            Some((stem, names)) => (stem, Some(names)),
            None => (item, None),
        };
        let stem = self.fold(stem);
        let mut forms = Vec::new();
        match paradigms {
            None => forms.push((genders, stem)),
            Some(names) => {
                for name in names.split('+') {
                    let endings = self.paradigms.get(name).ok_or("no such paradigm")?;
                    for ending in endings {
                        let own = ending.genders.or(genders);
                        let own = own.map(|own| if ending.oblique { own.oblique() } else { own });
                        forms.push((own, format!("{stem}{}", ending.text)));
                    }
                }
            }
        }
        if let Some(other) = self.also_written {
            let also: Vec<_> = forms
                .iter()
                .map(|(own, word)| (*own, other(word)))
                .collect();
            forms.extend(also);
        }
        Ok(forms)
    }

    fn term(
        &mut self,
        section: &Section,
        genders: Option<Genders>,
        item: &str,
    ) -> Result<(), &'static str> {
        let parts: Vec<&str> = item.split('_').collect();
        let head = parts
            .iter()
            .position(|part| part.ends_with('*'))
            .unwrap_or(0);
        let mut words = Vec::new();
        for part in &parts {
            words.push(self.forms(part.trim_end_matches('*'), genders)?);
        }
        let plain = |words: &[(Option<Genders>, String)]| -> Vec<Box<str>> {
            words.iter().map(|(_, word)| word.as_str().into()).collect()
        };
        let before: Vec<Vec<Box<str>>> =
            words[..head].iter().rev().map(|word| plain(word)).collect();
        let after: Vec<Vec<Box<str>>> = words[head + 1..].iter().map(|word| plain(word)).collect();
        let ids: Vec<Option<u16>> = match section {
            Section::Occupation(ids) => ids.iter().copied().map(Some).collect(),
            _ => vec![None],
        };
        for (own, form) in &words[head] {
            let genders = own.ok_or("the paradigm gives no gender")?;
            let terms = self.lexicon.terms.entry(form.as_str().into()).or_default();
            for id in &ids {
                terms.push(Term {
                    occupation: *id,
                    genders,
                    before: before.clone(),
                    after: after.clone(),
                });
            }
        }
        Ok(())
    }
}

/// Writes out `(a,b)`; `(a,)` makes the letters optional.
fn alternatives(stem: &str, done: String, out: &mut Vec<String>) -> Result<(), &'static str> {
    let Some((before, rest)) = stem.split_once('(') else {
        out.push(done + stem);
        return Ok(());
    };
    let (choices, after) = rest.split_once(')').ok_or("bracket not closed")?;
    for choice in choices.split(',') {
        alternatives(after, format!("{done}{before}{choice}"), out)?;
    }
    Ok(())
}
