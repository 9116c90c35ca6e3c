//! The Unambiguous benchmark's stored pipeline, as far as the occupation judge needs it.

#![allow(dead_code, reason = "the tests and the example each use a part")]

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use epicene_core::Finding;
use epicene_lang::align::{ParallelText, Symmetry, align};
use epicene_lang::occupation::{OccupationJudge, Token};
use flate2::read::GzDecoder;

/// Occupations of the Unambiguous lists, WinoBias/WinoMT and WiBeMT.
pub const ENGLISH: &[&str] = &[
    "accountant",
    "administrator",
    "advisee",
    "advisor",
    "analyst",
    "appraiser",
    "architect",
    "artist",
    "assistant",
    "athlete",
    "attendant",
    "auditor",
    "author",
    "baker",
    "bartender",
    "broker",
    "buyer",
    "bystander",
    "carpenter",
    "cashier",
    "ceo",
    "cfo",
    "chef",
    "chemist",
    "chief",
    "child",
    "cleaner",
    "clerk",
    "client",
    "collector",
    "conductor",
    "construction worker",
    "cook",
    "counselor",
    "cto",
    "customer",
    "dancer",
    "dentist",
    "designer",
    "developer",
    "dietitian",
    "dispatcher",
    "doctor",
    "driver",
    "economist",
    "editor",
    "educator",
    "electrician",
    "employee",
    "engineer",
    "examiner",
    "farmer",
    "firefighter",
    "gardener",
    "geologist",
    "guard",
    "guest",
    "hairdresser",
    "homeowner",
    "housekeeper",
    "hygienist",
    "inspector",
    "instructor",
    "investigator",
    "janitor",
    "judge",
    "laborer",
    "lawyer",
    "librarian",
    "machinist",
    "manager",
    "mathematician",
    "mechanic",
    "mover",
    "musician",
    "nanny",
    "nurse",
    "nutritionist",
    "officer",
    "onlooker",
    "owner",
    "painter",
    "paralegal",
    "paramedic",
    "passenger",
    "pathologist",
    "patient",
    "pedestrian",
    "pharmacist",
    "photographer",
    "physician",
    "physicist",
    "planner",
    "plumber",
    "practitioner",
    "professor",
    "programmer",
    "protester",
    "psychologist",
    "receptionist",
    "resident",
    "sailor",
    "salesperson",
    "scientist",
    "secretary",
    "sheriff",
    "soldier",
    "someone",
    "specialist",
    "student",
    "supervisor",
    "surgeon",
    "surveyor",
    "tailor",
    "taxpayer",
    "teacher",
    "technician",
    "teenager",
    "therapist",
    "undergraduate",
    "veterinarian",
    "victim",
    "visitor",
    "witness",
    "worker",
    "writer",
];

/// One translated sentence with the reference alignment of its occupation.
pub struct Sentence {
    pub text: String,
    pub tokens: Vec<Token>,
    pub positions: Vec<usize>,
    pub occupation: String,
    pub tag: String,
}

pub fn gunzip(path: &Path) -> Option<String> {
    let mut text = String::new();
    GzDecoder::new(File::open(path).ok()?)
        .read_to_string(&mut text)
        .ok()?;
    Some(text)
}

pub fn tag(finding: Finding) -> &'static str {
    match finding {
        Finding::Masculine => "Masc",
        Finding::Feminine => "Fem",
        Finding::Neuter => "Neut",
        _ => "_",
    }
}

/// The stored translations of a language, or `None` where there are none.
pub fn pipeline(data: &Path, judge: &OccupationJudge) -> Option<Vec<Sentence>> {
    let folder = data.join("unambiguous");
    let list = std::fs::read_to_string(folder.join("occupation_list.txt")).ok()?;
    let list: Vec<String> = list
        .lines()
        .map(|word| word.trim().to_lowercase())
        .collect();
    let file = |kind: &str| {
        let name = format!("pipeline_14976/{}.{kind}.gz", judge.language());
        gunzip(&folder.join(name))
    };
    let (texts, aligned, tags) = (file("mt")?, file("align")?, file("result")?);
    let source = gunzip(&folder.join("source_s_58032.tsv.gz"))?;
    let rows = texts
        .lines()
        .zip(aligned.lines())
        .zip(tags.lines())
        .zip(source.lines());
    let sentence = |(((text, aligned), tag), source): (((&str, &str), &str), &str)| {
        let english = source.split('\t').next().unwrap_or_default().to_lowercase();
        let occupation = english
            .split(' ')
            .find(|word| list.iter().any(|known| known == word));
        let tokens = judge.tokens(text);
        let mut positions = Vec::new();
        for item in aligned.split(' ') {
            let mut parts = item.split("->");
            let (Some(english), Some(word)) = (parts.next(), parts.next()) else {
                continue;
            };
            if list.contains(&english.to_lowercase()) {
                positions.extend(place(&tokens, word));
            }
        }
        Sentence {
            text: text.to_owned(),
            positions,
            occupation: occupation.unwrap_or_default().to_owned(),
            tag: tag.to_owned(),
            tokens,
        }
    };
    Some(rows.map(sentence).collect())
}

/// Replaces the reference alignment by links of our own: Pharaoh form, English words split at
/// spaces, the judge's words on the other side.
pub fn use_links(data: &Path, links: &Path, sentences: &mut [Sentence]) {
    let folder = data.join("unambiguous");
    let list = std::fs::read_to_string(folder.join("occupation_list.txt")).unwrap_or_default();
    let list: Vec<String> = list
        .lines()
        .map(|word| word.trim().to_lowercase())
        .collect();
    let source = gunzip(&folder.join("source_s_58032.tsv.gz")).unwrap_or_default();
    let links = std::fs::read_to_string(links).unwrap_or_default();
    for ((sentence, links), source) in sentences.iter_mut().zip(links.lines()).zip(source.lines()) {
        let english = source.split('\t').next().unwrap_or_default().to_lowercase();
        let english: Vec<&str> = english.split(' ').collect();
        sentence.positions = links
            .split(' ')
            .filter_map(|link| {
                let (from, to) = link.split_once('-')?;
                let word = english.get(from.parse::<usize>().ok()?)?;
                list.iter().any(|known| known == word).then_some(())?;
                to.parse().ok()
            })
            .collect();
        sentence.positions.sort_unstable();
    }
}

/// Replaces the reference alignment by the built-in aligner's, learnt from the sentences
/// themselves; where it leads to no translation of the occupation, the lexicon's word is taken.
pub fn use_built_in_aligner(data: &Path, judge: &OccupationJudge, sentences: &mut [Sentence]) {
    let folder = data.join("unambiguous");
    let list = std::fs::read_to_string(folder.join("occupation_list.txt")).unwrap_or_default();
    let list: Vec<String> = list
        .lines()
        .map(|word| word.trim().to_lowercase())
        .collect();
    let source = gunzip(&folder.join("source_s_58032.tsv.gz")).unwrap_or_default();
    let english: Vec<String> = source
        .lines()
        .map(|line| line.split('\t').next().unwrap_or_default().to_lowercase())
        .collect();
    let mut text = ParallelText::default();
    for (sentence, english) in sentences.iter().zip(&english) {
        let target = sentence
            .tokens
            .iter()
            .map(|token| token.text.to_lowercase());
        let target: Vec<String> = target.collect();
        text.push_words(english.split_whitespace(), target);
    }
    let links = align(&text, Symmetry::GrowDiagFinalAnd);
    for (number, sentence) in sentences.iter_mut().enumerate() {
        let words: Vec<&str> = english[number].split_whitespace().collect();
        let linked = links.of(number).iter().filter(|link| {
            let word = words[link.source as usize];
            list.iter().any(|known| known == word)
        });
        sentence.positions = linked.map(|link| link.target as usize).collect();
        sentence.positions.sort_unstable();
        sentence.positions.dedup();
        let found = judge.find(&sentence.tokens, &sentence.occupation);
        let positions = &sentence.positions;
        if !found.is_empty() && !positions.iter().any(|place| found.contains(place)) {
            let far = |place: &usize| positions.iter().map(|other| other.abs_diff(*place)).min();
            let nearest = found
                .iter()
                .copied()
                .min_by_key(|place| far(place).unwrap_or(0));
            sentence.positions = nearest.into_iter().collect();
        }
    }
}

/// Our token for a word of the authors' tokeniser, which keeps "L’éditeur" whole at times.
fn place(tokens: &[Token], word: &str) -> Option<usize> {
    let same = tokens.iter().position(|token| token.text == word);
    same.or_else(|| {
        tokens
            .iter()
            .rposition(|token| token.text.chars().count() > 2 && word.contains(&token.text))
    })
    .or_else(|| tokens.iter().position(|token| token.text.contains(word)))
}

/// A noun of a treebank in its sentence.
pub struct TreebankNoun {
    pub tokens: std::rc::Rc<Vec<Token>>,
    pub at: usize,
    pub gender: String,
}

/// Nouns of a language's treebanks with the gender they are tagged with ("_": none).
pub fn treebank_nouns(data: &Path, code: &str) -> Vec<TreebankNoun> {
    let mut nouns = Vec::new();
    let Ok(folder) = std::fs::read_dir(data.join("ud")) else {
        return nouns;
    };
    let mut paths: Vec<PathBuf> = folder.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !name.starts_with(&format!("{code}_")) {
            continue;
        }
        let Ok(packed) = File::open(&path) else {
            continue;
        };
        let mut text = Vec::new();
        if lzma_rs::xz_decompress(&mut BufReader::new(packed), &mut text).is_err() {
            continue;
        }
        for block in String::from_utf8_lossy(&text).split("\n\n") {
            nouns.extend(block_nouns(block));
        }
    }
    nouns
}

fn block_nouns(block: &str) -> Vec<TreebankNoun> {
    let mut tokens = Vec::new();
    let mut places = Vec::new();
    let mut covered = 0;
    let mut start = 0;
    for line in block.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        if columns.len() < 6 || columns[0].contains('.') {
            continue;
        }
        // A contraction ("del") is one word of the text; its parts are left out.
        if let Some((_, last)) = columns[0].split_once('-') {
            covered = last.parse().unwrap_or(0);
        } else if columns[0]
            .parse::<usize>()
            .is_ok_and(|number| number <= covered)
        {
            continue;
        }
        if columns[3] == "NOUN" {
            let gender = columns[5]
                .split('|')
                .find_map(|item| item.strip_prefix("Gender="));
            places.push((tokens.len(), gender.unwrap_or("_").to_owned()));
        }
        let end = start + columns[1].chars().count();
        tokens.push(Token {
            text: columns[1].to_owned(),
            start,
            end,
        });
        start = end + 1;
    }
    let tokens = std::rc::Rc::new(tokens);
    let noun = |(at, gender)| TreebankNoun {
        tokens: tokens.clone(),
        at,
        gender,
    };
    places.into_iter().map(noun).collect()
}
