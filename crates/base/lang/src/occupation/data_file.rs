//! Reads `data/LANG/occupations.txt`; the format is described in
//! docs/adding-an-occupation-language.md.

use std::collections::HashMap;

use super::gender::Genders;
use super::languages::Grammar;
use super::lexicon::{Lexicon, Reading, Role, Term, fold_into};

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
    Things,
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

impl Lexicon {
    /// Reads a data file. Faults are collected, not fatal: a test holds that there are none.
    pub(crate) fn parse(text: &str, grammar: &Grammar) -> (Lexicon, Vec<DataError>) {
        let mut reader = Reader {
            lexicon: Lexicon::default(),
            paradigms: HashMap::new(),
            fold: grammar.fold,
            also_written: grammar.also_written,
        };
        let mut errors = Vec::new();
        let mut section = Section::None;
        for (number, line) in text.lines().enumerate() {
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
            "things" => Section::Things,
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
        let noun = matches!(
            section,
            Section::Nouns | Section::Things | Section::Occupation(_)
        );
        if noun && genders.is_none() && !by_paradigm {
            return Err("no gender before the words");
        }
        if noun && item.contains('_') {
            return self.term(section, genders, item);
        }
        for (own, word) in self.forms(item, genders)? {
            match section {
                Section::Nouns | Section::Things => {
                    let genders = own.ok_or("the paradigm gives no gender")?;
                    self.noun(word, None, genders, matches!(section, Section::Things));
                }
                Section::Occupation(ids) => {
                    let genders = own.ok_or("the paradigm gives no gender")?;
                    for id in ids {
                        self.noun(word.clone(), Some(*id), genders, false);
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

    fn noun(&mut self, word: String, occupation: Option<u16>, genders: Genders, thing: bool) {
        let readings = self.lexicon.nouns.entry(word.into()).or_default();
        match readings.iter_mut().find(|known| {
            known.occupation == occupation
                && known.genders.is_oblique() == genders.is_oblique()
                && known.thing == thing
        }) {
            Some(known) => known.genders = known.genders.or(genders),
            None => readings.push(Reading {
                occupation,
                genders,
                thing,
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
pub(crate) fn alternatives(
    stem: &str,
    done: String,
    out: &mut Vec<String>,
) -> Result<(), &'static str> {
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

#[cfg(test)]
mod tests {
    use super::super::gender::NounGender;
    use super::*;
    use crate::packed::Packed;

    fn read(data: &str) -> (Lexicon, Vec<DataError>) {
        Lexicon::parse(data, &Grammar::plain("xx", Packed(&[])))
    }

    fn gender(lexicon: &Lexicon, word: &str) -> Option<NounGender> {
        lexicon.readings(word)?[0].genders.single()
    }

    #[test]
    fn paradigms_write_the_forms_out() {
        let (lexicon, errors) = read(
            "# comment\n[paradigm or]\nm: - es\nf: a as\n[paradigm s]\n- s\n\
             [occupation writer, author]\n*: escritor/or # comment\nc: guionista/s\n\
             [nouns]\nm: (re,)loj\nef: Persona/s\n",
        );
        assert_eq!(errors, []);
        assert_eq!(gender(&lexicon, "escritores"), Some(NounGender::Masculine));
        assert_eq!(gender(&lexicon, "escritoras"), Some(NounGender::Feminine));
        assert_eq!(lexicon.readings("escritor").map(<[_]>::len), Some(2));
        assert_eq!(gender(&lexicon, "guionistas"), None);
        assert_eq!(gender(&lexicon, "reloj"), Some(NounGender::Masculine));
        assert_eq!(gender(&lexicon, "loj"), Some(NounGender::Masculine));
        assert!(
            lexicon
                .readings("personas")
                .is_some_and(|found| found[0].genders.is_epicene())
        );
        assert_eq!(lexicon.occupations(), ["author", "writer"]);
    }

    #[test]
    fn terms_are_found_by_their_heads() {
        let (lexicon, errors) =
            read("[occupation cleaner]\nf: mujer_de_(la_,)limpieza\nm: jefe_técnico*\n");
        assert_eq!(errors, []);
        assert_eq!(lexicon.terms("mujer").len(), 2);
        assert_eq!(lexicon.terms("técnico")[0].before.len(), 1);
        assert_eq!(
            lexicon.readings("mujer"),
            None,
            "a term is no noun by itself"
        );
    }

    #[test]
    fn faults_are_reported_with_their_line() {
        let (_, errors) =
            read("word\n[no such section]\n[nouns]\nhouse\nq: house\nm: a/none\nm: (a\n*: plain\n");
        let lines: Vec<usize> = errors.iter().map(|error| error.line).collect();
        assert_eq!(lines, [1, 2, 4, 5, 6, 7, 8]);
    }
}
