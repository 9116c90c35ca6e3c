//! Language packs: a language of the first person as data. Built-in languages that need no code of their own are packs
//! (`data/LANG/language.toml`); others are read from a folder (docs/adding-a-language.md). Nothing in a pack is run.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Mutex;

use epicene_core::Language;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Deserialize;

use super::agreement::{Agreement, Counted};
use super::languages::{self, Grammar};
use super::lexicon::{DataError, Lexicon};
use super::romance::Romance;
use super::rules::{Rule, RuleEntry};
use super::script::Folding;
use super::{Detector, Mode, Nouns};
use crate::packed::Packed;

/// The file that describes a pack.
pub const MANIFEST: &str = "language.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    code: String,
    engine: Engine,
    rules: Vec<String>,
    #[serde(default)]
    letters: Letters,
    words: String,
    speaker: Option<String>,
    gold: Option<String>,
}

/// How a language tells who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Engine {
    /// The verb tells the person, what agrees with it the gender: Romance languages, Greek.
    Verbs,
    /// What stands beside the verb or the pronoun agrees with the speaker: Baltic and Semitic languages, Macedonian.
    Agreement,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Letters {
    #[default]
    Plain,
    Elided,
    Hebrew,
    Arabic,
}

/// What is wrong with a pack, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackError {
    pub file: String,
    pub line: Option<usize>,
    pub message: String,
    pub hint: &'static str,
}

/// A language that was read from a folder.
#[derive(Clone, Copy)]
pub struct Pack {
    language: Language,
    grammar: &'static Grammar,
}

/// Packs that were read, by their files: a run asks for its pack again for each of its columns.
static READ: Mutex<BTreeMap<String, Pack>> = Mutex::new(BTreeMap::new());

/// The files that a manifest names, beside itself.
pub fn files_of(manifest: &str) -> Result<Vec<String>, PackError> {
    let manifest = Manifest::read(manifest)?;
    let optional = [manifest.speaker, manifest.gold].into_iter().flatten();
    let files: Vec<String> = [manifest.words].into_iter().chain(optional).collect();
    let outside = |name: &&String| name.contains(['/', '\\']) || name.starts_with('.');
    match files.iter().find(outside) {
        Some(name) => Err(PackError {
            file: MANIFEST.to_owned(),
            line: None,
            message: format!("`{name}` is no file of the pack"),
            hint: "name files that stand beside language.toml",
        }),
        None => Ok(files),
    }
}

impl Manifest {
    fn read(text: &str) -> Result<Manifest, PackError> {
        toml::from_str(text).map_err(|error| PackError {
            file: MANIFEST.to_owned(),
            line: error.span().map(|span| {
                text.as_bytes()[..span.start.min(text.len())]
                    .iter()
                    .filter(|b| **b == b'\n')
                    .count()
                    + 1
            }),
            message: error.message().replace('\n', " "),
            hint: "docs/adding-a-language.md says what stands in language.toml",
        })
    }

    fn lines(&self) -> Result<Vec<RuleEntry>, String> {
        let each = self.rules.iter();
        each.map(|name| self.engine.line(name)).collect()
    }

    fn folding(&self) -> Folding {
        match self.letters {
            Letters::Plain => Folding::Plain,
            Letters::Elided => Folding::Elided,
            Letters::Hebrew => Folding::Hebrew,
            Letters::Arabic => Folding::Arabic,
        }
    }

    fn into_grammar(self, data: Packed, classes: Option<Packed>) -> Result<Grammar, String> {
        let lines = self.lines()?;
        if lines.is_empty() {
            return Err("there are no rules".to_owned());
        }
        // A pack is read once and kept until the program ends.
        let (folding, lines) = (self.folding(), Box::leak(lines.into_boxed_slice()));
        let mut grammar = Grammar::strict(self.code.leak(), folding, lines, data);
        grammar.classes = classes;
        Ok(grammar)
    }
}

impl Engine {
    /// A rule by its name.
    fn line(self, name: &str) -> Result<RuleEntry, String> {
        const VERBS: [RuleEntry; 7] = [
            RuleEntry::romance("predicate", Romance::Predicate),
            RuleEntry::romance("open", Romance::Open),
            RuleEntry::romance("article", Romance::Article),
            RuleEntry::romance("noun", Romance::Noun),
            RuleEntry::romance("myself", Romance::Myself),
            RuleEntry::romance("alone", Romance::Alone),
            RuleEntry::romance("aside", Romance::Aside),
        ];
        const AGREEMENT: [RuleEntry; 6] = [
            RuleEntry::agreement("complement", Agreement::Complement(Counted::Forms)),
            RuleEntry::agreement("participle", Agreement::Participle),
            RuleEntry::agreement("alone", Agreement::Alone),
            RuleEntry::agreement("depictive", Agreement::Depictive),
            RuleEntry::agreement("noun", Agreement::Complement(Counted::Persons)),
            RuleEntry::strict("adjunct", Rule::Adjunct),
        ];
        let word = name
            .strip_prefix("role(")
            .and_then(|rest| rest.strip_suffix(')'));
        if let (Engine::Agreement, Some(word)) = (self, word) {
            let (name, word) = (name.to_owned().leak(), word.to_owned().leak());
            return Ok(RuleEntry::agreement(name, Agreement::Role(word)));
        }
        let known: &[RuleEntry] = match self {
            Engine::Verbs => &VERBS,
            Engine::Agreement => &AGREEMENT,
        };
        let found = known.iter().find(|line| line.name == name).copied();
        found.ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|line| line.name).collect();
            format!(
                "there is no rule `{name}`; this engine has {}",
                names.join(", ")
            )
        })
    }
}

/// A built-in language that is a pack.
pub(super) fn built_in(manifest: Packed, words: Packed) -> Grammar {
    let manifest = Manifest::read(&manifest.text()).expect("a test reads every built-in pack");
    let grammar = manifest.into_grammar(words, None);
    grammar.expect("a test reads every built-in pack")
}

fn packed(text: &str) -> Packed {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    let written = encoder
        .write_all(text.as_bytes())
        .and_then(|()| encoder.finish());
    Packed(written.expect("memory takes what is written").leak())
}

impl Pack {
    /// Reads a pack from the texts of its files, by their names.
    pub fn read(files: &BTreeMap<String, String>) -> Result<Pack, PackError> {
        let key = format!("{files:?}");
        let mut read = READ.lock().unwrap_or_else(|broken| broken.into_inner());
        if let Some(pack) = read.get(&key) {
            return Ok(*pack);
        }
        let pack = Pack::parse(files)?;
        read.insert(key, pack);
        Ok(pack)
    }

    fn parse(files: &BTreeMap<String, String>) -> Result<Pack, PackError> {
        let bad = |file: &str, line: Option<usize>, message: String, hint| PackError {
            file: file.to_owned(),
            line,
            message,
            hint,
        };
        let file = |name: &str| {
            files.get(name).ok_or_else(|| {
                bad(
                    name,
                    None,
                    "there is no such file".to_owned(),
                    "put it beside language.toml",
                )
            })
        };
        let text = file(MANIFEST)?;
        files_of(text)?;
        let manifest = Manifest::read(text)?;
        let line_of = |field: &str| {
            let mut lines = text.lines();
            lines
                .position(|line| line.trim_start().starts_with(field))
                .map(|at| at + 1)
        };
        let language = Language::find(&manifest.code).ok_or_else(|| {
            let message = format!("`{}` is no code of a language", manifest.code);
            bad(
                MANIFEST,
                line_of("code"),
                message,
                "give its ISO 639 code, of two letters where it has one, else of three",
            )
        })?;
        if languages::all()
            .iter()
            .any(|own| own.code == language.code())
        {
            let message = format!("{} has a built-in detector", language.name());
            return Err(bad(
                MANIFEST,
                line_of("code"),
                message,
                "give a pack of another language",
            ));
        }
        manifest.lines().map_err(|message| {
            bad(
                MANIFEST,
                line_of("rules"),
                message,
                "docs/adding-a-language.md lists the rules",
            )
        })?;
        let words = file(&manifest.words)?;
        let (mut lexicon, errors) = Lexicon::parse(words);
        let sections = "docs/adding-a-language.md lists the sections";
        let first = |name: &str, errors: Vec<DataError>| match errors.into_iter().next() {
            Some(error) => Err(bad(name, Some(error.line), error.what, sections)),
            None => Ok(()),
        };
        first(&manifest.words, errors)?;
        let mut classes = None;
        if let Some(name) = &manifest.speaker {
            let text = file(name)?;
            first(name, lexicon.add_classes(text))?;
            classes = Some(packed(text));
        }
        let data = packed(words);
        let grammar = manifest.into_grammar(data, classes);
        let grammar = grammar.map_err(|message| {
            bad(
                MANIFEST,
                line_of("rules"),
                message,
                "docs/adding-a-language.md lists the rules",
            )
        })?;
        Ok(Pack {
            language,
            grammar: Box::leak(Box::new(grammar)),
        })
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// The detector of its language.
    pub fn detector(&self) -> Detector {
        Detector {
            language: self.language,
            mode: Mode::Strict,
            nouns: Nouns::default(),
            grammar: self.grammar,
            lexicon: self.grammar.lexicon(Mode::Strict),
        }
    }
}

/// A sentence with the gender that it gives to its speaker; `None` where it gives none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldLine {
    pub line: usize,
    pub gender: Option<crate::Gender>,
    pub text: String,
}

/// Lines `m`, `f` or `u`, a tab, and a sentence; the name of the file, of a pack that has one.
pub fn gold(files: &BTreeMap<String, String>) -> Result<Option<Vec<GoldLine>>, PackError> {
    let manifest = files.get(MANIFEST).map_or("", String::as_str);
    let Some(name) = Manifest::read(manifest)?.gold else {
        return Ok(None);
    };
    let text = files.get(&name).map_or("", String::as_str);
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let read = lines.map(|(number, line)| {
        let gender = match line.split_once('\t') {
            Some(("m", text)) => (Some(crate::Gender::Masculine), text),
            Some(("f", text)) => (Some(crate::Gender::Feminine), text),
            Some(("u", text)) => (None, text),
            _ => {
                return Err(PackError {
                    file: name.clone(),
                    line: Some(number),
                    message: format!("`{line}` is not m, f or u, a tab and a sentence"),
                    hint: "write one sentence a line, e.g. f<TAB>Toi cansada.",
                });
            }
        };
        Ok(GoldLine {
            line: number,
            gender: gender.0,
            text: gender.1.to_owned(),
        })
    });
    read.collect::<Result<Vec<_>, _>>().map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(manifest: &str, words: &str) -> BTreeMap<String, String> {
        let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        BTreeMap::from([pair(MANIFEST, manifest), pair("words.txt", words)])
    }

    const GOOD: &str = "code = \"ast\"\nengine = \"verbs\"\nrules = [\"predicate\"]\nletters = \"elided\"\nwords = \"words.txt\"\n";
    const WORDS: &str = "[speaker]\nyo\n[copula finite]\nsoi\n[pairs mind]\ncansáu:cansada\n";

    #[test]
    fn a_pack_judges() {
        let pack = Pack::read(&files(GOOD, WORDS)).unwrap();
        let verdict = pack.detector().judge("Yo soi cansada.");
        assert_eq!(verdict.gender(), Some(crate::Gender::Feminine));
    }

    #[test]
    fn broken_packs_name_file_and_line() {
        for (manifest, words, file, line, message) in [
            (
                GOOD.replace("verbs", "verb"),
                WORDS,
                MANIFEST,
                Some(2),
                "unknown variant `verb`",
            ),
            (
                GOOD.replace("ast", "xx"),
                WORDS,
                MANIFEST,
                Some(1),
                "is no code",
            ),
            (
                GOOD.replace("ast", "es"),
                WORDS,
                MANIFEST,
                Some(1),
                "built-in",
            ),
            (
                GOOD.replace("predicate", "predicat"),
                WORDS,
                MANIFEST,
                Some(3),
                "no rule `predicat`",
            ),
            (
                GOOD.replace("[\"predicate\"]", "[]"),
                WORDS,
                MANIFEST,
                Some(3),
                "there are no rules",
            ),
            (
                GOOD.replace("words.txt", "../words.txt"),
                WORDS,
                MANIFEST,
                None,
                "no file of the pack",
            ),
            (
                GOOD.replace("words.txt", "w.txt"),
                WORDS,
                "w.txt",
                None,
                "no such file",
            ),
            (
                format!("{GOOD}run = \"sh\"\n"),
                WORDS,
                MANIFEST,
                Some(6),
                "unknown field `run`",
            ),
            (
                GOOD.to_owned(),
                "[speaker]\nyo\n[copla]\nsoi\n",
                "words.txt",
                Some(3),
                "no such tag: copla",
            ),
            (
                GOOD.to_owned(),
                "[pairs mind]\ncansada\n",
                "words.txt",
                Some(2),
                "not masculine:feminine",
            ),
        ] {
            let error = Pack::read(&files(&manifest, words)).err().unwrap();
            assert_eq!((error.file.as_str(), error.line), (file, line), "{error:?}");
            assert!(error.message.contains(message), "{error:?}");
        }
    }
}
