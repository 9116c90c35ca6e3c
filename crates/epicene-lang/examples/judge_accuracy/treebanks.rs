//! Gold for the gender of "I" from the annotation of treebanks, for languages that have no gold file.
//!
//! A predicate is the speaker's when its subject is the pronoun, or when it, its auxiliary or its copula is a verb
//! in the first person singular and nobody else is its subject. Gold is the gender of that predicate (adjective,
//! participle or verb in the nominative singular), of its auxiliaries, and of participles, adjectives and words for
//! "self" that depend on it. Predicate nouns have no label: a gender found by one counts as an error.
//! Sentences that show both genders are left out.

use std::collections::HashMap;
use std::error::Error;
use std::fs::{self, File};
use std::io::BufReader;

use epicene_lang::Gender;
use epicene_lang::first_person::{Detector, Language, Mode};

use super::first_person::gold::{Row, Score};
use super::shared;

/// Prints the figures of the languages without a published list.
pub fn run() -> Result<(), Box<dyn Error>> {
    println!(
        "{:<8} {:>6} {:>6} {:>9} {:>10} {:>10} {:>15} {:>9}",
        "language",
        "found",
        "right",
        "gendered",
        "f called m",
        "m called f",
        "false positives",
        "without I"
    );
    for language in Language::ALL {
        let detector = Detector::new(language, Mode::Published);
        if detector.mode() != Mode::Strict {
            continue;
        }
        let Some(rows) = gold(language)? else {
            continue;
        };
        let score = Score::of(&rows, detector);
        println!(
            "{:<8} {:>6} {:>6} {:>9} {:>10} {:>10} {:>15} {:>9}",
            language.code(),
            score.found,
            score.right,
            score.men + score.women,
            score.women_called_men,
            score.men_called_women,
            score.false_positives,
            score.others
        );
    }
    Ok(())
}

/// The labelled sentences of a language's treebanks, `None` where there are none.
fn gold(language: Language) -> Result<Option<Vec<Row>>, Box<dyn Error>> {
    let folder = shared("ud");
    if !folder.is_dir() {
        return Ok(None);
    }
    let mut paths: Vec<_> = fs::read_dir(&folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            name.is_some_and(|name| {
                name.starts_with(&format!("{language}_")) && name.ends_with(".conllu.xz")
            })
        })
        .collect();
    paths.sort();
    if paths.is_empty() {
        return Ok(None);
    }
    let mut rows = Vec::new();
    for path in paths {
        let mut bytes = Vec::new();
        lzma_rs::xz_decompress(&mut BufReader::new(File::open(&path)?), &mut bytes)
            .map_err(|error| format!("{}: {error:?}", path.display()))?;
        for block in String::from_utf8(bytes)?.split("\n\n") {
            rows.extend(row(block));
        }
    }
    Ok(Some(rows))
}

struct Word<'a> {
    id: &'a str,
    lemma: &'a str,
    class: &'a str,
    features: HashMap<&'a str, &'a str>,
    head: &'a str,
    relation: &'a str,
}

impl Word<'_> {
    fn has(&self, feature: &str, value: &str) -> bool {
        self.features.get(feature) == Some(&value)
    }

    fn is_first_person(&self) -> bool {
        self.has("Person", "1") && self.has("Number", "Sing")
    }

    fn is_verb(&self) -> bool {
        matches!(self.class, "VERB" | "AUX")
    }

    /// The gender of a form that can agree with a subject.
    fn gender(&self) -> Option<Gender> {
        let agrees = matches!(self.class, "ADJ" | "VERB" | "AUX" | "DET")
            && self
                .features
                .get("Number")
                .is_none_or(|&number| number == "Sing")
            && self
                .features
                .get("Case")
                .is_none_or(|&case| matches!(case, "Nom" | "Ins"));
        match self.features.get("Gender") {
            Some(&"Masc") if agrees => Some(Gender::Masculine),
            Some(&"Fem") if agrees => Some(Gender::Feminine),
            _ => None,
        }
    }
}

fn row(block: &str) -> Option<Row> {
    let comment = |name: &str| {
        let found = block.lines().find_map(|line| line.strip_prefix(name))?;
        Some(found.trim_start_matches([' ', '=']).to_owned())
    };
    let text = comment("# text =")?;
    let words: Vec<Word> = block.lines().filter_map(word).collect();
    let (mut men, mut women, mut first_person) = (false, false, false);
    for predicate in &words {
        let parts: Vec<&Word> = words
            .iter()
            .filter(|word| word.head == predicate.id)
            .collect();
        if !is_own(predicate, &parts) {
            continue;
        }
        first_person = true;
        let describing = parts.iter().filter(|part| describes(part));
        let genders = std::iter::once(predicate).chain(describing.copied());
        for gender in genders.filter_map(Word::gender) {
            men |= gender == Gender::Masculine;
            women |= gender == Gender::Feminine;
        }
    }
    // A first person that is no subject ("to me") may still be whom a form describes.
    let open = !first_person && words.iter().any(Word::is_first_person);
    if open || (men && women) {
        return None;
    }
    let gold = match (men, women) {
        (true, _) => Some(Gender::Masculine),
        (_, true) => Some(Gender::Feminine),
        _ => None,
    };
    Some(Row {
        id: comment("# sent_id =").unwrap_or_default(),
        gold,
        first_person,
        text,
    })
}

fn word(line: &str) -> Option<Word<'_>> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, _, lemma, class, _, features, head, relation, ..] = fields[..] else {
        return None;
    };
    let whole = id.bytes().all(|byte| byte.is_ascii_digit());
    whole.then(|| Word {
        id,
        lemma,
        class,
        features: features
            .split('|')
            .filter_map(|feature| feature.split_once('='))
            .collect(),
        head,
        relation: relation.split(':').next().unwrap_or_default(),
    })
}

/// Whether the speaker is the subject of a predicate.
fn is_own(predicate: &Word, parts: &[&Word]) -> bool {
    let subjects = || parts.iter().filter(|part| part.relation == "nsubj");
    let pronoun = subjects().any(|subject| subject.class == "PRON" && subject.is_first_person());
    let others = subjects().any(|subject| !subject.is_first_person());
    let verb = |word: &Word| word.is_verb() && word.is_first_person();
    let helper = parts
        .iter()
        .any(|part| matches!(part.relation, "aux" | "cop") && verb(part));
    !others && (pronoun || verb(predicate) || helper)
}

/// Whether a dependent of a predicate agrees with its subject.
fn describes(part: &Word) -> bool {
    let participle = part.has("VerbForm", "Part") || part.has("VerbForm", "Conv");
    match part.relation {
        "aux" | "cop" => true,
        "xcomp" => matches!(part.class, "ADJ" | "VERB"),
        "advcl" | "acl" => participle || part.class == "ADJ",
        "advmod" => participle,
        "det" | "nmod" | "obl" => matches!(part.lemma, "pats" | "vienas" | "viens"),
        _ => false,
    }
}
