//! Sentences that lead a detector astray: those of the reference data (`gold/traps/person.tsv`) and our own
//! (`tests/traps/persons`), which have the same classes in every language.

#![allow(dead_code, reason = "the tests and the example each use a part")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use epicene_core::Finding;
use epicene_lang::Verdict;
use epicene_lang::occupation::{JudgeMode, OccupationJudge};
use epicene_lang::person::PersonPair;

/// One person in one translation.
pub struct Trap {
    pub class: String,
    pub source: String,
    pub noun: String,
    /// `m`, `f`; everything else: no gender is shown (`c`; or `n` neutral wording, `i` inclusive writing, `b` both named,
    /// `u` nothing names the person).
    pub gold: char,
    pub text: String,
}

#[derive(Default, Clone, Copy)]
pub struct Tally {
    pub all: usize,
    pub gendered: usize,
    pub right: usize,
    pub wrong: usize,
    /// Gold says neutral, both or not shown, and the verdict says neutral or both.
    pub neutral: usize,
}

/// What a verdict is worth beside the gold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    Right,
    Open,
    Wrong,
}

impl Tally {
    pub fn add(&mut self, gold: char, finding: Finding) -> Worth {
        self.all += 1;
        let gendered = matches!(gold, 'm' | 'f');
        self.gendered += usize::from(gendered);
        match finding.gender() {
            Some(found) if found.letter() == gold => {
                self.right += 1;
                Worth::Right
            }
            Some(_) => {
                self.wrong += 1;
                Worth::Wrong
            }
            None if gendered => Worth::Open,
            None => {
                self.neutral += usize::from(finding.letter() == 'n');
                Worth::Right
            }
        }
    }

    pub fn join(&mut self, other: &Tally) {
        self.all += other.all;
        self.gendered += other.gendered;
        self.right += other.right;
        self.wrong += other.wrong;
        self.neutral += other.neutral;
    }

    /// Percent of the gendered that are right, and of all that are wrong.
    pub fn shares(&self) -> [f64; 2] {
        let share = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
        [
            share(self.right, self.gendered),
            share(self.wrong, self.all),
        ]
    }
}

/// The traps of a file of the reference data, by language.
pub fn reference(file: &Path) -> Option<BTreeMap<String, Vec<Trap>>> {
    let text = fs::read_to_string(file).ok()?;
    let mut traps: BTreeMap<String, Vec<Trap>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let seven: Result<[&str; 7], _> = columns.try_into();
        let [_, code, source, noun, text, gold, class] = seven.expect("seven columns");
        let trap = Trap {
            class: class.to_owned(),
            source: source.to_owned(),
            noun: noun.to_owned(),
            gold: gold.chars().next().expect("a gold label"),
            text: text.to_owned(),
        };
        traps.entry(code.to_owned()).or_default().push(trap);
    }
    Some(traps)
}

/// Our own, by language: `key TAB gold TAB text`, with `{masculine|feminine}` where gold has two letters; the
/// source sentence and its noun stand in `sources.txt` by key.
pub fn own() -> BTreeMap<String, Vec<Trap>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traps/persons");
    let sources = fs::read_to_string(folder.join("sources.txt")).expect("sources.txt");
    let mut keys: BTreeMap<&str, [&str; 3]> = BTreeMap::new();
    for line in sources.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let four: Result<[&str; 4], _> = columns.try_into();
        let [key, class, noun, source] = four.expect("four columns");
        keys.insert(key, [class, noun, source]);
    }
    let mut traps = BTreeMap::new();
    for code in OccupationJudge::languages() {
        let file = folder.join(format!("{code}.txt"));
        let table = fs::read_to_string(file).unwrap_or_default();
        let mut own = Vec::new();
        for line in table
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
        {
            let columns: Vec<&str> = line.split('\t').collect();
            let three: Result<[&str; 3], _> = columns.try_into();
            let [key, golds, text] = three.expect("three columns");
            let [class, noun, source] = keys.get(key).expect("a key of sources.txt");
            for (gold, text) in golds.chars().zip(wordings(text)) {
                own.push(Trap {
                    class: (*class).to_owned(),
                    source: (*source).to_owned(),
                    noun: (*noun).to_owned(),
                    gold,
                    text,
                });
            }
        }
        if !own.is_empty() {
            traps.insert(code.to_owned(), own);
        }
    }
    traps
}

/// Sentences labelled before the detector had seen them, a file for each time: `language TAB class TAB noun TAB source TAB
/// gold TAB text`.
pub const UNSEEN: &[&str] = &["first.tsv", "second.tsv", "fourth.tsv"];

/// The sentences of a file of [`UNSEEN`], by language.
pub fn unseen(file: &str) -> BTreeMap<String, Vec<Trap>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traps/persons");
    let table = fs::read_to_string(folder.join(file)).expect("a file of UNSEEN");
    let mut traps: BTreeMap<String, Vec<Trap>> = BTreeMap::new();
    for line in table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        let columns: Vec<&str> = line.split('\t').collect();
        let six: Result<[&str; 6], _> = columns.try_into();
        let [code, class, noun, source, golds, text] = six.expect("six columns");
        for (gold, text) in golds.chars().zip(wordings(text)) {
            traps.entry(code.to_owned()).or_default().push(Trap {
                class: class.to_owned(),
                source: source.to_owned(),
                noun: noun.to_owned(),
                gold,
                text,
            });
        }
    }
    traps
}

/// The first and the second wording of a line.
fn wordings(text: &str) -> [String; 2] {
    let mut both = [String::new(), String::new()];
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (choice, behind) = after.split_once('}').expect("a closing brace");
        let (one, other) = choice.split_once('|').expect("two wordings");
        both[0].extend([before, one]);
        both[1].extend([before, other]);
        rest = behind;
    }
    both.map(|text| text + rest)
}

/// Verdicts with the built-in aligner, as `epicene gender` gives them.
pub fn verdicts(judge: &OccupationJudge, traps: &[Trap]) -> Vec<Verdict> {
    let pairs: Vec<PersonPair> = traps.iter().map(pair).collect();
    let links = judge.link_persons(&pairs);
    let judged = traps.iter().zip(&links).map(|(trap, positions)| {
        let tokens = judge.tokens(&trap.text);
        judge.judge(
            &trap.text,
            &tokens,
            positions,
            &trap.noun,
            JudgeMode::Default,
        )
    });
    judged.collect()
}

fn pair(trap: &Trap) -> PersonPair<'_> {
    let bare = |word: &str| {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let word = word.strip_suffix("'s").unwrap_or(word);
        word.to_lowercase()
    };
    let first = bare(trap.noun.split(' ').next().unwrap_or(&trap.noun));
    let index = trap
        .source
        .split_whitespace()
        .position(|word| bare(word) == first);
    PersonPair {
        source: &trap.source,
        index: index.expect("the source has its noun"),
        noun: &trap.noun,
        translation: &trap.text,
    }
}
