//! Gold for the gender of "I" in languages without a gold file, made from treebanks by the same rule.
//!
//! A predicate is the speaker's when its subject is the first person singular, when it is itself such a verb
//! without another subject, or when its auxiliary or copula is. Its gender is its own (adjective or participle,
//! singular) or that of an adjective that is its `xcomp`. A participle behind "have" agrees with nothing and
//! counts for nothing; nouns do not count. Sentences with two genders are left out, and those with a first
//! person that governs no predicate.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use epicene_core::Language;
use epicene_lang::Gender;

use super::first_person::gold::Row;
use super::shared;

/// Lemmas of the auxiliaries whose participle does not agree with the subject.
const HAVE: [&str; 8] = [
    "haber", "avoir", "avere", "ter", "haver", "avea", "έχω", "tener",
];

struct Word {
    id: usize,
    lemma: String,
    upos: String,
    feats: String,
    head: usize,
    relation: String,
}

impl Word {
    fn has(&self, feature: &str) -> bool {
        self.feats.split('|').any(|value| value == feature)
    }

    fn is_first(&self) -> bool {
        self.has("Person=1") && self.has("Number=Sing")
    }

    fn gender(&self) -> Option<Gender> {
        if self.has("Number=Plur") {
            None
        } else if self.has("Gender=Masc") {
            Some(Gender::Masculine)
        } else if self.has("Gender=Fem") {
            Some(Gender::Feminine)
        } else {
            None
        }
    }

    fn is(&self, relation: &str) -> bool {
        self.relation.split(':').next() == Some(relation)
    }
}

/// The sentences of all treebanks of a language; `None` where there is no file.
pub fn gold(language: Language) -> Result<Option<Vec<Row>>, Box<dyn Error>> {
    let mut files: Vec<_> = fs::read_dir(shared("ud"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().map(|name| name.to_string_lossy());
            name.is_some_and(|name| {
                name.starts_with(&format!("{language}_")) && name.ends_with(".conllu.xz")
            })
        })
        .collect();
    files.sort();
    if files.is_empty() {
        return Ok(None);
    }
    let mut rows = Vec::new();
    for path in files {
        read(&path, &mut rows)?;
    }
    Ok(Some(rows))
}

fn read(path: &Path, rows: &mut Vec<Row>) -> Result<(), Box<dyn Error>> {
    let mut bytes = Vec::new();
    lzma_rs::xz_decompress(&mut BufReader::new(File::open(path)?), &mut bytes)?;
    let text = String::from_utf8(bytes)?;
    for block in text.split("\n\n") {
        let comment = |name: &str| {
            block
                .lines()
                .find_map(|line| line.strip_prefix(&format!("# {name} = ")))
        };
        let (Some(id), Some(sentence)) = (comment("sent_id"), comment("text")) else {
            continue;
        };
        let words: Vec<Word> = block.lines().filter_map(word).collect();
        if let Some((first_person, gold)) = label(&words) {
            rows.push(Row {
                id: id.to_owned(),
                gold,
                first_person,
                text: sentence.to_owned(),
            });
        }
    }
    Ok(())
}

fn word(line: &str) -> Option<Word> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, _, lemma, upos, _, feats, head, relation, ..] = fields[..] else {
        return None;
    };
    Some(Word {
        id: id.parse().ok()?,
        lemma: lemma.to_owned(),
        upos: upos.to_owned(),
        feats: feats.to_owned(),
        head: head.parse().ok()?,
        relation: relation.to_owned(),
    })
}

/// Whether the speaker is the subject of something, and of which gender; `None` where the tree is no judge.
fn label(words: &[Word]) -> Option<(bool, Option<Gender>)> {
    let mut genders = BTreeSet::new();
    let mut own = false;
    for word in words {
        let under = |relations: &'static [&str]| {
            words.iter().filter(move |other| {
                other.head == word.id && relations.iter().any(|name| other.is(name))
            })
        };
        let mut subjects = under(&["nsubj"]).peekable();
        let auxiliary = word.is("aux") || word.is("cop");
        let mine = match subjects.peek() {
            Some(_) => subjects.any(|subject| subject.upos == "PRON" && subject.is_first()),
            None => {
                (matches!(&*word.upos, "VERB" | "AUX") && word.is_first() && !auxiliary)
                    || under(&["aux", "cop"]).any(Word::is_first)
            }
        };
        if !mine {
            continue;
        }
        own = true;
        let have = under(&["aux"]).any(|helper| HAVE.contains(&&*helper.lemma))
            && !under(&["aux", "cop"]).any(|helper| helper.relation == "aux:pass");
        let participle =
            matches!(&*word.upos, "VERB" | "AUX") && word.has("VerbForm=Part") && !have;
        if word.upos == "ADJ" || participle {
            genders.extend(word.gender());
        }
        let objects = under(&["obj"]).any(|object| !object.is_first() && !object.has("Reflex=Yes"));
        if !objects {
            let adjectives = under(&["xcomp"]).filter(|other| other.upos == "ADJ");
            genders.extend(adjectives.filter_map(Word::gender));
        }
    }
    let mentioned = words.iter().any(Word::is_first);
    match (own, genders.len()) {
        (false, _) => (!mentioned).then_some((false, None)),
        (true, 0 | 1) => Some((true, genders.pop_first())),
        (true, _) => None,
    }
}
