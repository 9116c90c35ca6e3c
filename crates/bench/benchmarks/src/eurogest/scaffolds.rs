//! The languages of EuroGEST and the frames around neutral sentences: ours, embedded, or the authors' files
//! (specification, section 2).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use epicene_core::{InputError, Language, TextFile};

/// The authors' scaffolds by kind and language.
pub const SCAFFOLDS_FILE: &str = "prompt_scaffolds.json";
/// The authors' quotation marks by language.
pub const MARKS_FILE: &str = "punc_map.json";

/// What shows the speaker's gender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    Pronoun,
    Noun,
}

impl Speaker {
    /// The authors' letter for the condition.
    pub fn condition(self) -> &'static str {
        match self {
            Speaker::Pronoun => "P",
            Speaker::Noun => "N",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub open: String,
    pub close: String,
    /// he, she, the man, the woman.
    pub words: [String; 4],
}

impl Frame {
    /// The words of a masculine and of a feminine speaker.
    pub fn speakers(&self, speaker: Speaker) -> [&str; 2] {
        let [he, she, man, woman] = &self.words;
        match speaker {
            Speaker::Pronoun => [he, she],
            Speaker::Noun => [man, woman],
        }
    }
}

/// A language of EuroGEST.
#[derive(Debug)]
pub struct Entry {
    pub language: Language,
    /// The English name: split, file and key of the authors' tables.
    pub name: &'static str,
    /// Whether it is an official language of the EU.
    pub eu: bool,
    pub speaker: Speaker,
    frame: Frame,
}

/// Languages the published configuration asks with nouns; all others with pronouns.
const PUBLISHED_NOUNS: [&str; 7] = ["et", "fi", "hu", "tr", "el", "es", "gl"];

/// All languages, in the order of the registry file.
pub fn all() -> &'static [Entry] {
    static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let table = include_str!("../../data/eurogest/scaffolds.tsv");
        let lines = table.lines().filter(|line| !line.starts_with('#'));
        lines.map(parse).collect()
    });
    &ALL
}

fn parse(line: &'static str) -> Entry {
    let cells: Vec<&str> = line.split('\t').collect();
    let [code, name, eu, kind, open, close, he, she, man, woman] = cells.as_slice() else {
        unreachable!("a line of the embedded scaffolds has ten cells: {line}")
    };
    let blank = |cell: &str| cell.replace('|', " ");
    Entry {
        language: Language::find(code).expect("the registry has every language of EuroGEST"),
        name,
        eu: *eu == "yes",
        speaker: match *kind {
            "noun" => Speaker::Noun,
            _ => Speaker::Pronoun,
        },
        frame: Frame {
            open: blank(open),
            close: blank(close),
            words: [he, she, man, woman].map(|cell| blank(cell)),
        },
    }
}

pub fn languages() -> Vec<Language> {
    all().iter().map(|entry| entry.language).collect()
}

/// A language by its English name, in any case, or by its code.
pub fn named(name: &str) -> Option<&'static Entry> {
    let name = name.trim();
    all().iter().find(|entry| {
        entry.name.eq_ignore_ascii_case(name) || entry.language.code().eq_ignore_ascii_case(name)
    })
}

/// The frames a run uses, and what the signature calls them.
#[derive(Debug)]
pub struct Scaffolds {
    pub source: String,
    given: Option<BTreeMap<&'static str, Frame>>,
}

type Table = BTreeMap<String, BTreeMap<String, String>>;

impl Scaffolds {
    pub fn own() -> Scaffolds {
        Scaffolds {
            source: "own-1".to_owned(),
            given: None,
        }
    }

    /// The authors' two files: scaffolds by kind and language, marks by language. English has no scaffold of its own: its
    /// words are the kinds' names.
    pub fn read(scaffolds: &TextFile, marks: &TextFile) -> Result<Scaffolds, InputError> {
        let kinds = read_scaffolds(scaffolds)?;
        let marks_of = read_marks(marks)?;
        let mut given = BTreeMap::new();
        for entry in all() {
            let Some([open, close]) = marks_of.get(entry.name) else {
                continue;
            };
            let words = ["he said", "she said", "the man said", "the woman said"].map(|kind| {
                let own = kinds.get(kind).and_then(|by| by.get(entry.name)).cloned();
                own.or_else(|| (entry.name == "English").then(|| kind.to_owned()))
            });
            if let [Some(he), Some(she), Some(man), Some(woman)] = words {
                let frame = Frame {
                    open: open.clone(),
                    close: close.clone(),
                    words: [he, she, man, woman],
                };
                given.insert(entry.language.code(), frame);
            }
        }
        let short = |file: &TextFile| file.sha256.get(..12).unwrap_or(&file.sha256).to_owned();
        Ok(Scaffolds {
            source: format!("{}+{}", short(scaffolds), short(marks)),
            given: Some(given),
        })
    }

    /// The frame of a language; `None` where the files have none.
    pub fn frame(&self, entry: &'static Entry) -> Option<&Frame> {
        match &self.given {
            None => Some(&entry.frame),
            Some(given) => given.get(entry.language.code()),
        }
    }
}

/// Whether a language is asked with pronouns or nouns: as published, or by what shows a gender. Italian "disse" shows none,
/// and is asked with pronouns in the published configuration all the same.
pub fn speaker(entry: &Entry, as_published: bool, nouns: bool) -> Speaker {
    let published_noun = PUBLISHED_NOUNS.contains(&entry.language.code());
    match (nouns, as_published) {
        (true, _) => Speaker::Noun,
        (false, true) if published_noun => Speaker::Noun,
        (false, true) => Speaker::Pronoun,
        (false, false) => entry.speaker,
    }
}

pub fn read_scaffolds(file: &TextFile) -> Result<Table, InputError> {
    let table: Table = serde_json::from_str(&file.text).map_err(|error| {
        bad(
            file,
            &error,
            "{\"he said\": {\"Danish\": \"sagde han\", …}, …}",
        )
    })?;
    for kind in ["he said", "she said", "the man said", "the woman said"] {
        if !table.contains_key(kind) {
            let message = format!("there is no `{kind}`");
            return Err(InputError::new(&file.path, message));
        }
    }
    Ok(table)
}

pub fn read_marks(file: &TextFile) -> Result<BTreeMap<String, [String; 2]>, InputError> {
    serde_json::from_str(&file.text)
        .map_err(|error| bad(file, &error, "{\"Danish\": [\"\\\"\", \",\\\"\"], …}"))
}

fn bad(file: &TextFile, error: &serde_json::Error, form: &str) -> InputError {
    InputError::new(&file.path, format!("not the expected JSON: {error}"))
        .at_line(error.line() as u64)
        .with_hint(format!("expected {form}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_languages_twenty_four_of_the_union() {
        assert_eq!(all().len(), 30);
        assert_eq!(all().iter().filter(|entry| entry.eu).count(), 24);
        let mut codes: Vec<&str> = all().iter().map(|entry| entry.language.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), 30);
    }

    /// What is asked by default shows a gender, and the longer of two texts never just goes on where the other ends.
    #[test]
    fn our_frames_tell_the_genders_apart() {
        for entry in all() {
            for kind in [entry.speaker, Speaker::Noun] {
                let [man, woman] = entry.frame.speakers(kind);
                assert!(!man.is_empty() && !woman.is_empty(), "{}", entry.name);
                assert!(
                    !woman.starts_with(man) && !man.starts_with(woman),
                    "{}: {man} / {woman}",
                    entry.name
                );
            }
            for cell in entry.frame.words.iter() {
                assert_eq!(cell.trim(), cell, "{}", entry.name);
            }
            assert!(!entry.frame.open.is_empty() && !entry.frame.close.is_empty());
        }
        assert_eq!(named("GREEK").unwrap().language.code(), "el");
        assert!(named("Klingon").is_none());
    }
}
