//! Reads `data/LANG/persons.txt` and lexicons of users in the same format, which is described in
//! docs/adding-an-occupation-language.md.

use std::collections::HashMap;

use super::lexicon::{Form, Number, PersonLexicon, Term};
use crate::occupation::{Genders, Grammar, alternatives, fold_into};

/// What is wrong with a lexicon: the line, counted from 1, and what stands there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct LexiconFault {
    pub line: usize,
    pub what: String,
}

/// What stands before a colon: `m`, `f.pl`, `*.o`, `em.pl.o`.
#[derive(Clone, Copy)]
struct Label {
    /// `None`: the entry's own, or the paradigm's.
    genders: Option<Genders>,
    plural: bool,
    oblique: bool,
}

impl Label {
    fn parse(text: &str) -> Result<Label, String> {
        let text = text.trim();
        let fault = || format!("`{text}` is no label like m, f.pl, ef, * or m.pl.o");
        let mut parts = text.split('.');
        let genders = match parts.next() {
            // "o" alone is "*.o", as in occupations.txt.
            None | Some("*" | "o") => None,
            Some(key) => Some(Genders::parse(key).ok_or_else(fault)?),
        };
        let mut label = Label {
            genders,
            plural: false,
            oblique: text == "o",
        };
        for part in parts {
            match part {
                "pl" | "du" => label.plural = true,
                "sg" => {}
                "o" => label.oblique = true,
                _ => return Err(fault()),
            }
        }
        Ok(label)
    }
}

struct Ending {
    label: Label,
    text: Box<str>,
}

#[derive(Default)]
struct Paradigm {
    endings: Vec<Ending>,
    /// Some endings are marked as plural, so that the others are singular.
    numbered: bool,
}

/// A form of an entry before it is filed: own gender, number, oblique, spelling.
struct Written {
    genders: Option<Genders>,
    number: Number,
    oblique: bool,
    word: String,
}

enum Section {
    None,
    Paradigm(String),
    Persons,
}

struct Reader<'a> {
    grammar: &'a Grammar,
    lexicon: PersonLexicon,
    paradigms: HashMap<String, Paradigm>,
}

impl PersonLexicon {
    /// Reads a lexicon. Faults are collected; what is sound is kept.
    pub(crate) fn parse(text: &str, grammar: &Grammar) -> (PersonLexicon, Vec<LexiconFault>) {
        let mut reader = Reader {
            grammar,
            lexicon: PersonLexicon::default(),
            paradigms: HashMap::new(),
        };
        let mut faults = Vec::new();
        let mut section = Section::None;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            let result = if line.is_empty() {
                Ok(())
            } else if let Some(header) = line.strip_prefix('[') {
                reader.section(header).map(|found| section = found)
            } else {
                match &section {
                    Section::None => Err("a line before any section".to_owned()),
                    Section::Paradigm(name) => {
                        let name = name.clone();
                        reader.endings(&name, line)
                    }
                    Section::Persons => reader.entry(line),
                }
            };
            if let Err(what) = result {
                let line = number + 1;
                faults.push(LexiconFault { line, what });
            }
        }
        (reader.lexicon, faults)
    }
}

impl Reader<'_> {
    fn fold(&self, word: &str) -> String {
        let mut out = String::new();
        fold_into(word, self.grammar.fold, &mut out);
        out
    }

    fn section(&mut self, header: &str) -> Result<Section, String> {
        let header = header
            .strip_suffix(']')
            .ok_or("a section begins with [ and ends with ]")?;
        match header.trim().split_once(char::is_whitespace) {
            Some(("paradigm", name)) => {
                let name = name.trim().to_owned();
                let known = self.paradigms.insert(name.clone(), Paradigm::default());
                match known {
                    Some(_) => Err(format!("paradigm listed twice: {name}")),
                    None => Ok(Section::Paradigm(name)),
                }
            }
            Some(("persons", _)) => Ok(Section::Persons),
            None if header.trim() == "persons" => Ok(Section::Persons),
            _ => Err(format!(
                "no such section: {header}; there are [paradigm NAME] and [persons NAME]"
            )),
        }
    }

    fn endings(&mut self, name: &str, line: &str) -> Result<(), String> {
        let (label, items) = match line.split_once(':') {
            Some((label, items)) => (Label::parse(label)?, items),
            None => (Label::parse("*")?, line),
        };
        let mut endings = Vec::new();
        for item in items.split_whitespace() {
            let text = match item {
                "-" => Box::default(),
                ending => self.fold(ending).into(),
            };
            endings.push(Ending { label, text });
        }
        if let Some(paradigm) = self.paradigms.get_mut(name) {
            paradigm.numbered |= label.plural;
            paradigm.endings.extend(endings);
        }
        Ok(())
    }

    /// `english, nouns | label: words | label: words`.
    fn entry(&mut self, line: &str) -> Result<(), String> {
        let (english, groups) = line
            .split_once('|')
            .ok_or("no `|` between the English nouns and their translations")?;
        let entry = self.lexicon.entries;
        self.lexicon.entries += 1;
        for noun in english.split(',').map(str::trim) {
            if noun.is_empty() {
                return Err("an English noun is missing; write `-` where there is none".to_owned());
            }
            if noun != "-" {
                let noun = noun.to_lowercase();
                let lines = self.lexicon.english.entry(noun.into()).or_default();
                if lines.last() != Some(&entry) {
                    lines.push(entry);
                }
            }
        }
        for group in groups.split('|') {
            let (label, items) = group
                .split_once(':')
                .ok_or_else(|| format!("no label before `{}`", group.trim()))?;
            let label = Label::parse(label)?;
            let mut words = Vec::new();
            if items.trim().is_empty() {
                return Err("a label without words".to_owned());
            }
            for item in items.split_whitespace() {
                let fault = |what: &str| format!("{what}: {item}");
                alternatives(item, String::new(), &mut words).map_err(fault)?;
                for word in words.drain(..) {
                    self.noun(entry, label, &word)
                        .map_err(|what| fault(&what))?;
                }
            }
        }
        Ok(())
    }

    fn noun(&mut self, entry: u32, label: Label, item: &str) -> Result<(), String> {
        if item.contains('_') {
            return self.term(entry, label, item);
        }
        for written in self.forms(label, item)? {
            let form = written.form(entry)?;
            let forms = self.lexicon.forms.entry(written.word.into()).or_default();
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        Ok(())
    }

    /// `word`, `stem/paradigm` or `stem/one+other`.
    fn forms(&self, label: Label, item: &str) -> Result<Vec<Written>, String> {
        let (stem, names) = match item.split_once('/') {
            Some((stem, names)) => (stem, Some(names)),
            None => (item, None),
        };
        let stem = self.fold(stem);
        let mut forms = Vec::new();
        let Some(names) = names else {
            forms.push(Written {
                genders: label.genders,
                number: if label.plural {
                    Number::PLURAL
                } else {
                    Number::EITHER
                },
                oblique: label.oblique,
                word: stem,
            });
            return Ok(self.in_both_scripts(forms));
        };
        for name in names.split('+') {
            let paradigm = self.paradigms.get(name).ok_or("no such paradigm")?;
            for ending in &paradigm.endings {
                let number = match (ending.label.plural || label.plural, paradigm.numbered) {
                    (true, _) => Number::PLURAL,
                    (false, true) => Number::SINGULAR,
                    (false, false) => Number::EITHER,
                };
                forms.push(Written {
                    genders: ending.label.genders.or(label.genders),
                    number,
                    oblique: ending.label.oblique || label.oblique,
                    word: format!("{stem}{}", ending.text),
                });
            }
        }
        Ok(self.in_both_scripts(forms))
    }

    fn in_both_scripts(&self, mut forms: Vec<Written>) -> Vec<Written> {
        if let Some(other) = self.grammar.also_written {
            let also: Vec<Written> = forms
                .iter()
                .map(|form| Written {
                    word: other(&form.word),
                    ..*form
                })
                .collect();
            forms.extend(also);
        }
        forms
    }

    fn term(&mut self, entry: u32, label: Label, item: &str) -> Result<(), String> {
        let parts: Vec<&str> = item.split('_').collect();
        let marked = parts.iter().position(|part| part.ends_with('*'));
        let head = marked.unwrap_or(0);
        let mut words = Vec::new();
        for part in &parts {
            words.push(self.forms(label, part.trim_end_matches('*'))?);
        }
        let plain = |words: &Vec<Written>| -> Vec<Box<str>> {
            words.iter().map(|form| form.word.as_str().into()).collect()
        };
        let before: Vec<_> = words[..head].iter().rev().map(plain).collect();
        let after: Vec<_> = words[head + 1..].iter().map(plain).collect();
        for written in &words[head] {
            let term = Term {
                head: written.form(entry)?,
                before: before.clone(),
                after: after.clone(),
            };
            let word = written.word.as_str();
            self.lexicon
                .terms
                .entry(word.into())
                .or_default()
                .push(term);
        }
        Ok(())
    }
}

impl Written {
    fn form(&self, entry: u32) -> Result<Form, String> {
        Ok(Form {
            entry,
            genders: self.genders.ok_or("the paradigm gives no gender")?,
            number: self.number,
            oblique: self.oblique,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Rules;
    use super::*;
    use crate::occupation::LANGUAGES;
    use crate::packed::Packed;

    fn read(text: &str) -> (PersonLexicon, Vec<LexiconFault>) {
        PersonLexicon::parse(text, &Grammar::plain("xx", Packed(&[])))
    }

    const SMALL: &str = "# header
[paradigm er]  # comment
m: - s
m.pl: - n
f: in
f.pl: innen
[paradigm mutter]
-
*.pl: n
*.o: s
[persons occupations]
accountant, bookkeeper | *: Buchhalter/er | ef: Buchhaltungskraft
mother | f: Mutter/mutter
- | em: Schützling | em.pl: Schützlinge
cleaning lady | f: (P,p)utz_Frau*
";

    #[test]
    fn forms_have_gender_number_and_english_nouns() {
        let (lexicon, faults) = read(SMALL);
        assert_eq!(faults, []);
        let form = |word: &str| lexicon.forms(word)[0];
        assert_eq!(form("buchhalterinnen").genders, Genders::F);
        assert_eq!(form("buchhalterinnen").number, Number::PLURAL);
        let numbers: Vec<Number> = lexicon
            .forms("buchhalter")
            .iter()
            .map(|f| f.number)
            .collect();
        assert_eq!(numbers, [Number::SINGULAR, Number::PLURAL]);
        assert_eq!(form("buchhaltungskraft").number, Number::EITHER);
        assert!(form("schützlinge").genders.is_epicene());
        assert_eq!(form("muttern").number, Number::PLURAL);
        assert!(form("mutters").oblique);
        assert_eq!(lexicon.translations("bookkeeper"), [0]);
        assert_eq!(lexicon.translations("mother"), [form("mutter").entry]);
        assert_eq!(lexicon.translations("-"), [0u32; 0]);
        assert_eq!(lexicon.terms("frau").len(), 2);
        assert_eq!(lexicon.forms("frau"), []);
    }

    #[test]
    fn faults_have_their_line() {
        let (_, faults) = read(
            "word\n[things]\n[persons a]\nno bar\nx | m Wort\nx | q: Wort\nx | m: Wort/none\n\
             x | *: Wort\n | m: Wort\nx | m:\n[paradigm a]\nm.x: e\n[paradigm a]\n[persons b\n",
        );
        let lines: Vec<usize> = faults.iter().map(|fault| fault.line).collect();
        assert_eq!(lines, [1, 2, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14]);
    }

    #[test]
    fn embedded_files_have_no_faults() {
        let mut told = Vec::new();
        let own = |files: &'static [(&str, Packed)]| files.iter().filter(|(code, _)| *code != "en");
        for (code, packed) in own(super::super::PERSONS) {
            let Some(language) = LANGUAGES.iter().find(|known| known.grammar.code == *code) else {
                told.push(format!("data/{code}/persons.txt: no such language"));
                continue;
            };
            let (_, faults) = PersonLexicon::parse(&packed.text(), &language.grammar);
            let name = |fault| format!("data/{code}/persons.txt: {fault}");
            told.extend(faults.into_iter().map(name));
        }
        for (code, packed) in own(super::super::AGREEMENT) {
            let Some(language) = LANGUAGES.iter().find(|known| known.grammar.code == *code) else {
                told.push(format!("data/{code}/agreement.txt: no such language"));
                continue;
            };
            let (_, faults) = Rules::parse(&packed.text(), &language.grammar);
            let name = |fault| format!("data/{code}/agreement.txt: {fault}");
            told.extend(faults.into_iter().map(name));
        }
        assert!(told.is_empty(), "\n{}", told.join("\n"));
    }
}
